//! Requirements of a test on its outputs, independent of the benchmark.

use tdg_definition::Policy;
use tdg_definition::json::{self, Value};
use tdg_definition::policy::FieldDistribution;
use tdg_engine::output;
use tdg_engine::text::counted;
use tdg_report::{Failure, Unmet};

use super::findings::findings_of_requirement;
use crate::runner::cases::execution::Executed;
use crate::runner::error::{Result, RunError};
use crate::runner::plan::Plan;
use crate::runner::rows::Rows;
use crate::runner::stderr::notice;
use crate::runner::verdict::judgement::Judgement;

/// Refuses a test with too few rows to compare distributions.
pub(crate) fn check_size(policy: &Policy, size: usize) -> Result<()> {
    let needed = FieldDistribution::cases_needed(policy);
    if size >= needed {
        return Ok(());
    }
    let rows = counted(size, "row");
    Err(RunError::new(format!(
        "{rows} are too few to compare a distribution at its rate of false alarms"
    ))
    .hint(format!("use size = {needed} or more, or a larger ks")))
}

/// Fails a passing test whose outputs don't meet its requirements. If outputs are pending, the test
/// fails anyway, and a line informs the reviewer.
///
/// # Errors
/// Fails if the outputs have no value that the test requires or compares.
pub(crate) fn check(
    plan: &Plan,
    rows: &Rows,
    executed: &Executed,
    judgement: Judgement,
) -> Result<Judgement> {
    let passes = judgement.passes();
    let is_pending = judgement.failure().and_then(Failure::pending).is_some();
    // Where rows panicked, outputs are missing.
    if !passes && !is_pending || !executed.panics.is_empty() {
        return Ok(judgement);
    }
    if passes {
        check_distributions(plan, executed)?;
    }
    if plan.requirements.is_empty() {
        return Ok(judgement);
    }
    if !executed.records {
        return Err(
            RunError::new("the function returns (), so `require` has no outputs to check")
                .hint("return the values that `require` checks"),
        );
    }
    let outputs: Vec<Value> = outputs(executed).collect::<Result<_, _>>()?;
    let table = rows.taken(&rows.vectors);
    match Unmet::check(
        &plan.requirements,
        &table,
        &outputs,
        findings_of_requirement,
    ) {
        None => Ok(judgement),
        Some(unmet) if passes => Ok(judgement.but_fails(Failure::Unmet(unmet))),
        Some(unmet) => {
            for sentence in unmet.sentences() {
                notice(&format!("{}: {sentence}", plan.test.name));
            }
            Ok(judgement)
        }
    }
}

/// Fails if a field has no numbers, since it then has no distribution to compare.
fn check_distributions(plan: &Plan, executed: &Executed) -> Result<()> {
    for field in FieldDistribution::all(&plan.policy) {
        let mut numbers = outputs(executed).map_while(Result::ok);
        let is_number = |output: Value| field.pointer.find_in(&output)?.as_number();
        if numbers.find_map(is_number).is_some() {
            continue;
        }
        let place = match field.pointer.is_root() {
            true => "is a number".to_owned(),
            false => format!("has a number at {}", field.pointer),
        };
        return Err(RunError::new(format!(
            "no output {place}, so no distribution can be compared"
        ))
        .hint("name a field that is a number: distribution(\"/price\", ks = 1e-6)"));
    }
    Ok(())
}

fn outputs(executed: &Executed) -> impl Iterator<Item = Result<Value, json::Error>> {
    (0..executed.outputs.len()).map(|case| output::read(executed.outputs.get(case)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_needs_enough_rows() {
        let policy = Policy::exact().distribution("/price", 1e-6).unwrap();
        assert!(check_size(&policy, 12).is_ok());
        let reason = check_size(&policy, 11).unwrap_err().text();
        insta::assert_snapshot!(reason, @"
        11 rows are too few to compare a distribution at its rate of false alarms
        use size = 12 or more, or a larger ks
        ");
    }
}
