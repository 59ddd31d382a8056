//! What a run tells the store.

use crate::ensemble::Ensemble;
use crate::test_id::TestId;
use crate::verdict::Verdict;

/// What a run has to say to the store.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// Which test ran.
    pub test: &'a TestId,
    /// Who says so.
    pub claim: Claim<'a>,
    /// What the run came to.
    pub verdict: Verdict,
    /// How many cases ran.
    pub cases: usize,
    /// How many of them differ from the benchmark.
    pub changed: usize,
    /// The largest share of the tolerance that a case used, where there is a tolerance: 1 is all of it.
    pub tolerance_use: Option<f64>,
    /// The benchmark that the run was compared with, or recorded. None: there is none
    /// ([`Verdict::Missing`]), or it could not be read; then there is nothing to add an assertion to.
    pub benchmark: Option<Expected<'a>>,
    /// What becomes of the pending change.
    pub pending: PendingUpdate<'a>,
    /// Why the benchmark was recorded, if somebody said so.
    pub reason: Option<&'a str>,
}

/// Which function stands behind a test, so that two of one identity are noticed.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// The function, in words that find it: `src/pricing.rs:12 shop::pricing::tests::total`.
    pub function: &'a str,
    /// What names the whole run for all processes of it (nextest's `NEXTEST_RUN_ID`). Without it two
    /// processes can't know that they belong together, and nothing is checked.
    pub run: Option<&'a str>,
}

/// Expected outputs: a benchmark's, or those of a change that would become one.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// The rows they belong to.
    pub ensemble: &'a Ensemble,
    /// The rows as JSON, only where no snapshot file holds them.
    pub vectors: Option<&'a str>,
    /// The outputs as a JSON array, one for each row.
    pub outputs: &'a str,
}

/// What a run does to the pending change of its test.
#[derive(Clone, Copy, Debug)]
pub enum PendingUpdate<'a> {
    /// Nothing: the run could not tell (it panicked, it was unstable, …).
    Keep,
    /// Whatever is pending is settled.
    Clear,
    /// This is the change that somebody has to decide about.
    Set {
        /// What would become the benchmark.
        outputs: Expected<'a>,
        /// How the test compares outputs, as a [policy's JSON](crate::compare::Policy::to_json): for
        /// whoever looks at the change.
        policy: Option<&'a str>,
    },
}
