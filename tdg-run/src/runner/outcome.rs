//! How a run ended.

use tdg_report::Failure;
use tdg_engine::results::ExploredRun;

use super::judgement::Judgement;

/// How a run ended.
pub(super) enum RunOutcome {
    /// All cases ran and were judged.
    Judged(JudgedRun),
    /// Only the chosen cases ran; nothing is recorded of that.
    Chosen {
        failure: Option<Failure>,
        cases: usize,
    },
    /// The run could not be judged.
    Invalid(Failure),
}

/// A run whose cases were judged.
pub(super) struct JudgedRun {
    pub(super) judgement: Judgement,
    /// What there is to decide, where results are asked for.
    pub(super) undecided: Option<Undecided>,
    /// Whether `cargo insta test` lets the test pass: it reports pending changes itself.
    pub(super) passes_under_insta: bool,
    /// Why the test fails although its cases pass.
    pub(super) beside: Option<Failure>,
    /// The rows of another seed or size, if there were any.
    pub(super) explored: Option<ExploredRun>,
}

/// The outputs of a run that somebody has to decide about.
pub(super) struct Undecided {
    /// As a snapshot file.
    pub(super) actual: String,
    /// On the benchmark's own rows, if the inputs changed.
    pub(super) recorded: Option<String>,
}

impl RunOutcome {
    /// Why the test fails, unless it passes.
    pub(super) fn failure(&self) -> Option<&Failure> {
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
