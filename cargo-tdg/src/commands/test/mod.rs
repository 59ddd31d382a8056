//! `cargo tdg test`: the tests, and what became of the ensembles.

mod outcome;

use std::env;
use std::ffi::OsString;
use std::process::Command;

use clap::Args;

use crate::commands::Review;
use crate::error::{Context as _, Result};
use crate::exit::Exit;
use crate::record::Records;
use crate::results;
use crate::terminal::print;
use crate::workspace::Workspace;

/// Run `cargo test`, and end with a table of the ensembles
///
/// Everything after the options of `cargo tdg test` is passed on: `cargo tdg test -p shop total`.
/// Ends with 1 if the tests fail.
#[derive(Args, Debug)]
pub(crate) struct Test {
    /// Run `cargo nextest run` instead
    #[arg(long)]
    nextest: bool,
    /// Review what waits for a decision when the tests have run
    #[arg(long)]
    review: bool,
    /// Arguments of `cargo test`
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGUMENTS"
    )]
    arguments: Vec<OsString>,
}

impl Test {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let directory = results::directory(&workspace);
        results::begin(&directory)?;
        let passed = self
            .command()
            .env(results::VARIABLE, &directory)
            .status()
            .context("cargo can't be started")?
            .success();
        let runs = results::read(&directory)?.unwrap_or_default();
        let records = Records::of(&workspace)?;
        let here = env::current_dir()?;
        let unclaimed = results::unclaimed(&workspace, &records, &runs, &self.arguments, &here);
        let pending = records.pending()?.len();
        print(&outcome::text(&workspace, &runs, pending, &unclaimed))?;
        if self.review && pending > 0 {
            Review::default().run()?;
        }
        Ok(if passed { Exit::Fine } else { Exit::Found })
    }

    /// All tests run, also after one that fails: a table of half the ensembles helps nobody.
    fn command(&self) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        match self.nextest {
            true => command.args(["nextest", "run"]),
            false => command.arg("test"),
        };
        if !self
            .arguments
            .iter()
            .any(|argument| argument == "--no-fail-fast")
        {
            command.arg("--no-fail-fast");
        }
        command.args(&self.arguments);
        command
    }
}
