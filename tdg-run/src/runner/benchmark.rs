//! The steps after `prepare` if a benchmark has the expected outputs.

use std::borrow::Cow;

use tdg_engine::output::Outputs;
use tdg_engine::snapshot::BenchmarkFile;
use tdg_engine::{Verdict, results};
use tdg_report as report;
use tdg_report::{CameOutOn, Failure, PendingPlace};

use super::backend::Backend;
use super::cases::execution::Executed;
use super::cases::function::{Function, UnderTest};
use super::cases::run_options::RunOptions;
use super::error::{Result, RunError};
use super::explore::kept_rows;
use super::judge::comparison::Compared;
use super::judge::executed_run::ExecutedRun;
use super::judge::former_benchmarks::{FormerBenchmarks, Unrecorded};
use super::judge::{self, Judge, repeat, requirements};
use super::persist;
use super::plan::{Plan, benchmark_claims};
use super::report::{outcome_notice, retry_notice};
use super::rows::{ChangedRows, Rows, benchmark_rows};
use super::stderr::{notice, print_line};
use super::verdict::finished_run::FinishedRun;
use super::verdict::judgement::Judgement;
use super::verdict::outcome::{JudgedRun, RunOutcome, Undecided};

/// Reads the benchmark and claims it, so that no other test can have it.
pub(super) fn claimed(plan: &Plan, backend: &dyn Backend) -> Result<Option<BenchmarkFile>> {
    benchmark_claims::claim(plan)?;
    if let Some(file) = &plan.file {
        plan.settings
            .insta
            .note_use(file)
            .map_err(|error| RunError::new(format!("INSTA_SNAPSHOT_REFERENCES_FILE: {error}")))?;
    }
    let benchmark = read(plan, backend)?;
    if let Some(benchmark) = &benchmark {
        benchmark_claims::check_owner(plan, benchmark)?;
    }
    Ok(benchmark)
}

/// Reads the benchmark of the test, if any.
fn read(plan: &Plan, backend: &dyn Backend) -> Result<Option<BenchmarkFile>> {
    let Some(file) = &plan.file else {
        return backend.benchmark_without_file(plan);
    };
    let found = BenchmarkFile::read(file, &plan.definition_text);
    let found = found.map_err(|error| plan.unreadable(error))?;
    found
        .map(|found| backend.benchmark(plan, found))
        .transpose()
}

/// Runs all cases, judges them, persists the result, and prints the notices.
pub(super) fn run(
    plan: &mut Plan,
    backend: &dyn Backend,
    under_test: &UnderTest<'_>,
    rows: &Rows,
    benchmark: Option<&BenchmarkFile>,
) -> Result<RunOutcome> {
    let function = &under_test.function;
    let (executed, recorded) = execute(plan, function, rows)?;
    let recorded = recorded.as_ref();
    let on_recorded = recorded.map(|(_, executed)| &executed.f32s);
    plan.note_f32s(on_recorded.into_iter().chain([&executed.f32s]));
    let plan = &*plan;
    let ran = ExecutedRun {
        plan,
        function,
        rows,
        executed: &executed,
        recorded: recorded.map(|(change, executed)| (*change, executed)),
        other: None,
    };
    let judgement = judged(&ran, backend, benchmark)?;
    let mut judgement = requirements::check(plan, rows, &executed, judgement)?;
    let has_kept = benchmark.is_some_and(BenchmarkFile::has_kept);
    let kept = kept_rows::judge(plan, under_test, &rows.ensemble, &judgement, has_kept)?;
    // Such small differences may come from another platform.
    let close = judgement.change().filter(|it| it.closeness.is_some());
    if let (Some(changed), Some(benchmark)) = (close, benchmark) {
        let ensemble = rows.recorded.as_ref().unwrap_or(&rows.ensemble);
        let platforms = backend.platforms(plan, ensemble, benchmark);
        changed.came_out_on = CameOutOn::among(&platforms);
    }
    let on_recorded = recorded.map(|(_, executed)| executed);
    let (outputs, recorded_outputs) = outputs(plan, &executed, on_recorded, benchmark)?;
    let finished = FinishedRun {
        plan,
        ensemble: &rows.ensemble,
        recorded: rows.recorded.as_ref(),
        vectors: rows.table(),
        outputs: &outputs,
        recorded_outputs: recorded_outputs.as_deref(),
        judgement: &judgement,
        benchmark,
        kept: &kept,
    };
    leave(&finished, &executed, backend)?;
    let undecided = undecided(&finished)?;
    // Done last, since a server that doesn't answer gets no more requests.
    if let (Some(changed), Some(benchmark)) = (judgement.change(), benchmark) {
        changed.page = backend.page(benchmark);
    }
    let failure = judgement.failure().or(kept.failure.as_ref());
    Ok(RunOutcome::Judged(JudgedRun {
        passes_under_insta: failure.is_some_and(|it| passes_under_insta(plan, it)),
        beside: kept.failure,
        judgement,
        undecided,
        explored: None,
    }))
}

/// Runs all rows and, if the inputs changed, the recorded ones.
fn execute<'r>(
    plan: &Plan,
    function: &Function<'_>,
    rows: &'r Rows,
) -> Result<(Executed, Option<(&'r ChangedRows, Executed)>)> {
    let all: Vec<usize> = (0..rows.vectors.size()).collect();
    let recorded = benchmark_rows::all(plan, function, rows)?;
    let options = RunOptions {
        are_new: rows.are_new(&rows.vectors),
        ..plan.options.clone()
    };
    let executed = function.pass(&rows.vectors, &all, &options)?;
    Ok((executed, recorded))
}

/// Returns the run's outputs and, if they differ, the outputs on the benchmark's rows. A row that
/// panicked keeps its recorded output, since a panic can't be accepted as expected.
fn outputs<'e>(
    plan: &Plan,
    executed: &'e Executed,
    recorded: Option<&'e Executed>,
    benchmark: Option<&BenchmarkFile>,
) -> Result<(Cow<'e, Outputs>, Option<Cow<'e, Outputs>>)> {
    let on_its_rows = recorded.map(Executed::outputs_or_reasons);
    match benchmark {
        Some(benchmark) if recorded.is_none() && !executed.panics.is_empty() => {
            let expected = benchmark.outputs();
            let expected = expected.map_err(|error| plan.unreadable(error))?;
            let outputs = executed.outputs_or(&expected);
            Ok((Cow::Owned(outputs), Some(executed.outputs_or_reasons())))
        }
        _ => Ok((Cow::Borrowed(&executed.outputs), on_its_rows)),
    }
}

/// Compares the outputs with the benchmark, runs cases again, and judges the result.
fn judged(
    ran: &ExecutedRun<'_>,
    backend: &dyn Backend,
    benchmark: Option<&BenchmarkFile>,
) -> Result<Judgement> {
    judge::check(ran, benchmark)?;
    let compared = benchmark.map(|benchmark| Compared::new(ran, benchmark));
    let compared = compared.transpose()?;
    let judge = Judge {
        ran: *ran,
        pending: ran.plan.pending_place()?,
        unstable: repeat::run(ran, compared.as_ref())?,
    };
    let unrecorded = Unrecorded {
        plan: ran.plan,
        backend,
        function: ran.function,
        rows: ran.rows,
        executed: ran.executed,
    };
    Ok(match benchmark.zip(compared) {
        Some((benchmark, compared)) => judge.beside(benchmark, compared),
        None if judge.would_record() => {
            benchmark_claims::check_source(&ran.plan.place)?;
            judge.alone(unrecorded.former())
        }
        None => judge.alone(FormerBenchmarks::default()),
    })
}

/// Writes the run's results, and prints the notices.
fn leave(run: &FinishedRun<'_>, executed: &Executed, backend: &dyn Backend) -> Result<()> {
    let FinishedRun { plan, kept, .. } = run;
    let passes = run.judgement.passes() && kept.failure.is_none();
    let retried = plan.retry.filter(|_| passes);
    // Persisting removes the pending outputs, so they are compared first.
    let retried = retried.map(|retry| retry_notice::line(retry, run));
    persist::persist(run, backend)?;
    outcome_notice::of_judgement(plan, executed, run.judgement);
    if let (Some(file), Some((verdict, rows))) = (&plan.file, kept.written) {
        let file = plan.display_path(file);
        print_line(&report::kept_line(verdict, &plan.test.name, rows, &file));
    }
    if let Some(line) = retried {
        print_line(&line);
    }
    Ok(())
}

/// Returns the outputs that need a decision, if results are collected.
fn undecided(run: &FinishedRun<'_>) -> Result<Option<Undecided>> {
    let pending = run.judgement.failure().and_then(Failure::pending);
    Ok(match pending {
        _ if results::directory().is_none() => None,
        Some(_) => Some(Undecided {
            actual: run.snapshot_text(),
            recorded: run.recorded_text(),
        }),
        None => persist::kept_pending_text(run.plan, run.kept)?.map(|actual| Undecided {
            actual,
            recorded: None,
        }),
    })
}

/// Returns true if `cargo insta test` lets the test pass. cargo-insta reports pending changes
/// itself after all tests have run.
fn passes_under_insta(plan: &Plan, failure: &Failure) -> bool {
    let pending = failure.pending();
    let is_decided_there =
        matches!(pending, Some(PendingPlace::InFile(_))) && failure.verdict() != Verdict::Panicked;
    if !plan.is_left_to_insta() || !is_decided_there {
        return false;
    }
    notice(&format!(
        "{} {}, pending; cargo insta lets it pass",
        failure.verdict(),
        plan.test.name
    ));
    true
}
