//! The run: the only place that knows all the others.
//!
//! ```text
//! plan -> rows -> cases -> judge -> keep -> report
//! ```

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
mod show;

use std::fmt;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Instant;

use crate::ensemble_test::EnsembleTest;
use cases::Ran;
use judge::{Judgement, Trial};
use plan::Plan;
use rows::Rows;
use tdg_definition::json;
use tdg_engine::Test;
use tdg_engine::Verdict;
use tdg_engine::compare::unmatched;
use tdg_engine::config::process_environment;
use tdg_engine::report::{self, Failure, Invalid, Pending, Report};
use tdg_engine::results::{self, TestRun};
use tdg_engine::snapshot::Snapshot;

pub(crate) use cases::Function;

/// How a run ended.
struct Ended {
    verdict: Verdict,
    changed: usize,
    tolerance_use: Option<f64>,
    /// The failure, if there is one that is not to pass.
    failure: Option<Failure>,
    /// The outputs as a snapshot file, where somebody listens and has to decide about them.
    actual: Option<String>,
}

/// Runs a test to its end.
///
/// # Errors
/// What a failing test says.
pub(crate) fn run(test: &EnsembleTest, function: &Function<'_>) -> Result<(), Box<Report>> {
    let started = Instant::now();
    let plan = Plan::of(test, &process_environment);
    let ended = match &plan {
        Ok(plan) => run_plan(plan, function),
        Err(invalid) => Err(invalid.clone()),
    };
    let ended = ended.unwrap_or_else(Ended::invalid);
    let report = ended.failure.as_ref().map(|failure| {
        Box::new(Report {
            test: plan::test_name(test),
            command: plan::command(test),
            failure: failure.clone(),
        })
    });
    if let Some(report) = &report {
        say(&report::line(report));
    }
    if let Some(directory) = results::directory() {
        let told = tell(
            test,
            plan.as_ref().ok(),
            &ended,
            report.as_deref(),
            started,
            &directory,
        );
        if let Err(error) = told {
            say(&format!(
                "tdg: {} can't be written: {error}",
                results::VARIABLE
            ));
        }
    }
    match report {
        Some(report) => Err(report),
        None => Ok(()),
    }
}

/// Adds a run of all cases to the results.
fn tell(
    test: &EnsembleTest,
    plan: Option<&Plan>,
    ended: &Ended,
    report: Option<&Report>,
    started: Instant,
    directory: &Path,
) -> io::Result<()> {
    if plan.is_some_and(|plan| plan.cases.is_some()) {
        return Ok(());
    }
    let unplanned = || Test {
        package: test.site.package.to_owned(),
        source: test.site.file.to_owned(),
        name: plan::test_name(test),
    };
    let actual = ended.actual.as_ref();
    let run = TestRun {
        test: plan.map_or_else(unplanned, |plan| plan.test.clone()),
        snapshot: plan.and_then(|plan| plan.file.clone()),
        verdict: ended.verdict,
        cases: test.size,
        changed: ended.changed,
        tolerance_use: ended.tolerance_use,
        took: started.elapsed(),
        report: report.map(ToString::to_string),
        policy: plan.map(|plan| plan.policy.clone()),
        actual: actual
            .map(|text| results::save_actual(directory, text))
            .transpose()?,
    };
    run.add_to(directory)
}

impl Ended {
    fn invalid(invalid: Invalid) -> Self {
        Self {
            verdict: Verdict::Invalid,
            changed: 0,
            tolerance_use: None,
            failure: Some(Failure::Invalid(invalid)),
            actual: None,
        }
    }
}

fn run_plan(plan: &Plan, function: &Function<'_>) -> Result<Ended, Invalid> {
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
        return Ok(Ended {
            verdict: Verdict::Same,
            changed: 0,
            tolerance_use: None,
            failure: show::show(plan, function, &rows, benchmark.as_ref(), cases)?,
            actual: None,
        });
    }
    run_all(plan, function, &rows, benchmark.as_ref())
}

/// Runs all cases, judges them, keeps what is to be kept, and says what is worth a line.
fn run_all(
    plan: &Plan,
    function: &Function<'_>,
    rows: &Rows,
    benchmark: Option<&Snapshot>,
) -> Result<Ended, Invalid> {
    let all: Vec<usize> = (0..rows.vectors.size()).collect();
    let ran = cases::run(function, &rows.vectors, &all, plan.manner)?;
    let trial = Trial {
        plan,
        function,
        rows,
        ran: &ran,
        pending: keep::pending_place(plan)?,
    };
    let judgement = trial.judge(benchmark)?;
    keep::keep(plan, rows, &ran.outputs, &judgement, benchmark)?;
    say_notices(plan, &ran, &judgement);
    let waits = matches!(
        judgement.failure,
        Some(Failure::Changed(_) | Failure::InputsChanged(_) | Failure::Missing(_))
    );
    let actual = (waits && results::directory().is_some())
        .then(|| keep::snapshot_text(plan, rows, &ran.outputs));
    Ok(Ended {
        verdict: judgement.verdict,
        changed: judgement.changed,
        tolerance_use: judgement.tolerance_use,
        failure: passed_by_insta(plan, judgement),
        actual,
    })
}

/// What is worth a line although the test may pass.
fn say_notices(plan: &Plan, ran: &Ran, judgement: &Judgement) {
    let size = ran.outputs.len();
    if judgement.verdict == Verdict::Recorded {
        let file = plan.file.as_ref().map(|file| plan.shown(file));
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
            size,
            plan.policy.allowed_share(),
        ));
    }
    // Somebody looks at these runs; the others are not to be slowed down.
    if matches!(judgement.verdict, Verdict::Recorded | Verdict::Changed) {
        let mut outputs = (0..size).map_while(|case| json::parse(ran.outputs.get(case)).ok());
        for pointer in unmatched(&plan.policy, &mut outputs) {
            say(&report::unmatched_line(&plan.test.name, &pointer));
        }
    }
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

/// What to do about a snapshot file that is not as a run has written it.
const RESTORE: &str = "restore the file from version control, or delete it to record anew";

fn invalid(reason: impl fmt::Display, fix: impl Into<String>) -> Invalid {
    Invalid {
        reason: reason.to_string(),
        fix: fix.into(),
    }
}
