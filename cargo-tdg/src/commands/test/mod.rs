//! `cargo tdg test`: runs the tests, then prints a table of the ensembles.

mod overview;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::OsString;
use std::process::Command;

use clap::{Args, ValueEnum};

use super::runner::TestRunner;
use crate::commands::{LibraryCode, Review, unreached};
use crate::error::{Context as _, Result};
use crate::exit::Exit;
use crate::record::RecordedTests;
use crate::results::{self, Circumstances, Remark, TestRun};
use crate::terminal::style::FAINT;
use crate::terminal::{counted, is_quiet, print};
use crate::workspace::{Packages, Workspace};

/// The maximum number of tests whose unreached constants are listed.
const LINES: usize = 3;

/// Run `cargo test`, then print a table of the ensembles
///
/// Arguments after the options of `cargo tdg test` are passed on: `cargo tdg test -p shop total`.
/// Exits with 1 if tests fail, if a test process crashed, or if no test with a benchmark ran.
#[derive(Args, Debug)]
pub(crate) struct Test {
    #[command(flatten)]
    packages: Packages,
    #[command(flatten)]
    runner: TestRunner,
    /// Review pending changes after the tests
    #[arg(long)]
    review: bool,
    /// What to do about snapshot files that no test uses
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = IfUnclaimed::Warn)]
    unclaimed: IfUnclaimed,
    /// Arguments for `cargo test`
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGUMENTS"
    )]
    arguments: Vec<OsString>,
}

/// What to do about benchmarks that no test claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IfUnclaimed {
    /// List them
    Warn,
    /// List them, and exit with 1
    Fail,
}

impl Test {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let directory = results::directory(&workspace)?;
        results::clear(&directory)?;
        let mut circumstances = Circumstances::now(&workspace.directory);
        circumstances.save(&directory)?;
        let passed = self
            .command()
            .env(results::VARIABLE, &directory)
            .status()
            .context("can't run cargo")?
            .success();
        let runs = results::read(&directory)?.unwrap_or_default();
        let records = RecordedTests::read(&workspace)?;
        let arguments = self.cargo_arguments();
        let all_ended = runs.iter().all(|run| run.has_ended);
        let is_complete = passed && all_ended && env::var_os("TDG_CASES").is_none();
        let unclaimed = results::unclaimed(&workspace, &records, &runs, &arguments, is_complete);
        let is_wrong = match self.unclaimed {
            IfUnclaimed::Fail => true,
            IfUnclaimed::Warn => unclaimed.is_full_run && runs.is_empty(),
        };
        let fails = !all_ended || is_wrong && !unclaimed.benchmarks.is_empty();
        circumstances.remarks = unclaimed.remarks(is_wrong);
        if !passed && runs.iter().all(|run| run.verdict.passes()) {
            circumstances.remarks.push(other_failure());
        }
        circumstances.save(&directory)?;
        let mut text = overview::unfinished(&runs);
        if !is_quiet() {
            text.push_str(&overview::ensembles(&runs));
            text.push_str(&unreached_constants(&workspace, &runs)?);
        }
        let pending =
            RecordedTests::read(&workspace)?.in_packages(&self.packages.select(&workspace)?);
        let pending = pending.pending()?.len();
        text.push_str(&overview::pending(pending));
        text.push_str(&overview::unclaimed(&unclaimed));
        print(&text)?;
        if self.review && pending > 0 {
            Review::new(self.packages).run()?;
        }
        Ok(if passed && !fails {
            Exit::Fine
        } else {
            Exit::Found
        })
    }

    /// Uses `--no-fail-fast`, so that the table has every ensemble even after a failure.
    fn command(&self) -> Command {
        let mut command = self.runner.command();
        if !self.arguments.iter().any(|it| it == "--no-fail-fast") {
            command.arg("--no-fail-fast");
        }
        if is_quiet() {
            command.arg(self.runner.quiet());
        }
        command.args(self.packages.arguments());
        command.args(&self.arguments);
        command
    }

    /// Returns the arguments that select tests.
    fn cargo_arguments(&self) -> Vec<String> {
        let others = self.arguments.iter();
        let others = others.map(|argument| argument.to_string_lossy().into_owned());
        let mut arguments = self.packages.arguments();
        arguments.extend(others);
        arguments
    }
}

/// Returns a line for each test whose rows lack constants of the code, up to a few.
fn unreached_constants(workspace: &Workspace, runs: &[TestRun]) -> Result<String> {
    let records = RecordedTests::read(workspace)?;
    let mut libraries = BTreeMap::new();
    let mut lines = BTreeSet::new();
    for run in runs {
        let Some(record) = records.of_test(&run.test) else {
            continue;
        };
        let library = libraries
            .entry(&run.test.package)
            .or_insert_with(|| LibraryCode::read(&record.package).ok());
        // A test whose code or rows can't be read has no line.
        let line = library.as_ref().and_then(|it| unreached(record, it).ok());
        lines.extend(line.filter(|it| !it.is_empty()));
    }
    let shown = lines.iter().take(LINES);
    let mut text: String = shown.map(|it| format!("{FAINT}{it}{FAINT:#}\n")).collect();
    if let Some(more @ 1..) = lines.len().checked_sub(LINES) {
        let more = counted(more, "test");
        text += &format!("{FAINT}{more} more: cargo tdg constants TEST{FAINT:#}\n");
    }
    Ok(text)
}

/// Returns the remark for a failure of cargo without a failed ensemble.
fn other_failure() -> Remark {
    Remark {
        fails: true,
        text: "no ensemble failed, but the build or another test did; see the job's log".to_owned(),
        file: None,
        command: None,
    }
}
