//! Runs after `cargo tdg test` with an outcome that differs from its report.

use tdg_engine::TestId;
use tdg_engine::store::HistoryEntry;

use crate::record::{RecordedTest, RecordedTests};
use crate::results::TestRun;
use crate::terminal::{counted, time};

/// The number of recent runs to search for one of this machine.
const RUNS: usize = 20;

/// A run that is newer than the report.
pub(super) struct NewerRun {
    pub(super) test: TestId,
    /// Microseconds since 1970 UTC.
    pub(super) time: i64,
    pub(super) verdict: &'static str,
    pub(super) changed: u64,
    pub(super) cases: u64,
}

impl NewerRun {
    /// Returns the newest run of each test if it is later and has another outcome. An unreadable
    /// store counts as empty; the runs have reported it.
    pub(super) fn all_of(records: &RecordedTests, runs: &[TestRun], ended: i64) -> Vec<Self> {
        let newer = runs.iter().filter_map(|run| {
            let newest = newest(records.of_test(&run.test)?)?;
            let facts = newest.facts.as_ref()?;
            let outcome = |passes: bool, changed: u64| (passes, changed);
            let is_other = outcome(facts.verdict.passes(), facts.changed)
                != outcome(run.verdict.passes(), run.changed as u64);
            (newest.timestamp > ended && is_other).then(|| Self {
                test: run.test.clone(),
                time: newest.timestamp,
                verdict: facts.verdict.as_str(),
                changed: facts.changed,
                cases: facts.cases,
            })
        });
        newer.collect()
    }

    /// Returns a sentence such as `this report lacks a newer run of total, …`.
    pub(super) fn text(&self) -> String {
        let (name, verdict) = (&self.test.name, self.verdict);
        let cases = counted(self.cases as usize, "case");
        let cases = match self.changed {
            0 => cases,
            changed => format!("{changed} of {cases}"),
        };
        let time = time(self.time);
        format!(
            "this report lacks a newer run of {name}, of {time} UTC: {verdict}, {cases}; run \
             `cargo tdg test` again"
        )
    }
}

/// Returns the newest run of a test on this machine.
fn newest(record: &RecordedTest) -> Option<HistoryEntry> {
    let store = record.store().ok()??;
    let history = record.history(&store, RUNS).ok()?;
    history.into_iter().find(|entry| entry.origin.is_none())
}
