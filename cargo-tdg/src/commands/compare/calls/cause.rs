//! The search for the causes of a function's change, by experiment.

use std::slice::from_ref;
use std::time::Instant;

use tdg_definition::json::Value;
use tdg_engine::Takes;
use tdg_engine::compare::{DifferingCase, Part};

use super::called_versions::CalledVersions;
use super::comparison::{CallCause, CallCauses, Example, Runs, StableOutcomes, is_same};
use super::rows::CallRows;
use crate::error::Result;
use crate::experiment::{Conditions, ObservedRows, explained_parts};

/// Explains the change of a function by experiment, unless its outcomes differ from run to run or
/// depend on earlier calls.
pub(super) fn find_causes(
    called: CalledVersions<'_>,
    rows: &CallRows,
    sides: &[Runs; 2],
    constants: &[Value],
    until: Instant,
) -> Result<CallCauses> {
    let Some(stable) = StableOutcomes::new(sides) else {
        return Ok(CallCauses::default());
    };
    let mut versions = called.in_experiments(until, stable.are_outputs);
    let conditions = Conditions {
        definition: &rows.definition,
        takes: &Takes::All,
        constants,
        until,
    };
    let mut observed = ObservedRows::new(&mut versions, &stable.policy, rows.rows.clone())?;
    let (explained, others) = explained_parts(&conditions, &mut observed, has_succeeded)?;
    let all = explained.len() + others;
    let inputs = |row: &Value| rows.inputs(row);
    let mut causes = Vec::new();
    for explained in explained {
        let outcomes = versions.outcomes(from_ref(&explained.smallest))?.pop();
        let Some(outcomes) = outcomes.flatten() else {
            // The row took too long this time.
            break;
        };
        if is_same(&outcomes[0], &outcomes[1]) {
            // The outcome of a call depends on the calls before it.
            return Ok(CallCauses::default());
        }
        causes.push(CallCause {
            verified: explained.verified(inputs),
            smallest: Example::new(&inputs(&explained.smallest), outcomes.each_ref()),
            explained,
        });
    }
    Ok(CallCauses {
        others: all - causes.len(),
        causes,
    })
}

/// Returns true if some call succeeded on a side. Two failures show how a function fails, and not
/// how it works.
fn has_succeeded(part: &Part, differing: &[DifferingCase]) -> bool {
    let is_failure = |it: &Value| ["Err", "$panic"].iter().any(|key| it.get(key).is_some());
    let of_part = differing.iter();
    let mut of_part = of_part.filter(|it| part.cases.binary_search(&it.case).is_ok());
    of_part.any(|it| !is_failure(&it.expected) || !is_failure(&it.actual))
}

#[cfg(test)]
mod tests {
    use tdg_definition::Policy;
    use tdg_definition::json::parse;
    use tdg_engine::compare::parts;

    use super::*;

    #[test]
    fn two_failures_are_no_question() {
        let is_asked = |before: &str, after: &str| {
            let [before, after] = [before, after].map(|it| parse(it).unwrap());
            let differing = [DifferingCase::compared(&Policy::exact(), 0, before, after)];
            has_succeeded(&parts(&differing)[0], &differing)
        };
        assert!(is_asked("1", "2"));
        assert!(is_asked(r#"{"Ok":1}"#, r#"{"Err":"far"}"#));
        assert!(is_asked(r#"{"$panic":"far"}"#, "1"));
        assert!(!is_asked(r#"{"Err":"far"}"#, r#"{"Err":"too far"}"#));
        assert!(!is_asked(r#"{"$panic":"far"}"#, r#"{"Err":"far"}"#));
    }
}
