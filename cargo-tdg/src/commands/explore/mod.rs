//! `cargo tdg explore`: runs the tests with one seed after another until a row fails.

mod attribute;
mod run;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::time::{Duration, Instant};

use clap::Args;
use tdg_engine::config::random_seed;
use tdg_engine::snapshot::save;
use tdg_report::raw_string;

use super::runner::TestRunner;
use crate::error::{Context as _, Error, Result};
use crate::exit::Exit;
use crate::results::TestRun;
use crate::terminal::style::{BAD, STRONG};
use crate::terminal::{
    PressedKey, ask, clear_progress, confirm, counted, duration, is_interactive, note, parse_time,
    print, show_progress,
};
use crate::workspace::{Packages, Workspace};
use attribute::{RowRefusal, with_row};
use run::{ExploreOutcome, ExploreRunner};

/// Run tests on other rows, until a row fails or time runs out
///
/// Each run uses a different seed. A failing row is simplified, and can be kept in the test's
/// attribute, so that every run of the test includes it. Arguments after the options of `cargo tdg
/// explore` are passed on to `cargo test`: `cargo tdg explore -p shop total`. Exits with 1 if a row
/// fails, and with 2 if the tests already fail on their own rows.
#[derive(Args, Debug)]
pub(crate) struct Explore {
    #[command(flatten)]
    packages: Packages,
    /// How long to explore, such as 90 or 90s, 5m or 1h; the last run is finished
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "60s")]
    time: Duration,
    /// The maximum number of runs
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    runs: Option<u64>,
    /// The seed of the first run; each later run adds 1 (default: random)
    #[arg(long)]
    seed: Option<u64>,
    /// The number of rows of each run (default: as many as an ensemble can have)
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    size: Option<u64>,
    /// Write the failing row into the test's attribute without asking
    #[arg(long)]
    keep: bool,
    #[command(flatten)]
    runner: TestRunner,
    /// Arguments for `cargo test`
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGUMENTS"
    )]
    arguments: Vec<OsString>,
}

/// The totals of an exploration.
#[derive(Default)]
struct ExploredTotals {
    runs: u64,
    rows: usize,
    tests: BTreeSet<String>,
}

impl ExploredTotals {
    fn add(&mut self, runs: &[TestRun]) {
        self.runs += 1;
        for run in runs {
            if let Some(explored) = &run.explored {
                self.rows += explored.rows;
                self.tests.insert(run.test.to_string());
            }
        }
    }

    fn text(&self) -> String {
        let (rows, tests) = (self.rows, counted(self.tests.len(), "test"));
        format!(
            "{} of {tests} in {}",
            counted(rows, "row"),
            counted(self.runs as usize, "run")
        )
    }
}

impl Explore {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let runner = ExploreRunner::new(&workspace, &self.packages, self.runner, &self.arguments)?;
        runner.build()?;
        let started = Instant::now();
        let first_seed = self.seed.unwrap_or_else(random_seed);
        let mut explored = ExploredTotals::default();
        let mut size = self.size.map(|size| size.to_string());
        loop {
            let seed = first_seed.wrapping_add(explored.runs);
            let is_first = explored.runs == 0;
            let outcome = runner.explore(seed, size.as_deref(), is_first)?;
            let (failing, runs) = match outcome {
                ExploreOutcome::Passed(runs) => (None, runs),
                ExploreOutcome::Found(failing, runs) => (Some(failing), runs),
            };
            explored.add(&runs);
            if let Some(failing) = failing {
                clear_progress();
                return self.found(&workspace, &failing);
            }
            if explored.rows == 0 {
                return Err(Error::new(
                    "no ensemble test explored rows; are there tests with that name, and do they \
                     draw their rows?",
                ));
            }
            // The time that the tests took, without waiting for other builds.
            let took: Duration = runs.iter().map(|it| it.took).sum();
            if is_first && size.is_none() && took * 20 < self.time {
                size = Some("max".to_owned());
            }
            if started.elapsed() >= self.time || self.runs == Some(explored.runs) {
                break;
            }
            let time = duration(started.elapsed());
            show_progress(&format!("{}, {time}", explored.text()));
        }
        clear_progress();
        let last_seed = first_seed.wrapping_add(explored.runs - 1);
        print(&format!(
            "No row failed: {}, seeds {first_seed} to {last_seed}.\n",
            explored.text()
        ))?;
        Ok(Exit::Fine)
    }

    /// Prints failing rows and offers to keep them.
    fn found(&self, workspace: &Workspace, failing: &[TestRun]) -> Result<Exit> {
        for run in failing {
            let report = run.report.as_deref().unwrap_or_default();
            print(&format!("{BAD}failed{BAD:#} {report}\n"))?;
            let row = run.explored.as_ref().and_then(|it| it.keep.as_deref());
            if let Some(row) = row {
                self.offer_to_keep(workspace, run, row)?;
            }
        }
        Ok(Exit::Found)
    }

    fn offer_to_keep(&self, workspace: &Workspace, run: &TestRun, row: &str) -> Result<()> {
        let file = workspace
            .package(&run.test.package)?
            .directory
            .join(&run.test.source);
        let shown = workspace.display_path(&file);
        if !self.keep {
            if !is_interactive() {
                return Ok(());
            }
            let question = format!("{STRONG}Keep{STRONG:#} the row in {shown}? (y/n) ");
            if ask(&question)? != PressedKey::Character('y') {
                return Ok(());
            }
        }
        let source = fs::read_to_string(&file).context(&shown)?;
        match with_row(&source, run.line as usize, row) {
            Ok(with_row) => {
                // Follows a symbolic link and replaces its target.
                save(&file.canonicalize()?, &with_row)?;
                confirm(&format!("Kept the row in {shown}, line {}.\n", run.line))?;
            }
            Err(RowRefusal::Kept) => confirm(&format!("The row is kept in {shown} already.\n"))?,
            Err(RowRefusal::NoAttribute) => note(&format!(
                "{shown}, line {}, has no attribute to write into; add the row yourself: \
                 keep = [{row}] in an attribute, or .keep([{row}])",
                run.line,
                row = raw_string(row)
            )),
        }
        Ok(())
    }
}
