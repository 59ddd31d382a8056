//! A crate whose only dev-dependency is tdg.
