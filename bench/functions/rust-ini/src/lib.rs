//! `Ini::section_mut` of rust-ini.
