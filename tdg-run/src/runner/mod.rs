//! The run: the only place that knows all other modules.
//!
//! ```text
//! prepare -> rows -> cases -> compared -> repeat -> judge -> persist -> report
//! ```
//!
//! Each step takes the data of the earlier ones and returns its own. `backend` keeps benchmarks and
//! history.

mod addresses;
mod against;
mod backend;
mod benchmark;
mod calls;
mod cases;
mod changed_outputs;
mod chosen;
mod claims;
mod collected;
mod compared;
mod error;
mod executed;
mod exit_guard;
mod explore;
mod findings;
mod finished;
mod fixture;
mod former;
mod function;
mod judge;
mod judgement;
mod kept;
mod kept_rows;
mod made_inputs;
mod notes;
mod notice;
mod outcome;
mod outcome_notice;
mod panics;
mod pass;
mod persist;
mod plan;
mod prepare;
mod ran;
mod recorded;
mod repeat;
mod required;
mod retried;
mod retry;
mod rows;
mod rows_file;
mod run_options;
mod subject;
mod watchdog;

use std::time::Instant;

use tdg_engine::config::process_environment;
use tdg_engine::results;
use tdg_engine::store::RunMark;
use tdg_report as report;
use tdg_report::{FailureReport, MadeInputs};

use crate::test_options::TestOptions;
use backend::Backend;
use error::Result;
use exit_guard::ExitGuard;
use notice::{notice, print_line};
use outcome::RunOutcome;
use plan::Plan;
use rows::Rows;

pub use error::RunError;
pub use fixture::{SetUpError, fixture, shared, with_fixtures};
pub(crate) use function::UnderTest;
pub use function::{Function, Other};
pub use pass::{CallError, Pass, Passed, batch};

/// Runs a test to its end.
///
/// # Errors
/// Returns the report of a failing test.
pub(crate) fn run(
    test: &TestOptions,
    under_test: &UnderTest<'_>,
) -> Result<(), Box<FailureReport>> {
    let started = Instant::now();
    let name = prepare::test_name(test);
    let _guard = ExitGuard::new(move || Some(report::end_line(&name)));
    let against = under_test.against.map(|other| other.name);
    let prepared = prepare::prepare(test, &process_environment);
    let mut made = None;
    let (plan, outcome) = match prepared {
        Ok((mut plan, backend)) => {
            collected::note_start(test, against, &plan);
            let outcome = execute(&mut plan, &*backend, under_test, &mut made);
            (Some(plan), outcome)
        }
        Err(error) => (None, Err(error)),
    };
    let outcome = outcome.unwrap_or_else(|error| RunOutcome::Invalid(error.failure()));
    let report = outcome.failure().map(|failure| {
        let dependencies = match against {
            Some(_) => Vec::new(),
            None => collected::changed_dependencies(plan.as_ref(), failure),
        };
        collected::report_of(test, failure, made, dependencies)
    });
    if let Some(report) = &report {
        print_line(&report::line(report));
    }
    if let Some(directory) = results::directory() {
        let recorded = collected::record_result(
            test,
            against,
            plan.as_ref(),
            &outcome,
            report.as_deref(),
            started,
            &directory,
        );
        collected::notice_unwritten(recorded);
    }
    match report {
        Some(report) => Err(report),
        None => Ok(()),
    }
}

fn execute(
    plan: &mut Plan,
    backend: &dyn Backend,
    under_test: &UnderTest<'_>,
    made: &mut Option<MadeInputs>,
) -> Result<RunOutcome> {
    let benchmark = match &under_test.against {
        Some(other) => against::refuse_benchmark(plan, other).map(|()| None)?,
        None => benchmark::claimed(plan, backend)?,
    };
    let mut rows = Rows::obtain(plan, backend, benchmark.as_ref())?;
    if let Some(mut change) = rows.change.take() {
        recorded::rename_categories(plan, &under_test.function, &rows, &mut change)?;
        rows.change = Some(change);
    }
    if let Some(text) = &rows.notice {
        notice(text);
    }
    required::check_size(&plan.policy, rows.vectors.size())?;
    if let Some(cases) = plan.settings.cases.clone() {
        let (failure, cases) = chosen::run(plan, under_test, &rows, benchmark.as_ref(), &cases)?;
        if let (None, Some(variable)) = (&failure, plan.settings.ci) {
            return Err(chosen::refused_on_ci(variable, plan.size));
        }
        *made = made_inputs::of(plan, &under_test.function, &rows, failure.as_ref());
        return Ok(RunOutcome::Chosen { failure, cases });
    }
    let mark = match plan.settings.may_write() {
        true => RunMark::begin(&plan.settings.directory, &plan.test),
        false => None,
    };
    plan.options.notes = mark.as_ref().is_some_and(RunMark::follows_unfinished);
    let mut outcome = match &under_test.against {
        Some(other) => against::run(plan, under_test, other, &rows),
        None => benchmark::run(plan, backend, under_test, &rows, benchmark.as_ref()),
    }?;
    if let RunOutcome::Judged(run) = &mut outcome
        && run.judgement.passes()
        && run.beside.is_none()
    {
        (run.beside, run.explored) = explore::run(plan, under_test)?;
    }
    *made = made_inputs::of(plan, &under_test.function, &rows, outcome.failure());
    Ok(outcome)
}
