//! A run, as stored.

use super::decision::Decision;
use super::run_facts::RunFacts;
use crate::ensemble::Ensemble;
use crate::test_id::TestId;

/// A run, as stored.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// The test.
    pub test: &'a TestId,
    /// The function that ran.
    pub claim: Claim<'a>,
    /// The facts of the run.
    pub facts: RunFacts,
    /// The benchmark that the run was compared with, or recorded. `None` if it is missing
    /// ([`Verdict::Missing`](crate::Verdict::Missing)) or unreadable; no assertion is then added.
    pub benchmark: Option<Expected<'a>>,
    /// The policy of the test as [JSON](tdg_definition::Policy::to_json). It is stored with the
    /// benchmark if the run passes, else with the pending change.
    pub policy: Option<&'a str>,
    /// The effect on the pending change.
    pub pending: PendingUpdate<'a>,
    /// The decision, if the run recorded its benchmark.
    pub decision: Option<&'a Decision>,
}

impl Run<'_> {
    /// Returns true if the run only extends the history, provided that the store has its benchmark.
    #[cfg(feature = "sqlite-system")]
    pub(super) fn only_extends_history(&self) -> bool {
        self.facts.verdict.passes()
            && self.decision.is_none()
            && matches!(self.pending, PendingUpdate::Clear)
    }
}

/// Returns true if a test has lost its snapshot file: renamed by `git mv`, if the running test has
/// the same benchmark.
pub type RenamedFrom<'a> = &'a dyn Fn(&TestId) -> bool;

/// The function of a test, used to detect two functions with the same identity.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// The function with its location: `src/pricing.rs:12 shop::pricing::tests::total`.
    pub function: &'a str,
    /// The identifier shared by all processes of a run (nextest's `NEXTEST_RUN_ID`). Without it,
    /// processes can't recognize each other, and nothing is checked.
    pub run: Option<&'a str>,
}

/// The expected outputs of a benchmark or of a pending change.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// The ensemble.
    pub ensemble: &'a Ensemble,
    /// The rows as JSON, if no snapshot file has them.
    pub vectors: Option<&'a str>,
    /// The outputs as a JSON array with an element for each row.
    pub outputs: &'a str,
}

/// The effect of a run on the pending change of its test.
#[derive(Clone, Copy, Debug)]
pub enum PendingUpdate<'a> {
    /// Keeps it, since the run was inconclusive (it panicked, was unstable, …).
    Keep,
    /// Removes it.
    Clear,
    /// Replaces it.
    Set {
        /// The future benchmark.
        outputs: Expected<'a>,
        /// The names of the features that the function takes, as a JSON array; `None` if it takes
        /// all of them.
        takes: Option<&'a str>,
        /// The outputs of this run on the rows of the benchmark, as
        /// [text](crate::output::RecordedOutputs::to_text); `None` if the change has the same rows.
        recorded_outputs: Option<&'a str>,
        /// True if the run fails with a report that shows the change.
        is_reported: bool,
    },
}

/// The previous benchmark, if another one arrived from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacedBenchmark {
    /// The outputs as JSON.
    pub outputs: String,
    /// The commit of the newest local run with it.
    pub commit: Option<String>,
}
