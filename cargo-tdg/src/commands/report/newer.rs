//! Runs of tests after `cargo tdg test`, with another outcome than it reports.

use tdg_engine::TestId;
use tdg_engine::store::HistoryEntry;

use crate::record::{RecordedTest, RecordedTests};
use crate::results::TestRun;
use crate::terminal::{counted, time};

/// The most runs among which one of this machine is looked for.
const RUNS: usize = 20;

/// A run after those of the report.
pub(super) struct NewerRun {
    pub(super) test: TestId,
    /// Microseconds since 1970 UTC.
    pub(super) time: i64,
    pub(super) verdict: &'static str,
    pub(super) changed: u64,
    pub(super) cases: u64,
}

impl NewerRun {
    /// The newest run of each test in the store, where it ended otherwise after that time. A store
    /// that can't be read has none: the runs have said so.
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

    /// `2026-03-01 12:00:05 UTC, total: changed, 46 of 200 cases; not in this report`.
    pub(super) fn text(&self) -> String {
        let (name, verdict) = (&self.test.name, self.verdict);
        let cases = counted(self.cases as usize, "case");
        let cases = match self.changed {
            0 => cases,
            changed => format!("{changed} of {cases}"),
        };
        let time = time(self.time);
        format!(
            "not in this report is a newer run of {name}, of {time} UTC: {verdict}, {cases}; run \
             `cargo tdg test` again"
        )
    }
}

/// The newest run of a test that was made here.
fn newest(record: &RecordedTest) -> Option<HistoryEntry> {
    let store = record.store().ok()??;
    let history = record.history(&store, RUNS).ok()?;
    history.into_iter().find(|entry| entry.origin.is_none())
}
