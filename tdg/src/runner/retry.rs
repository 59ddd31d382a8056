//! A retry of nextest that passes: an attempt before it failed, and nobody looks at it any more.

use tdg_engine::config::Environment;
use tdg_engine::report;
use tdg_engine::snapshot::Snapshot;

use super::finished::FinishedRun;
use super::persist;
use super::plan::Plan;

/// The attempt that a run is, if it is not the first.
#[derive(Clone, Copy)]
pub(super) struct Retry {
    pub(super) attempt: usize,
    /// How many there may be.
    attempts: usize,
}

impl Retry {
    /// nextest sets the variables for each test.
    pub(super) fn of(environment: Environment<'_>) -> Option<Self> {
        let number = |name| environment(name)?.to_str()?.parse().ok();
        let attempt = number("NEXTEST_ATTEMPT").filter(|&attempt| attempt > 1)?;
        Some(Self {
            attempt,
            attempts: number("NEXTEST_TOTAL_ATTEMPTS").unwrap_or(attempt),
        })
    }

    /// The line about a run that passes, before it removes the outputs that are pending.
    pub(super) fn line(self, run: &FinishedRun<'_>) -> String {
        let differing = was_pending(run).unwrap_or_default();
        self.line_about(run.plan, &differing)
    }

    /// The line about a run that passes; `differing` are the cases whose pending outputs are
    /// others.
    pub(super) fn line_about(self, plan: &Plan, differing: &[usize]) -> String {
        let (name, cases) = (&plan.test.name, plan.size);
        report::retried_line(name, self.attempt, self.attempts, differing, cases)
    }
}

/// The cases whose pending outputs are others; nothing if none are pending on these rows.
fn was_pending(run: &FinishedRun<'_>) -> Option<Vec<usize>> {
    let plan = run.plan;
    // Otherwise it is not of an attempt of this run.
    if !plan.settings.may_write() {
        return None;
    }
    let file = persist::pending_file(plan).ok()??;
    let pending = Snapshot::read(&file).ok()??;
    if pending.ensemble().digest != run.ensemble.digest {
        return None;
    }
    let differing = pending.differing(run.outputs, &plan.policy);
    let cases = differing.ok()?.cases.into_iter();
    Some(cases.map(|differing| differing.case).collect())
}
