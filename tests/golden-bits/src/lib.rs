//! An empty library next to the golden tests, because `cargo package` requires one in every
//! package.
