//! A retry of nextest that passes: an attempt before it failed, and nobody looks at it any more.

use tdg_report as report;
use tdg_engine::snapshot::Snapshot;

use super::finished::FinishedRun;
use super::plan::Plan;
use super::retry::Retry;

/// The line about a run that passes, before it removes the outputs that are pending.
pub(super) fn line(retry: Retry, run: &FinishedRun<'_>) -> String {
    let differing = was_pending(run).unwrap_or_default();
    line_about(retry, run.plan, &differing)
}

/// The line about a run that passes; `differing` are the cases whose pending outputs are
/// others.
pub(super) fn line_about(retry: Retry, plan: &Plan, differing: &[usize]) -> String {
    let (name, cases) = (&plan.test.name, plan.size);
    report::retried_line(name, retry.attempt, retry.attempts, differing, cases)
}

/// The cases whose pending outputs are others; nothing if none are pending on these rows.
fn was_pending(run: &FinishedRun<'_>) -> Option<Vec<usize>> {
    let plan = run.plan;
    // Otherwise it is not of an attempt of this run.
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
