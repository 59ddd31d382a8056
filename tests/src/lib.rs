//! Real crates in separate folders, and the real tools that run on them.
//!
//! A [`Project`] is a crate in a temporary folder, for tests that run cargo itself. A [`Program`]
//! is a crate that is compiled once. Its test binaries run in many [`Checkout`]s, in the same way
//! as cargo would run them there. Most tests use it, and take milliseconds.
#![forbid(unsafe_code)]
// A failure here fails a test.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod page;
mod program;
mod project;
mod relay;
mod run;
mod server;
pub mod tools;

pub use program::{Checkout, Program};
pub use project::{Project, manifest};
pub use relay::{Exchange, Fate, Relay};
pub use run::{Finished, Run};
pub use server::Server;

use std::path::{Path, PathBuf};

/// Returns the root of tdg's own workspace.
#[must_use]
pub fn workspace() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

/// Returns the target directory for all crates of these tests. It is the workspace's own, which
/// already has tdg, SQLite and most other dependencies compiled.
#[must_use]
pub fn target_directory() -> PathBuf {
    workspace().join("target")
}
