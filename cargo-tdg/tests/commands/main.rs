//! The real `cargo tdg`, in real crates in temporary folders.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod check;
mod generate;

use tdg_tests::{Project, Run};

/// `cargo tdg` with these arguments in a folder, as cargo would start it.
fn tdg(project: &Project, arguments: &[&str]) -> Run {
    Run::new(env!("CARGO_BIN_EXE_cargo-tdg"), project.folder())
        .arguments(&["tdg"])
        .arguments(arguments)
}
