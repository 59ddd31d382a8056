//! The headline of reports.

use crate::results::{Circumstances, TestRun};
use crate::terminal::counted;

/// Returns `3 of 8 ensembles failed`, with other failures of `cargo tdg test`.
pub(super) fn headline<'r>(
    circumstances: &Circumstances,
    runs: impl IntoIterator<Item = &'r TestRun>,
) -> String {
    let headline = of_runs(runs);
    match circumstances.remarks.iter().any(|remark| remark.fails) {
        true => format!("failed; {headline}"),
        false => headline,
    }
}

fn of_runs<'r>(runs: impl IntoIterator<Item = &'r TestRun>) -> String {
    let passes: Vec<bool> = runs.into_iter().map(|run| run.verdict.passes()).collect();
    let failed = passes.iter().filter(|passes| !**passes).count();
    match (passes.len(), failed) {
        (0, _) => "no ensemble test ran".to_owned(),
        (all, 0) => format!("{} passed", counted(all, "ensemble")),
        (all, failed) => format!("{failed} of {all} ensembles failed"),
    }
}
