//! The results of the kept rows.

use tdg_engine::Verdict;
use tdg_engine::snapshot::KeptCase;
use tdg_report::Failure;

/// The results of the kept rows.
#[derive(Default)]
pub(crate) struct KeptRows {
    /// The failure of the test, if any.
    pub(crate) failure: Option<Failure>,
    /// The benchmark's kept rows after the run.
    pub(crate) recorded: Vec<KeptCase>,
    /// The number of outputs that this run writes, with the verdict.
    pub(crate) written: Option<(Verdict, usize)>,
    /// The benchmark's kept rows after the changes are accepted.
    pub(crate) pending: Option<Vec<KeptCase>>,
}
