//! A run of the tests on the rows of one seed.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use tdg_engine::Verdict;

use crate::commands::runner::TestRunner;
use crate::error::{Context as _, Error, Result};
use crate::results::{self, TestRun, VARIABLE};
use crate::terminal::is_quiet;
use crate::workspace::{Packages, Workspace};

/// Cargo options that select targets.
const TARGETS: [&str; 11] = [
    "--all-targets",
    "--bench",
    "--benches",
    "--bin",
    "--bins",
    "--doc",
    "--example",
    "--examples",
    "--lib",
    "--test",
    "--tests",
];

/// Runs the selected tests.
pub(super) struct ExploreRunner<'a> {
    packages: &'a Packages,
    runner: TestRunner,
    arguments: &'a [OsString],
    /// The directory that tests report to.
    directory: PathBuf,
}

/// The result of a run.
pub(super) enum ExploreOutcome {
    /// All tests passed.
    Passed(Vec<TestRun>),
    /// Explored rows failed: the failing runs, then all runs.
    Found(Vec<TestRun>, Vec<TestRun>),
}

impl<'a> ExploreRunner<'a> {
    pub(super) fn new(
        workspace: &Workspace,
        packages: &'a Packages,
        runner: TestRunner,
        arguments: &'a [OsString],
    ) -> Result<Self> {
        Ok(Self {
            packages,
            runner,
            arguments,
            // Separate from the results for `cargo tdg report`.
            directory: results::directory(workspace)?.join("explore"),
        })
    }

    /// Builds the tests and shows cargo's progress.
    pub(super) fn build(&self) -> Result<()> {
        let mut command = self.command();
        if is_quiet() {
            command.arg(self.runner.quiet());
        }
        let built = command.arg("--no-run").args(self.before_dashes());
        let built = built.status().context("can't run cargo")?;
        match built.success() {
            true => Ok(()),
            false => Err(Error::new("the tests don't compile")),
        }
    }

    /// Runs the tests once. Only the first run may record.
    pub(super) fn explore(
        &self,
        seed: u64,
        size: Option<&str>,
        is_first: bool,
    ) -> Result<ExploreOutcome> {
        results::clear(&self.directory)?;
        let mut command = self.command();
        command
            .args([self.runner.quiet(), "--no-fail-fast"])
            .args(self.arguments)
            .env(VARIABLE, &self.directory)
            .env("TDG_SEED", seed.to_string())
            .env_remove("TDG_SIZE")
            .env_remove("TDG_CASES");
        if let Some(size) = size {
            command.env("TDG_SIZE", size);
        }
        if !is_first {
            // The local history is for the user's own runs.
            command.env("TDG_UPDATE", "no");
        }
        let output = command.output().context("can't run cargo")?;
        let runs = results::read(&self.directory)?.unwrap_or_default();
        let is_found = |run: &&TestRun| run.verdict == Verdict::Failed && run.explored.is_some();
        let found: Vec<TestRun> = runs.iter().filter(is_found).cloned().collect();
        if !found.is_empty() {
            return Ok(ExploreOutcome::Found(found, runs));
        }
        if output.status.success() {
            return Ok(ExploreOutcome::Passed(runs));
        }
        let (stdout, stderr) = (&output.stdout, &output.stderr);
        let (stdout, stderr) = (
            String::from_utf8_lossy(stdout),
            String::from_utf8_lossy(stderr),
        );
        Err(Error::new(format!(
            "the tests already fail on their own rows:\n{}{}",
            stdout.trim_start(),
            stderr
        )))
    }

    /// Returns `cargo test` without doc tests, which are slow and never ensemble tests.
    fn command(&self) -> Command {
        let mut command = self.runner.command();
        let chooses_targets = self.before_dashes().any(|argument| {
            let argument = argument.to_string_lossy();
            let option = argument.split('=').next().unwrap_or_default();
            TARGETS.contains(&option)
        });
        if !chooses_targets {
            command.arg("--tests");
        }
        command.args(self.packages.arguments());
        command
    }

    /// Returns the arguments for cargo itself.
    fn before_dashes(&self) -> impl Iterator<Item = &OsString> {
        self.arguments
            .iter()
            .take_while(|argument| *argument != "--")
    }
}
