//! `cargo tdg test`: the tests, then a table of the ensembles.

mod overview;

use std::env;
use std::ffi::OsString;
use std::process::Command;

use clap::Args;

use crate::commands::Review;
use crate::error::{Context as _, Result};
use crate::exit::Exit;
use crate::record::Records;
use crate::results::{self, Circumstances};
use crate::terminal::print;
use crate::workspace::Workspace;

/// Run `cargo test`, then print a table of the ensembles
///
/// Arguments after the options of `cargo tdg test` are passed on: `cargo tdg test -p shop total`.
/// Exits with 1 if tests fail.
#[derive(Args, Debug)]
pub(crate) struct Test {
    /// Run `cargo nextest run` instead
    #[arg(long)]
    nextest: bool,
    /// Review pending changes after the tests
    #[arg(long)]
    review: bool,
    /// Arguments for `cargo test`
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
        let directory = results::directory(&workspace)?;
        results::clear(&directory)?;
        Circumstances::now(&workspace.directory).save(&directory)?;
        let passed = self
            .command()
            .env(results::VARIABLE, &directory)
            .status()
            .context("can't run cargo")?
            .success();
        let runs = results::read(&directory)?.unwrap_or_default();
        let records = Records::of(&workspace)?;
        let here = env::current_dir()?;
        let unused = results::unused_snapshots(&workspace, &records, &runs, &self.arguments, &here);
        let pending = records.pending()?.len();
        print(&overview::text(&workspace, &runs, pending, &unused))?;
        if self.review && pending > 0 {
            Review::default().run()?;
        }
        Ok(if passed { Exit::Fine } else { Exit::Found })
    }

    /// With `--no-fail-fast`: the table should have every ensemble, also after a failure.
    fn command(&self) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        if self.nextest {
            command.args(["nextest", "run"]);
        } else {
            command.arg("test");
        }
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
