//! Retries of nextest that pass after a failed attempt, whose failure would go unnoticed.

use tdg_engine::snapshot::Snapshot;
use tdg_report as report;

use crate::runner::plan::Plan;
use crate::runner::plan::retry::Retry;
use crate::runner::verdict::finished_run::FinishedRun;

/// Returns the line for a run that passes, before it removes the pending outputs.
pub(crate) fn line(retry: Retry, run: &FinishedRun<'_>) -> String {
    let differing = was_pending(run).unwrap_or_default();
    line_about(retry, run.plan, &differing)
}

/// Returns the line for a run that passes. `differing` are the cases whose pending outputs differ.
pub(crate) fn line_about(retry: Retry, plan: &Plan, differing: &[usize]) -> String {
    let (name, cases) = (&plan.test.name, plan.size);
    report::retried_line(name, retry.attempt, retry.attempts, differing, cases)
}

/// Returns the cases whose pending outputs differ, or `None` if none are pending on these rows.
fn was_pending(run: &FinishedRun<'_>) -> Option<Vec<usize>> {
    let plan = run.plan;
    // Otherwise the file isn't from an attempt of this run.
    if !plan.settings.may_write() {
        return None;
    }
    let file = plan.pending_file().ok()??;
    let pending = Snapshot::read(&file).ok()??;
    if pending.ensemble().digest != run.ensemble.digest {
        return None;
    }
    let differing = pending.differing(run.outputs, &plan.policy);
    let cases = differing.ok()?.cases.into_iter();
    Some(cases.map(|differing| differing.case).collect())
}
