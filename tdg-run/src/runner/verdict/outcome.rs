//! The outcome of a run.

use tdg_engine::results::ExploredRun;
use tdg_report::Failure;

use super::judgement::Judgement;

/// The outcome of a run.
pub(crate) enum RunOutcome {
    /// All cases ran and were judged.
    Judged(JudgedRun),
    /// Only the chosen cases ran. Nothing of that is recorded.
    Chosen {
        failure: Option<Failure>,
        cases: usize,
    },
    /// The run could not be judged.
    Invalid(Failure),
}

/// A run whose cases were judged.
pub(crate) struct JudgedRun {
    pub(crate) judgement: Judgement,
    /// The outputs that need a decision, if results are collected.
    pub(crate) undecided: Option<Undecided>,
    /// True if `cargo insta test` lets the test pass, because it reports pending changes itself.
    pub(crate) passes_under_insta: bool,
    /// The failure of a test whose cases pass.
    pub(crate) beside: Option<Failure>,
    /// The rows of another seed or size, if any.
    pub(crate) explored: Option<ExploredRun>,
}

/// Outputs of a run that need a decision.
pub(crate) struct Undecided {
    /// The outputs as a snapshot file.
    pub(crate) actual: String,
    /// The outputs on the benchmark's own rows, if the inputs changed.
    pub(crate) recorded: Option<String>,
}

impl RunOutcome {
    /// Returns the failure of the test, or `None` if it passes.
    pub(crate) fn failure(&self) -> Option<&Failure> {
        match self {
            RunOutcome::Judged(run) => {
                let failure = run.judgement.failure().or(run.beside.as_ref());
                failure.filter(|_| !run.passes_under_insta)
            }
            RunOutcome::Chosen { failure, .. } => failure.as_ref(),
            RunOutcome::Invalid(failure) => Some(failure),
        }
    }
}
