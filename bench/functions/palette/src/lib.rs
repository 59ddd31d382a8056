//! `Parameters::default_dynamic_wp` of palette.
