//! What a user of tdg sees, from the first `cargo test` to a `kill -9`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod verdicts;
