//! `Versioning::new` of versions.
