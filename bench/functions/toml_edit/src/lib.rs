//! `Formatted::new` of toml_edit.
