//! A crate whose only dev-dependency is insta.
