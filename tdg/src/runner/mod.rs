//! The run: the only place that knows all the others.
//!
//! ```text
//! prepare -> rows -> cases -> judge -> persist -> report
//! ```
//!
//! Each step takes the data of those before it and returns its own; `backend` is where benchmarks
//! and history are kept.

mod against;
mod backend;
mod calls;
mod cases;
mod chosen;
mod claims;
mod error;
mod exit_guard;
mod explore;
mod finished;
mod fixture;
mod former;
mod function;
mod judge;
mod kept;
mod notes;
mod notice;
mod panics;
mod persist;
mod plan;
mod prepare;
mod recorded;
mod required;
mod retry;
mod rows;
mod rows_file;
mod watchdog;

use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use tdg_engine::config::process_environment;
use tdg_engine::report::{self, CameOutOn, Failure, Pending, Report, WhichRows};
use tdg_engine::results::{self, ExploredRun, TestRun};
use tdg_engine::snapshot::Benchmark;
use tdg_engine::store::RunMark;
use tdg_engine::{TestId, Verdict};

use crate::test_options::TestOptions;
use backend::Backend;
use cases::RunOptions;
use error::Result;
use exit_guard::ExitGuard;
use finished::FinishedRun;
use former::Unrecorded;
use judge::{Judgement, RunContext};
use notice::{notice, print_line};
use plan::Plan;
use rows::Rows;

pub use error::RunError;
pub use fixture::{SetUpError, fixture, shared, with_fixtures};
pub use function::{CallError, Pass, Passed};
pub(crate) use function::{Function, Other, UnderTest};

/// How a run ended.
enum RunOutcome {
    /// All cases ran and were judged.
    Judged {
        judgement: Judgement,
        /// What there is to decide, where results are asked for.
        undecided: Option<Undecided>,
        /// Whether `cargo insta test` lets the test pass: it reports pending changes itself.
        passes_under_insta: bool,
        /// Why the test fails although its cases pass.
        beside: Option<Failure>,
        /// The rows of another seed or size, if there were any.
        explored: Option<ExploredRun>,
    },
    /// Only the chosen cases ran; nothing is recorded of that.
    Chosen(Option<Failure>),
    /// The run could not be judged.
    Invalid(Failure),
}

/// The outputs of a run that somebody has to decide about.
struct Undecided {
    /// As a snapshot file.
    actual: String,
    /// On the benchmark's own rows, if the inputs changed.
    recorded: Option<String>,
}

impl RunOutcome {
    /// Why the test fails, unless it passes.
    fn failure(&self) -> Option<&Failure> {
        match self {
            RunOutcome::Judged {
                judgement,
                passes_under_insta,
                beside,
                ..
            } => {
                let failure = judgement.failure().or(beside.as_ref());
                failure.filter(|_| !passes_under_insta)
            }
            RunOutcome::Chosen(failure) => failure.as_ref(),
            RunOutcome::Invalid(failure) => Some(failure),
        }
    }
}

/// Runs a test to its end.
///
/// # Errors
/// The report of the failing test.
pub(crate) fn run(test: &TestOptions, under_test: &UnderTest<'_>) -> Result<(), Box<Report>> {
    let started = Instant::now();
    let name = prepare::test_name(test);
    let _guard = ExitGuard::new(move || Some(report::end_line(&name)));
    let against = under_test.against.map(|other| other.name);
    let prepared = prepare::prepare(test, &process_environment);
    let (plan, outcome) = match prepared {
        Ok((mut plan, backend)) => {
            note_start(test, against, &plan);
            let outcome = execute(&mut plan, &*backend, under_test);
            (Some(plan), outcome)
        }
        Err(error) => (None, Err(error)),
    };
    let outcome = outcome.unwrap_or_else(|error| RunOutcome::Invalid(error.failure()));
    let report = outcome.failure().map(|failure| report_of(test, failure));
    if let Some(report) = &report {
        print_line(&report::line(report));
    }
    if let Some(directory) = results::directory() {
        let recorded = record_result(
            test,
            against,
            plan.as_ref(),
            &outcome,
            report.as_deref(),
            started,
            &directory,
        );
        notice_unwritten(recorded);
    }
    match report {
        Some(report) => Err(report),
        None => Ok(()),
    }
}

fn report_of(test: &TestOptions, failure: &Failure) -> Box<Report> {
    Box::new(Report {
        test: prepare::test_name(test),
        command: prepare::command(&test.site, &thread::current()),
        failure: failure.clone(),
    })
}

fn notice_unwritten(results: io::Result<()>) {
    if let Err(error) = results {
        notice(&format!("{} can't be written: {error}", results::VARIABLE));
    }
}

/// The number of cases that were compared, if they are not those of the run.
fn compared_cases(judgement: Option<&Judgement>) -> Option<usize> {
    match judgement?.failure()? {
        Failure::InputsChanged(inputs) => Some(inputs.recorded.compared()),
        _ => None,
    }
}

/// What is wrong on the rows of the benchmark.
fn on_recorded_rows(failure: &Failure) -> &Failure {
    match failure {
        Failure::InputsChanged(inputs) => match &inputs.failure {
            Some((WhichRows::Recorded, failure)) => failure,
            _ => failure,
        },
        _ => failure,
    }
}

/// Adds a run that begins to the results that `cargo tdg test` collects, in case its process ends
/// before it.
fn note_start(test: &TestOptions, against: Option<&str>, plan: &Plan) {
    let (None, Some(directory)) = (&plan.settings.cases, results::directory()) else {
        return;
    };
    let command = prepare::command(&test.site, &thread::current());
    let failure = RunError::new("the process ended during this run, and with it all tests in it")
        .hint(format!(
            "to see the row: TDG_CASES=0..{} {command}",
            plan.size
        ))
        .failure();
    let run = TestRun {
        report: Some(report_of(test, &failure).to_string()),
        has_ended: false,
        ..unjudged(test, against, Some(plan))
    };
    notice_unwritten(run.add_to(&directory));
}

/// A run without its result.
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
        changed: 0,
        panicked: Vec::new(),
        tolerance_use: None,
        took: Duration::ZERO,
        report: None,
        policy: plan.map(|plan| plan.policy.clone()),
        actual: None,
        recorded_outputs: None,
        takes: plan.map(Plan::takes).unwrap_or_default(),
        explored: None,
        attempt: plan.and_then(|plan| plan.retry).map_or(1, |it| it.attempt),
        has_ended: true,
    }
}

/// Adds a run to the results that `cargo tdg test` collects, unless it ran chosen cases only.
fn record_result(
    test: &TestOptions,
    against: Option<&str>,
    plan: Option<&Plan>,
    outcome: &RunOutcome,
    report: Option<&Report>,
    started: Instant,
    directory: &Path,
) -> io::Result<()> {
    let (judgement, undecided, beside, explored) = match outcome {
        RunOutcome::Chosen(_) => return Ok(()),
        RunOutcome::Judged {
            judgement,
            undecided,
            beside,
            explored,
            ..
        } => {
            let undecided = undecided.as_ref();
            (
                Some(judgement),
                undecided,
                beside.as_ref(),
                explored.clone(),
            )
        }
        RunOutcome::Invalid(_) => (None, None, None, None),
    };
    let unjudged = unjudged(test, against, plan);
    let save = |text: &str| results::save(directory, text);
    let run = TestRun {
        verdict: match (judgement, beside) {
            (_, Some(failure)) => failure.verdict(),
            (judgement, None) => judgement.map_or(Verdict::Invalid, Judgement::verdict),
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
        report: report.map(Report::in_full_width),
        actual: undecided.map(|it| save(&it.actual)).transpose()?,
        recorded_outputs: undecided
            .and_then(|it| it.recorded.as_deref())
            .map(save)
            .transpose()?,
        explored,
        ..unjudged
    };
    run.add_to(directory)
}

fn execute(
    plan: &mut Plan,
    backend: &dyn Backend,
    under_test: &UnderTest<'_>,
) -> Result<RunOutcome> {
    let benchmark = match &under_test.against {
        Some(other) => against::refuse_benchmark(plan, other).map(|()| None)?,
        None => claimed_benchmark(plan, backend)?,
    };
    let mut rows = Rows::obtain(plan, backend, benchmark.as_ref())?;
    if let Some(change) = &mut rows.change {
        recorded::rename_categories(plan, &under_test.function, change)?;
    }
    if let Some(text) = &rows.notice {
        notice(text);
    }
    required::check_size(&plan.policy, rows.vectors.size())?;
    if let Some(cases) = &plan.settings.cases {
        let failure = chosen::run(plan, under_test, &rows, benchmark.as_ref(), cases)?;
        if let (None, Some(variable)) = (&failure, plan.settings.ci) {
            return Err(chosen::refused_on_ci(variable, plan.size));
        }
        return Ok(RunOutcome::Chosen(failure));
    }
    let mark = match plan.settings.may_write() {
        true => RunMark::begin(&plan.settings.directory, &plan.test),
        false => None,
    };
    plan.options.notes = mark.as_ref().is_some_and(RunMark::follows_unfinished);
    let mut outcome = match &under_test.against {
        Some(other) => against::run(plan, under_test, other, &rows),
        None => run_all(plan, backend, under_test, &rows, benchmark.as_ref()),
    }?;
    if let RunOutcome::Judged {
        judgement,
        beside: beside @ None,
        explored,
        ..
    } = &mut outcome
        && judgement.passes()
    {
        (*beside, *explored) = explore::run(plan, under_test)?;
    }
    Ok(outcome)
}

/// The benchmark, which no other test may have.
fn claimed_benchmark(plan: &Plan, backend: &dyn Backend) -> Result<Option<Benchmark>> {
    claims::claim(plan)?;
    if let Some(file) = &plan.file {
        plan.settings
            .insta
            .note_use(file)
            .map_err(|error| RunError::new(format!("INSTA_SNAPSHOT_REFERENCES_FILE: {error}")))?;
    }
    let benchmark = persist::benchmark(plan, backend)?;
    if let Some(benchmark) = &benchmark {
        claims::check_owner(plan, benchmark)?;
    }
    Ok(benchmark)
}

/// Runs all cases, judges them, persists the result, and prints the notices.
fn run_all(
    plan: &Plan,
    backend: &dyn Backend,
    under_test: &UnderTest<'_>,
    rows: &Rows,
    benchmark: Option<&Benchmark>,
) -> Result<RunOutcome> {
    let function = &under_test.function;
    let all: Vec<usize> = (0..rows.vectors.size()).collect();
    let mut recorded = None;
    if let Some(change) = &rows.change {
        let all: Vec<usize> = (0..change.vectors.size()).collect();
        let executed = recorded::run(plan, function, rows, change, &all)?;
        recorded = Some((change, executed));
    }
    let options = RunOptions {
        are_new: rows.are_new(&rows.vectors),
        ..plan.options.clone()
    };
    let executed = function.pass(&rows.vectors, &all, &options)?;
    if let Some((change, recorded)) = &mut recorded {
        recorded::pair_with(function, rows, change, recorded, &executed)?;
    }
    let unrecorded = Unrecorded {
        plan,
        backend,
        function,
        rows,
        executed: &executed,
    };
    let context = RunContext {
        plan,
        function,
        rows,
        executed: &executed,
        recorded: recorded
            .as_ref()
            .map(|(change, executed)| (*change, executed)),
        pending: persist::pending_place(plan)?,
        other: None,
    };
    let judgement = match benchmark {
        None => context.judge_unrecorded(|| unrecorded.former()),
        Some(benchmark) => context.judge(benchmark),
    }?;
    let mut judgement = required::check(plan, rows, &executed, judgement)?;
    let kept = kept::judge(plan, under_test, &rows.ensemble, &judgement)?;
    if let (Some(changed), Some(benchmark)) = (judgement.close_change(), benchmark) {
        let ensemble = rows.recorded.as_ref().unwrap_or(&rows.ensemble);
        let platforms = backend.platforms(plan, ensemble, benchmark);
        changed.came_out_on = CameOutOn::among(&platforms);
    }
    let recorded_outputs = recorded.as_ref();
    let recorded_outputs = recorded_outputs.map(|(_, executed)| executed.outputs_or_reasons());
    let finished = FinishedRun {
        plan,
        ensemble: &rows.ensemble,
        recorded: rows.recorded.as_ref(),
        vectors: rows.table(),
        outputs: &executed.outputs,
        recorded_outputs: recorded_outputs.as_deref(),
        judgement: &judgement,
        benchmark,
        kept: &kept,
    };
    let passes = judgement.passes() && kept.failure.is_none();
    let retried = plan.retry.filter(|_| passes);
    let retried = retried.map(|retry| retry.line(&finished));
    persist::persist(&finished, backend)?;
    notice::of_judgement(plan, &executed, &judgement);
    if let (Some(file), Some((verdict, rows))) = (&plan.file, kept.written) {
        let file = plan.display_path(file);
        print_line(&report::kept_line(verdict, &plan.test.name, rows, &file));
    }
    if let Some(line) = retried {
        print_line(&line);
    }
    let undecided = match judgement.failure().and_then(Failure::pending) {
        _ if results::directory().is_none() => None,
        Some(_) => Some(Undecided {
            actual: finished.snapshot_text(),
            recorded: finished.recorded_text(),
        }),
        None => persist::kept_pending_text(plan, &kept)?.map(|actual| Undecided {
            actual,
            recorded: None,
        }),
    };
    let failure = judgement.failure().or(kept.failure.as_ref());
    Ok(RunOutcome::Judged {
        passes_under_insta: failure.is_some_and(|it| passes_under_insta(plan, it)),
        beside: kept.failure,
        judgement,
        undecided,
        explored: None,
    })
}

/// Under `cargo insta test` a test with a pending change passes: cargo-insta reports the pending
/// changes when all tests have run.
fn passes_under_insta(plan: &Plan, failure: &Failure) -> bool {
    let pending = failure.pending();
    if !plan.is_left_to_insta() || !matches!(pending, Some(Pending::InFile(_))) {
        return false;
    }
    notice(&format!(
        "{} {}, pending; cargo insta lets it pass",
        failure.verdict(),
        plan.test.name
    ));
    true
}
