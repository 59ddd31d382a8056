//! `against`: another function's outputs on the same rows replace the benchmark.

use tdg_engine::snapshot::{BenchmarkFile, Snapshot};
use tdg_report::PendingPlace;

use super::cases::execution::Executed;
use super::cases::function::{Other, UnderTest};
use super::error::{Result, RunError};
use super::explore::kept_rows;
use super::judge::comparison::Compared;
use super::judge::executed_run::ExecutedRun;
use super::judge::{self, Judge, repeat, requirements};
use super::plan::Plan;
use super::report::{outcome_notice, retry_notice};
use super::rows::Rows;
use super::stderr::print_line;
use super::verdict::outcome::{JudgedRun, RunOutcome};

/// Refuses to run while a file still has a benchmark, since nothing is compared with it any more.
pub(super) fn refuse_benchmark(plan: &Plan, other: &Other<'_>) -> Result<()> {
    let refuse = |file: String, what: &str, remove: &str| {
        let name = other.name;
        Err(RunError::new(format!(
            "{file} is {what}, but the expected outputs come from {name}"
        ))
        .hint(format!(
            "delete it: {remove} {file}; or leave out `against` to compare with it"
        )))
    };
    match &plan.file {
        Some(file) if file.exists() => {
            return refuse(plan.display_path(file), "a benchmark", "git rm");
        }
        _ => {}
    }
    match plan.pending_file()? {
        Some(file) if file.exists() => {
            refuse(plan.display_path(&file), "a pending benchmark", "rm")
        }
        _ => Ok(()),
    }
}

/// Runs both functions on all rows, and judges the outputs of the first.
pub(super) fn run(
    plan: &mut Plan,
    under_test: &UnderTest<'_>,
    other: &Other<'_>,
    rows: &Rows,
) -> Result<RunOutcome> {
    let function = &under_test.function;
    let size = rows.vectors.size();
    let all: Vec<usize> = (0..size).collect();
    let executed = function.pass(&rows.vectors, &all, &plan.options)?;
    let expected = other.pass(&rows.vectors, &all, &plan.options)?;
    plan.note_f32s([&executed.f32s]);
    let plan = &*plan;
    check_both(&executed, &expected, other.name, size)?;
    let ran = ExecutedRun {
        plan,
        function,
        rows,
        executed: &executed,
        recorded: None,
        other: Some((other, &expected)),
    };
    let expected = Snapshot::of_outputs(rows.ensemble.clone(), &expected.outputs);
    let expected = BenchmarkFile::from(expected);
    judge::check(&ran, Some(&expected))?;
    let compared = Compared::new(&ran, &expected)?;
    let judge = Judge {
        ran,
        pending: PendingPlace::Nowhere {
            because: "there is no benchmark".to_owned(),
        },
        unstable: repeat::run(&ran, Some(&compared))?,
    };
    let judgement = judge.beside(&expected, compared);
    let judgement = requirements::check(plan, rows, &executed, judgement)?;
    outcome_notice::of_judgement(plan, &executed, &judgement);
    if let Some(retry) = plan.retry.filter(|_| judgement.passes()) {
        print_line(&retry_notice::line_about(retry, plan, &[]));
    }
    let kept = kept_rows::judge(plan, under_test, &rows.ensemble, &judgement, false)?;
    Ok(RunOutcome::Judged(JudgedRun {
        judgement,
        undecided: None,
        passes_under_insta: false,
        beside: kept.failure,
        explored: None,
    }))
}

/// Refuses outputs that prove nothing by being equal.
fn check_both(executed: &Executed, expected: &Executed, name: &str, size: usize) -> Result<()> {
    if !executed.records && !expected.records && executed.panics.is_empty() {
        return Err(RunError::new(format!(
            "neither the function nor {name} returns anything, so nothing can be compared"
        ))
        .hint("return what should be equal, or leave out `against`"));
    }
    let fails = |it: &Executed| it.errors > 0 && it.errors + it.refusals == size;
    if fails(executed) && fails(expected) {
        return Err(RunError::new(format!(
            "all {size} cases returned an Err from both functions, the first: {}",
            executed.outputs.get(0)
        ))
        .hint("two broken setups are equal as well; make at least one row succeed"));
    }
    Ok(())
}
