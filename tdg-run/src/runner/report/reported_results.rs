//! The results that `cargo tdg test` collects.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{io, thread};

use tdg_engine::results::{self, TestRun};
use tdg_engine::{TestId, Verdict, checkout};
use tdg_report::{Failure, FailureReport, MadeInputs, WhichRows};

use crate::runner::cases::test_target;
use crate::runner::error::RunError;
use crate::runner::plan::Plan;
use crate::runner::prepare;
use crate::runner::stderr::notice;
use crate::runner::verdict::judgement::Judgement;
use crate::runner::verdict::outcome::RunOutcome;
use crate::test_options::TestOptions;

/// Adds the start of a run to the results that `cargo tdg test` collects, in case its process ends
/// during the run.
pub(crate) fn note_start(test: &TestOptions, against: Option<&str>, plan: &Plan) {
    let (None, Some(directory)) = (&plan.settings.cases, results::directory()) else {
        return;
    };
    let command = test_target::command(&test.site, &thread::current());
    let failure = RunError::new("the process ended during this run, and all its tests with it")
        .hint(format!(
            "to see the row: TDG_CASES=0..{} {command}",
            plan.size
        ))
        .failure();
    let run = TestRun {
        report: Some(report_of(test, &failure, None, Vec::new()).to_string()),
        has_ended: false,
        ..unjudged(test, against, Some(plan))
    };
    notice_unwritten(run.add_to(&directory));
}

/// Adds a run to the results that `cargo tdg test` collects.
pub(crate) fn record_result(
    test: &TestOptions,
    against: Option<&str>,
    plan: Option<&Plan>,
    outcome: &RunOutcome,
    report: Option<&FailureReport>,
    started: Instant,
    directory: &Path,
) -> io::Result<()> {
    if let RunOutcome::Chosen { failure, cases } = outcome {
        let unjudged = unjudged(test, against, plan);
        let run = TestRun {
            verdict: failure.as_ref().map_or(Verdict::Same, Failure::verdict),
            chosen_of: Some(unjudged.cases),
            cases: *cases,
            took: started.elapsed(),
            report: report.map(FailureReport::in_full_width),
            finding: report.and_then(|it| it.failure.finding()),
            ..unjudged
        };
        return run.add_to(directory);
    }
    let judged = match outcome {
        RunOutcome::Judged(run) => Some(run),
        _ => None,
    };
    let judgement = judged.map(|run| &run.judgement);
    let undecided = judged.and_then(|run| run.undecided.as_ref());
    let unjudged = unjudged(test, against, plan);
    let save = |text: &str| results::save(directory, text);
    let run = TestRun {
        verdict: match judged.and_then(|run| run.beside.as_ref()) {
            Some(failure) => failure.verdict(),
            None => judgement.map_or(Verdict::Invalid, Judgement::verdict),
        },
        cases: compared_cases(judgement).unwrap_or(unjudged.cases),
        changed: judgement.map_or(0, |judgement| judgement.changed),
        panicked: match judgement.and_then(Judgement::failure).map(on_recorded_rows) {
            Some(Failure::Panicked(panicked)) => panicked.cases.iter().map(|it| it.case).collect(),
            _ => Vec::new(),
        },
        tolerance_use: judgement.and_then(|judgement| judgement.tolerance_use),
        policy: judgement
            .and_then(|it| it.policy.as_deref().cloned())
            .or(unjudged.policy),
        took: started.elapsed(),
        report: report.map(FailureReport::in_full_width),
        finding: report.and_then(|it| it.failure.finding()),
        cause: report.and_then(|it| it.failure.cause()),
        actual: undecided.map(|it| save(&it.actual)).transpose()?,
        recorded_outputs: undecided
            .and_then(|it| it.recorded.as_deref())
            .map(save)
            .transpose()?,
        explored: judged.and_then(|run| run.explored.clone()),
        ..unjudged
    };
    run.add_to(directory)
}

/// Creates the record of a run that has no result yet.
fn unjudged(test: &TestOptions, against: Option<&str>, plan: Option<&Plan>) -> TestRun {
    let unplanned = || TestId {
        package: test.site.package.to_owned(),
        source: test.site.file.to_owned(),
        name: prepare::test_name(test),
    };
    TestRun {
        test: plan.map_or_else(unplanned, |plan| plan.test.clone()),
        line: test.site.line,
        snapshot: match against {
            Some(_) => None,
            None => plan.and_then(|plan| plan.file.clone()),
        },
        against: against.map(str::to_owned),
        verdict: Verdict::Invalid,
        cases: plan.map_or_else(|| test.drawn_size(), |plan| plan.size),
        chosen_of: None,
        changed: 0,
        panicked: Vec::new(),
        tolerance_use: None,
        took: Duration::ZERO,
        report: None,
        finding: None,
        cause: None,
        failed_before: None,
        policy: plan.map(|plan| plan.policy.clone()),
        actual: None,
        recorded_outputs: None,
        takes: plan.map(Plan::takes).unwrap_or_default(),
        explored: None,
        attempt: plan.and_then(|plan| plan.retry).map_or(1, |it| it.attempt),
        has_ended: true,
    }
}

/// Returns the number of compared cases, if it isn't the run's own number.
fn compared_cases(judgement: Option<&Judgement>) -> Option<usize> {
    match judgement?.failure()? {
        Failure::InputsChanged(inputs) => Some(inputs.recorded.compared()),
        _ => None,
    }
}

/// Returns the failure on the benchmark's rows.
fn on_recorded_rows(failure: &Failure) -> &Failure {
    match failure {
        Failure::InputsChanged(inputs) => match &inputs.failure {
            Some((WhichRows::Recorded, failure)) => failure,
            _ => failure,
        },
        _ => failure,
    }
}

pub(crate) fn report_of(
    test: &TestOptions,
    failure: &Failure,
    made: Option<MadeInputs>,
    dependencies: Vec<String>,
) -> Box<FailureReport> {
    Box::new(FailureReport {
        test: prepare::test_name(test),
        command: test_target::command(&test.site, &thread::current()),
        failure: failure.clone(),
        made,
        dependencies,
    })
}

/// Returns the dependencies that changed since the benchmark was committed, if outputs differ.
pub(crate) fn changed_dependencies(plan: Option<&Plan>, failure: &Failure) -> Vec<String> {
    let file = plan.and_then(|plan| Some((plan, plan.file.as_deref()?)));
    match (file, failure.verdict()) {
        (Some((plan, file)), Verdict::Changed | Verdict::Panicked) => {
            checkout::changed_dependencies(file, &plan.place.package, &plan.test.package)
        }
        _ => Vec::new(),
    }
}

pub(crate) fn notice_unwritten(results: io::Result<()>) {
    if let Err(error) = results {
        notice(&format!("{} can't be written: {error}", results::VARIABLE));
    }
}
