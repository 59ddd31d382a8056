//! `cargo tdg sync verify`: checks that both places are equal and their content is intact.

use clap::Args;
use tdg_service::record::RecordKind;
use tdg_service::sync::Direction;
use tdg_service::{Repair, Uuid};

use super::comparison::RecordComparison;
use super::content::CheckedContent;
use super::failing_tests::SentRuns;
use super::kinds::plural;
use super::places::SyncPlaces;
use super::progress::Telling;
use super::selected_tests::{SelectedTests, Tests};
use super::session::Session;
use crate::error::Result;
use crate::exit::Exit;
use crate::terminal::style::{BAD, GOOD, STRONG};
use crate::terminal::{print, thousands};

/// Compare all records of both places, read all but the assertions, and draw all rows again
///
/// Exits with 1 if the places differ, or if something is damaged.
#[derive(Args, Debug)]
pub(super) struct Verify {
    #[command(flatten)]
    tests: SelectedTests,
    /// Synchronise what differs, and list what that doesn't repair; damaged benchmarks in the store
    /// are fetched from the server again
    #[arg(long)]
    repair: bool,
}

impl Verify {
    pub(super) fn run(self) -> Result<Exit> {
        let telling = Telling::new(false);
        self.tests.each_root(|workspace, root, tests| {
            let session = Session::open(workspace, root)?;
            if self.repair {
                session.check_scopes(Direction::Sync)?;
            }
            let mut places = SyncPlaces::new(&session);
            places.here = places.here.reading_all();
            if self.repair {
                repair(&places, tests)?;
            }
            let compared = places.compare(tests, telling)?;
            let [here, there] = telling.during("reading", |_| places.content())?;
            let mut text = differences(&compared);
            let mut exit = Exit::Fine;
            for (place, checked) in [("here", &here), ("there", &there)] {
                for fault in damage(&places, checked)?.iter().chain(&checked.faults) {
                    text.push_str(&format!("{BAD}{place}{BAD:#}: {fault}\n"));
                    exit = Exit::Found;
                }
            }
            print(&text)?;
            exit = exit.max(places.name_incomplete(tests)?);
            if compared.differing() == (0, 0) {
                return Ok(exit);
            }
            if !self.repair {
                return Ok(Exit::Found);
            }
            let Some(direction) = intact(&here, &there) else {
                return Ok(Exit::Found);
            };
            let plan = places.plan(direction, tests);
            let summary = places.synchronise(&plan, telling, &mut SentRuns::default())?;
            let report = places.report(&summary, &plan)?;
            print(&report.text())?;
            Ok(exit.max(report.exit()))
        })
    }
}

/// Returns the direction that doesn't spread faulty rows.
fn intact(here: &CheckedContent, there: &CheckedContent) -> Option<Direction> {
    match (here.faults.is_empty(), there.faults.is_empty()) {
        (true, true) => Some(Direction::Sync),
        (false, true) => Some(Direction::Pull),
        (true, false) => Some(Direction::Push),
        (false, false) => None,
    }
}

/// Returns a line for each kind whose records differ.
pub(super) fn differences(compared: &RecordComparison) -> String {
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

/// Repairs benchmarks that are damaged in the store.
fn repair(places: &SyncPlaces<'_>, tests: &Tests) -> Result<()> {
    for (test, repair) in places.here.repair_damaged(tests.as_ref(), &places.there)? {
        let (what, how) = match repair {
            Repair::Restored => ("repaired", "from the server"),
            Repair::Removed => ("removed", "with its runs and decisions"),
        };
        let package = &test.package;
        print(&format!(
            "{STRONG}{what}{STRONG:#}: a damaged benchmark of {package}::{test} in the store, {how}\n"
        ))?;
    }
    Ok(())
}

/// Describes damaged content.
fn damage(places: &SyncPlaces<'_>, checked: &CheckedContent) -> Result<Vec<String>> {
    let sentence = |(kind, uuid): &(RecordKind, Uuid)| {
        let tests = places.tests_of(*uuid)?;
        let tests = tests.map(|tests| format!(" of {tests}"));
        let tests = tests.unwrap_or_default();
        Ok(format!(
            "the {kind} {uuid}{tests} is damaged, so it is never sent: restore a backup, and push \
             what that lacks"
        ))
    };
    checked.damaged.iter().map(sentence).collect()
}
