//! The run: the only place that knows all the others.
//!
//! ```text
//! plan -> rows -> cases -> judge -> keep -> report
//! ```

#![cfg_attr(
    not(feature = "sqlite-system"),
    expect(
        dead_code,
        reason = "some of what a run finds out is for the history alone"
    )
)]

mod cases;
mod claims;
#[cfg(feature = "remote")]
mod downloads;
#[cfg(feature = "sqlite-system")]
mod history;
#[cfg(not(feature = "sqlite-system"))]
#[path = "without_history.rs"]
mod history;
mod judge;
mod keep;
mod panics;
mod plan;
#[cfg(feature = "remote")]
mod remote;
#[cfg(not(feature = "remote"))]
#[path = "without_remote.rs"]
mod remote;
mod rows;
mod selection;
mod show;

use std::fmt;
use std::io::Write as _;

use crate::config::process_environment;
use crate::ensemble_test::EnsembleTest;
use crate::json;
use crate::report::{self, Failure, Invalid, Pending, Report};
use crate::snapshot::Snapshot;
use crate::verdict::Verdict;
use judge::{Judgement, Trial};
use plan::Plan;
use rows::Rows;

pub(crate) use cases::Function;

/// Runs a test to its end.
///
/// # Errors
/// What a failing test says.
pub(crate) fn run(test: &EnsembleTest, function: &Function<'_>) -> Result<(), Box<Report>> {
    let judged = Plan::of(test, &process_environment).and_then(|plan| run_plan(&plan, function));
    let failure = match judged {
        Ok(None) => return Ok(()),
        Ok(Some(failure)) => failure,
        Err(invalid) => Failure::Invalid(invalid),
    };
    let report = Report {
        test: plan::test_name(test),
        command: plan::command(test),
        failure,
    };
    say(&report::line(&report));
    Err(Box::new(report))
}

/// The failure, if there is one that is not to pass.
fn run_plan(plan: &Plan, function: &Function<'_>) -> Result<Option<Failure>, Invalid> {
    claims::claim(plan)?;
    if let Some(file) = &plan.file {
        plan.settings
            .insta
            .note_use(file)
            .map_err(|error| invalid(format!("INSTA_SNAPSHOT_REFERENCES_FILE: {error}"), ""))?;
    }
    let benchmark = keep::benchmark(plan)?;
    let rows = Rows::obtain(plan, benchmark.as_ref())?;
    if let Some(notice) = &rows.notice {
        say(&format!("tdg: {notice}"));
    }
    if let Some(cases) = &plan.cases {
        return show::show(plan, function, &rows, benchmark.as_ref(), cases);
    }
    let judgement = judge(plan, function, &rows, benchmark.as_ref())?;
    Ok(passed_by_insta(plan, judgement))
}

/// Runs all cases, judges them, and keeps what is to be kept.
fn judge(
    plan: &Plan,
    function: &Function<'_>,
    rows: &Rows,
    benchmark: Option<&Snapshot>,
) -> Result<Judgement, Invalid> {
    let all: Vec<usize> = (0..rows.vectors.size()).collect();
    let ran = cases::run(function, &rows.vectors, &all, plan.manner)
        .map_err(|reason| invalid(reason, ""))?;
    let trial = Trial {
        plan,
        function,
        rows,
        ran: &ran,
        pending: keep::pending_place(plan)?,
    };
    let judgement = trial.judge(benchmark)?;
    keep::keep(plan, rows, &ran.outputs, &judgement, benchmark)?;
    if judgement.verdict == Verdict::Recorded {
        let file = plan.file.as_ref().map(|file| plan.shown(file));
        let size = rows.vectors.size();
        say(&report::recorded_line(
            &plan.test.name,
            size,
            file.as_deref(),
        ));
    }
    if judgement.verdict == Verdict::Same && judgement.changed > 0 {
        say(&report::allowed_line(
            &plan.test.name,
            judgement.changed,
            rows.vectors.size(),
            plan.policy.allowed_share(),
        ));
    }
    // Somebody looks at these runs; the others are not to be slowed down.
    if matches!(judgement.verdict, Verdict::Recorded | Verdict::Changed) {
        let mut outputs = all
            .iter()
            .map_while(|case| json::parse(ran.outputs.get(*case)).ok());
        for pointer in plan.policy.unmatched(&mut outputs) {
            say(&report::unmatched_line(&plan.test.name, &pointer));
        }
    }
    Ok(judgement)
}

/// Under `cargo insta test` a test whose outputs are pending passes: cargo-insta reports what is
/// pending when all tests have run.
fn passed_by_insta(plan: &Plan, judgement: Judgement) -> Option<Failure> {
    let failure = judgement.failure?;
    let pending = match &failure {
        Failure::Changed(changed) => &changed.pending,
        Failure::InputsChanged(changed) => &changed.pending,
        Failure::Missing(missing) => &missing.pending,
        _ => return Some(failure),
    };
    if plan.settings.insta.force_pass() && matches!(pending, Pending::InFile(_)) {
        let (name, verdict) = (&plan.test.name, judgement.verdict);
        say(&format!(
            "tdg: {verdict} {name}, pending; cargo insta lets it pass"
        ));
        return None;
    }
    Some(failure)
}

/// Writes a line to stderr, past the capture of the test harness.
fn say(line: &str) {
    // One write a line, so that those of several tests do not mix. Nobody listens if it fails.
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

fn invalid(reason: impl fmt::Display, fix: impl Into<String>) -> Invalid {
    Invalid {
        reason: reason.to_string(),
        fix: fix.into(),
    }
}
