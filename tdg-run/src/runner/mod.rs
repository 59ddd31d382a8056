//! The run: the only place that knows all other modules.
//!
//! ```text
//! prepare -> rows -> cases -> comparison -> repeat -> judge -> persist -> report
//! ```
//!
//! Each step takes the data of the earlier ones and returns its own. `backend` keeps benchmarks and
//! history.

mod against;
mod answers;
mod backend;
mod benchmark;
mod cases;
mod error;
mod explore;
mod judge;
mod persist;
mod plan;
mod prepare;
mod report;
mod rows;
mod selected_cases;
mod stderr;
mod verdict;

use std::time::Instant;

use tdg_engine::config::process_environment;
use tdg_engine::results;
use tdg_engine::store::RunMark;
use tdg_report::{FailureReport, MadeInputs};

use crate::test_options::TestOptions;
use backend::Backend;
use cases::exit_guard::ExitGuard;
use error::Result;
use judge::requirements;
use plan::Plan;
use report::{made_inputs, reported_results};
use rows::{Rows, benchmark_rows};
use stderr::{notice, print_line};
use verdict::outcome::RunOutcome;

pub use cases::fixture::{SetUpError, fixture, shared, with_fixtures};
pub(crate) use cases::function::UnderTest;
pub use cases::function::{Function, Other};
pub use cases::row_pass::{CallError, Pass, Passed, batch};
pub use error::RunError;

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
    if let Some((directory, asked)) = tdg_engine::answers::asked() {
        if asked == name {
            answers::give(test, under_test, &directory);
        }
        return Ok(());
    }
    let _guard = ExitGuard::new(move || Some(tdg_report::end_line(&name)));
    let against = under_test.against.map(|other| other.name);
    let prepared = prepare::prepare(test, &process_environment);
    let mut made = None;
    let (plan, outcome) = match prepared {
        Ok((mut plan, backend)) => {
            reported_results::note_start(test, against, &plan);
            let outcome = execute(&mut plan, &*backend, under_test, &mut made);
            (Some(plan), outcome)
        }
        Err(error) => (None, Err(error)),
    };
    let outcome = outcome.unwrap_or_else(|error| RunOutcome::Invalid(error.failure()));
    let report = outcome.failure().map(|failure| {
        let dependencies = match against {
            Some(_) => Vec::new(),
            None => reported_results::changed_dependencies(plan.as_ref(), failure),
        };
        reported_results::report_of(test, failure, made, dependencies)
    });
    if let Some(report) = &report {
        print_line(&tdg_report::line(report));
    }
    if let Some(directory) = results::directory() {
        let recorded = reported_results::record_result(
            test,
            against,
            plan.as_ref(),
            &outcome,
            report.as_deref(),
            started,
            &directory,
        );
        reported_results::notice_unwritten(recorded);
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
        benchmark_rows::rename_categories(plan, &under_test.function, &rows, &mut change)?;
        rows.change = Some(change);
    }
    if let Some(text) = &rows.notice {
        notice(text);
    }
    requirements::check_size(&plan.policy, rows.vectors.size())?;
    if let Some(cases) = plan.settings.cases.clone() {
        let (failure, cases) =
            selected_cases::run(plan, under_test, &rows, benchmark.as_ref(), &cases)?;
        if let (None, Some(variable)) = (&failure, plan.settings.ci) {
            return Err(selected_cases::refused_on_ci(variable, plan.size));
        }
        *made = made_inputs::collect(plan, &under_test.function, &rows, failure.as_ref());
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
    *made = made_inputs::collect(plan, &under_test.function, &rows, outcome.failure());
    Ok(outcome)
}
