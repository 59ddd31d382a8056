//! `cargo tdg sync verify`: whether both places have the same, and rows are what definitions draw.

use clap::Args;
use tdg_service::sync::Direction;

use super::chosen::ChosenTests;
use super::comparison::Comparison;
use super::progress::Telling;
use super::report::{Report, plural};
use super::rows::CheckedRows;
use super::session::Session;
use crate::error::Result;
use crate::exit::Exit;
use crate::terminal::style::{BAD, GOOD};
use crate::terminal::{print, thousands};

/// Compare all records of both places, and draw all rows again
///
/// Exits with 1 if the places differ, or if rows are not those that were recorded.
#[derive(Args, Debug)]
pub(super) struct Verify {
    #[command(flatten)]
    tests: ChosenTests,
    /// Synchronise what differs, and name what that doesn't repair; of damaged benchmarks, get
    /// again what the server has
    #[arg(long)]
    repair: bool,
}

impl Verify {
    pub(super) fn run(self) -> Result<Exit> {
        let telling = Telling::new(false);
        self.tests.each_root(|workspace, root, tests| {
            let session = Session::of(workspace, root)?;
            if self.repair {
                session.check_scopes(Direction::Sync)?;
            }
            let places = session.places();
            if self.repair {
                for test in places.here.remove_damaged(tests.as_ref())? {
                    let package = &test.package;
                    print(&format!(
                        "{BAD}removed{BAD:#}: a damaged benchmark of {package}::{test} in the store, \
                         with its runs and decisions\n"
                    ))?;
                }
            }
            let compared = places.compare(tests, telling)?;
            let [here, there] = telling.during("drawing rows", |_| places.rows())?;
            print(&(differences(&compared) + &faults(&here, &there)))?;
            let mut exit = places.name_incomplete(tests)?;
            if !here.faults.is_empty() || !there.faults.is_empty() {
                exit = Exit::Found;
            }
            if compared.differing() == (0, 0) {
                return Ok(exit);
            }
            if !self.repair {
                return Ok(Exit::Found);
            }
            let plan = places.plan(Direction::Sync, tests);
            let summary = places.synchronise(&plan, telling)?;
            let report = Report {
                summary: &summary,
                plan: &plan,
                tests: places.refused_tests(&summary)?,
            };
            print(&report.text())?;
            Ok(exit.max(report.exit()))
        })
    }
}

/// A line for each kind of which one place has other records.
pub(super) fn differences(compared: &Comparison) -> String {
    let mut text = String::new();
    for (kind, counts) in &compared.kinds {
        let (here, there) = (counts.only_here, counts.only_there);
        if here + there > 0 {
            text.push_str(&format!(
                "{BAD}{}{BAD:#}: {} only here, {} only there\n",
                plural(*kind),
                thousands(here),
                thousands(there)
            ));
        }
    }
    let all: u64 = compared.kinds.values().map(|counts| counts.both).sum();
    if text.is_empty() {
        text = format!(
            "{GOOD}equal{GOOD:#}: both places have the same records ({})\n",
            thousands(all)
        );
    }
    text
}

/// What is wrong with rows, once if it is wrong in both places.
fn faults(here: &CheckedRows, there: &CheckedRows) -> String {
    let mut text = String::new();
    for (place, checked) in [("here", here), ("there", there)] {
        for fault in &checked.faults {
            text.push_str(&format!("{BAD}{place}{BAD:#}: {fault}\n"));
        }
    }
    text
}
