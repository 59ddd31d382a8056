//! Real crates in folders of their own, and the real tools run on them.
//!
//! A [`Project`] is a crate in a temporary folder, for what cargo itself takes part in. A
//! [`Program`] is a crate that is compiled once, and whose test binaries run in many [`Checkout`]s,
//! each as cargo would run them there: that is what most tests need, and takes milliseconds.
#![forbid(unsafe_code)]
// What fails here fails a test.
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

/// The root of tdg's own workspace.
#[must_use]
pub fn workspace() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

/// Where all crates of these tests are built, so that tdg is compiled once: that of tdg's own
/// workspace, which has SQLite and most other dependencies already.
#[must_use]
pub fn target_directory() -> PathBuf {
    workspace().join("target")
}
