//! What came of the kept rows.

use tdg_engine::Verdict;
use tdg_report::Failure;
use tdg_engine::snapshot::KeptCase;

/// What came of the kept rows.
#[derive(Default)]
pub(super) struct KeptRows {
    /// Why the test fails.
    pub(super) failure: Option<Failure>,
    /// Those of the benchmark, as the run leaves them.
    pub(super) recorded: Vec<KeptCase>,
    /// How many of their outputs are written by this run, as recorded or accepted ones.
    pub(super) written: Option<(Verdict, usize)>,
    /// Those of the benchmark once somebody accepts the changes.
    pub(super) pending: Option<Vec<KeptCase>>,
}
