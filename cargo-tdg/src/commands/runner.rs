//! The program that runs the tests.

use std::process::Command;

use clap::Args;

use crate::terminal::color;
use crate::workspace::cargo_here;

/// `cargo test`, or nextest.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct TestRunner {
    /// Run `cargo nextest run` instead
    #[arg(long)]
    nextest: bool,
}

impl TestRunner {
    pub(super) fn command(self) -> Command {
        let mut command = cargo_here(match self.nextest {
            true => &["nextest", "run"],
            false => &["test"],
        });
        if let Some(color) = color() {
            command.args(["--color", color.as_str()]);
        }
        command
    }

    /// Returns the option that silences cargo itself.
    pub(super) fn quiet(self) -> &'static str {
        match self.nextest {
            true => "--cargo-quiet",
            false => "--quiet",
        }
    }
}
