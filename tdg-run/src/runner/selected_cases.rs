//! `TDG_CASES`: some cases with their inputs and outputs, and nothing recorded.

use std::borrow::Cow;

use super::cases::execution::Executed;
use super::cases::function::UnderTest;
use super::error::{Result, RunError};
use super::plan::Plan;
use super::rows::{Rows, benchmark_rows};
use super::stderr::notice;
use tdg_definition::Policy;
use tdg_engine::Vectors;
use tdg_engine::compare::DifferingCase;
use tdg_engine::config::parse_cases;
use tdg_engine::output::unbound_reason;
use tdg_engine::snapshot::BenchmarkFile;
use tdg_engine::text::counted;
use tdg_report::{Changed, ComparedWith, Failure, Panicked, PendingPlace};

/// Runs the chosen cases alone, shows their inputs and outputs, and compares these with the
/// expected ones. Returns the failure, if any, and the number of chosen cases.
///
/// If the inputs changed, the cases are numbered as in the benchmark.
pub(super) fn run(
    plan: &mut Plan,
    under_test: &UnderTest<'_>,
    rows: &Rows,
    benchmark: Option<&BenchmarkFile>,
    chosen: &str,
) -> Result<(Option<Failure>, usize)> {
    let UnderTest { function, against } = under_test;
    let (vectors, of) = match &rows.change {
        Some(change) => (&change.vectors, "recorded cases"),
        None => (&rows.vectors, "cases"),
    };
    let chosen = &*parse_cases("TDG_CASES", chosen, vectors.size())?;
    let executed = match &rows.change {
        Some(change) => benchmark_rows::run(plan, function, change, chosen),
        None => function.pass(vectors, chosen, &plan.options),
    }?;
    plan.note_f32s([&executed.f32s]);
    let plan = &*plan;
    let others = against.as_ref();
    let others = others.map(|other| other.pass(vectors, chosen, &plan.options));
    let others = others.transpose()?.map(|executed| executed.outputs);
    let table = &*rows.taken(vectors);
    let expected = |index: usize, case: usize| match (&others, benchmark) {
        (Some(outputs), _) => Ok(Some(Cow::Borrowed(outputs.get(index)))),
        (None, Some(benchmark)) => {
            let snapshot = benchmark.snapshot()?;
            snapshot.output_text(case).map(Some)
        }
        (None, None) => Ok(None),
    };
    let mut shown = format!("{}, {of} by TDG_CASES", plan.test);
    let mut differing = Vec::new();
    for (index, &case) in chosen.iter().enumerate() {
        shown.push_str(&format!("\n  case {case}: {}", inputs(table, case)));
        if let Some((_, panic)) = executed.panics.iter().find(|(other, _)| *other == case) {
            shown.push_str(&format!("\n    panicked: {}", panic.message.escape_debug()));
            continue;
        }
        let actual = executed.outputs.get(index);
        let expected = || expected(index, case).map_err(|error| plan.unreadable(error));
        differing.extend(compare(&plan.policy, case, actual, expected, &mut shown)?);
    }
    notice(&shown);
    let compared_with = match against {
        Some(other) => ComparedWith::Function(other.name.to_owned()),
        None => ComparedWith::Benchmark(PendingPlace::Nowhere {
            because: "TDG_CASES is set".to_owned(),
        }),
    };
    let count = chosen.len();
    let failure = failure(table, &executed, count, &differing, compared_with);
    Ok((failure, count))
}

/// Shows the output of a case, and the expected one if it differs.
fn compare<'o>(
    policy: &Policy,
    case: usize,
    actual: &str,
    expected: impl FnOnce() -> Result<Option<Cow<'o, str>>>,
    shown: &mut String,
) -> Result<Option<DifferingCase>> {
    if let Some(reason) = unbound_reason(actual) {
        shown.push_str(&format!("\n    not compared: {reason}"));
        return Ok(None);
    }
    let Some(expected) = expected()? else {
        shown.push_str(&format!("\n    output: {actual}"));
        return Ok(None);
    };
    let compared = DifferingCase::of_outputs(policy, case, &expected, actual)?;
    if compared.comparison.is_same() {
        shown.push_str(&format!("\n    output: {actual} (as expected)"));
        return Ok(None);
    }
    shown.push_str(&format!(
        "\n    output:   {actual}\n    expected: {expected}"
    ));
    Ok(Some(compared))
}

/// Fails on CI, where a check of only some cases would go unnoticed.
pub(super) fn refused_on_ci(variable: &str, size: usize) -> RunError {
    let cases = counted(size, "case");
    RunError::new(format!(
        "TDG_CASES compares only some of the {cases}, and {variable} is set"
    ))
    .hint("unset TDG_CASES, which may be set in the job, or under [env] in .cargo/config.toml")
}

fn failure(
    table: &Vectors,
    executed: &Executed,
    count: usize,
    differing: &[DifferingCase],
    compared_with: ComparedWith,
) -> Option<Failure> {
    let features = || table.names().map(str::to_owned).collect();
    let cells = |case| table.cells(case);
    let compared = count - executed.panics.len();
    let changed = || Changed::new(compared, differing, features(), cells, compared_with);
    let changed = (!differing.is_empty()).then(changed);
    if executed.panics.is_empty() {
        return changed.map(Failure::Changed);
    }
    Some(Failure::Panicked(Panicked {
        size: count,
        features: features(),
        findings: Vec::new(),
        cases: executed.panicked_cases(table),
        changed: changed.map(Box::new),
    }))
}

/// Formats a row like `amount = 12.44, coupon = "HALF"`.
fn inputs(table: &Vectors, case: usize) -> String {
    let cells = table.cells(case);
    let named = table.names().zip(cells);
    let pairs: Vec<_> = named
        .map(|(name, cell)| format!("{name} = {cell}"))
        .collect();
    pairs.join(", ")
}
