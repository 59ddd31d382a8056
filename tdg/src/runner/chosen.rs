//! `TDG_CASES`: some cases with their inputs and outputs, and nothing recorded.

use super::cases::{self, Executed, Function};
use super::error::Result;
use super::notice::notice;
use super::plan::Plan;
use super::rows::Rows;
use tdg_definition::json;
use tdg_engine::compare::compare;
use tdg_engine::report::{Changed, Failure, Panicked, Pending};
use tdg_engine::snapshot::Snapshot;

/// Runs these cases alone, shows what went in and came out, and compares it with the benchmark.
pub(super) fn run(
    plan: &Plan,
    function: &Function<'_>,
    rows: &Rows,
    benchmark: Option<&Snapshot>,
    chosen: &[usize],
) -> Result<Option<Failure>> {
    let executed = cases::run(function, &rows.vectors, chosen, plan.options)?;
    let expected = |case: usize| match benchmark {
        Some(benchmark) if case < rows.common(benchmark) => benchmark.output_text(case).map(Some),
        _ => Ok(None),
    };
    let mut shown = format!("{}, cases by TDG_CASES", plan.test);
    let mut differing = Vec::new();
    for (index, &case) in chosen.iter().enumerate() {
        shown.push_str(&format!("\n  case {case}: {}", inputs(rows, case)));
        if let Some((_, panic)) = executed.panics.iter().find(|(other, _)| *other == case) {
            shown.push_str(&format!("\n    panicked: {}", panic.message.escape_debug()));
            continue;
        }
        let actual = executed.outputs.get(index);
        let expected = expected(case).map_err(|error| plan.unreadable(error))?;
        let comparison = match expected {
            Some(expected) => Some((
                expected,
                compare(&plan.policy, &json::parse(expected)?, &json::parse(actual)?),
            )),
            None => None,
        };
        match comparison {
            None => shown.push_str(&format!("\n    output: {actual}")),
            Some((_, comparison)) if comparison.is_same() => {
                shown.push_str(&format!("\n    output: {actual} (as expected)"));
            }
            Some((expected, comparison)) => {
                shown.push_str(&format!(
                    "\n    output:   {actual}\n    expected: {expected}"
                ));
                differing.push((case, comparison));
            }
        }
    }
    notice(&shown);
    Ok(failure(rows, &executed, chosen.len(), &differing))
}

fn failure(
    rows: &Rows,
    executed: &Executed,
    count: usize,
    differing: &[(usize, tdg_engine::compare::Comparison)],
) -> Option<Failure> {
    let features = || rows.table().names().map(str::to_owned).collect();
    if !executed.panics.is_empty() {
        return Some(Failure::Panicked(Panicked {
            size: count,
            features: features(),
            findings: Vec::new(),
            cases: executed.panicked_cases(rows.table()),
            changed: differing.len(),
        }));
    }
    if differing.is_empty() {
        return None;
    }
    let pending = Pending::Nowhere {
        because: "TDG_CASES is set".to_owned(),
    };
    let cells = |case| rows.table().cells(case);
    Some(Failure::Changed(Changed::new(
        count,
        differing,
        features(),
        cells,
        pending,
    )))
}

/// `amount = 12.44, coupon = "HALF"`.
fn inputs(rows: &Rows, case: usize) -> String {
    let cells = rows.table().cells(case);
    let named = rows.table().names().zip(cells);
    let pairs: Vec<_> = named
        .map(|(name, cell)| format!("{name} = {cell}"))
        .collect();
    pairs.join(", ")
}
