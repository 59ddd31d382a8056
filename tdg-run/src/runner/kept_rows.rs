//! The results of the kept rows.

use tdg_engine::Verdict;
use tdg_engine::snapshot::KeptCase;
use tdg_report::Failure;

/// The results of the kept rows.
#[derive(Default)]
pub(super) struct KeptRows {
    /// The failure of the test, if any.
    pub(super) failure: Option<Failure>,
    /// The benchmark's kept rows after the run.
    pub(super) recorded: Vec<KeptCase>,
    /// The number of outputs that this run writes, with the verdict.
    pub(super) written: Option<(Verdict, usize)>,
    /// The benchmark's kept rows after the changes are accepted.
    pub(super) pending: Option<Vec<KeptCase>>,
}
