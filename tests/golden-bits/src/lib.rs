//! Nothing but the golden tests: `cargo package` wants a library in every package.
