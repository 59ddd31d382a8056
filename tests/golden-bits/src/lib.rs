//! An empty library for the golden tests, because `cargo package` requires one.
