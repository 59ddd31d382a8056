//! A crate without dependencies.
