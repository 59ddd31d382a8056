//! The headline of reports.

use crate::results::TestRun;
use crate::terminal::counted;

/// `3 of 8 ensembles failed`.
pub(super) fn headline<'r>(runs: impl IntoIterator<Item = &'r TestRun>) -> String {
    let passes: Vec<bool> = runs.into_iter().map(|run| run.verdict.passes()).collect();
    let failed = passes.iter().filter(|passes| !**passes).count();
    match (passes.len(), failed) {
        (0, _) => "no ensemble test ran".to_owned(),
        (all, 0) => format!("{} passed", counted(all, "ensemble")),
        (all, failed) => format!("{failed} of {all} ensembles failed"),
    }
}
