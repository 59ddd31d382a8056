//! `Cmp::as_str` of jaq-core.
