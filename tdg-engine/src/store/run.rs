//! A run, as the store records it.

use super::decision::Decision;
use super::run_facts::RunFacts;
use crate::ensemble::Ensemble;
use crate::test_id::TestId;

/// A run, as the store records it.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// The test.
    pub test: &'a TestId,
    /// The function that ran.
    pub claim: Claim<'a>,
    /// What is known of it.
    pub facts: RunFacts,
    /// The benchmark that the run was compared with, or recorded. `None` if there is none
    /// ([`Verdict::Missing`](crate::Verdict::Missing)) or it could not be read: no assertion is
    /// added.
    pub benchmark: Option<Expected<'a>>,
    /// The policy of the test as [JSON](tdg_definition::Policy::to_json). If the run passes, it is
    /// kept with the benchmark, else with the pending change.
    pub policy: Option<&'a str>,
    /// What happens to the pending change.
    pub pending: PendingUpdate<'a>,
    /// The decision, if the run recorded its benchmark.
    pub decision: Option<&'a Decision>,
}

impl Run<'_> {
    /// Whether the run changes nothing but the history, if the store knows its benchmark already.
    #[cfg(feature = "sqlite-system")]
    pub(super) fn only_extends_history(&self) -> bool {
        self.facts.verdict.passes()
            && self.decision.is_none()
            && matches!(self.pending, PendingUpdate::Clear)
    }
}

/// Returns true if a test has lost its snapshot file: by `git mv`, if its benchmark is that of the
/// test that runs.
pub type RenamedFrom<'a> = &'a dyn Fn(&TestId) -> bool;

/// The function of a test, to detect two functions with the same identity.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// The function with its place: `src/pricing.rs:12 shop::pricing::tests::total`.
    pub function: &'a str,
    /// The identifier that all processes of a run share (nextest's `NEXTEST_RUN_ID`). Without it,
    /// processes can't know that they belong together, and nothing is checked.
    pub run: Option<&'a str>,
}

/// Expected outputs: those of a benchmark or of a pending change.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// The ensemble.
    pub ensemble: &'a Ensemble,
    /// The rows as JSON, if no snapshot file has them.
    pub vectors: Option<&'a str>,
    /// The outputs as a JSON array with an element for each row.
    pub outputs: &'a str,
}

/// What a run does to the pending change of its test.
#[derive(Clone, Copy, Debug)]
pub enum PendingUpdate<'a> {
    /// Keeps it: the run can't tell (it panicked, was unstable, …).
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
        /// [text](crate::output::RecordedOutputs::to_text); `None` if the rows of the change are
        /// the benchmark's.
        recorded_outputs: Option<&'a str>,
        /// Whether the run fails, with a report that shows the change.
        is_reported: bool,
    },
}

/// The benchmark before another one that came from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacedBenchmark {
    /// The outputs as JSON.
    pub outputs: String,
    /// The commit of the newest run with it that was made here.
    pub commit: Option<String>,
}
