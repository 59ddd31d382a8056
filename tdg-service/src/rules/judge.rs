//! What an assertion means.

use std::fmt::Display;

use tdg_definition::Definition;

use super::outputs::{Unordered, parse};
use crate::{Diff, Result, ServiceError};
use tdg_definition::Policy;
use tdg_engine::Vectors;
use tdg_engine::compare::{Comparison, compare};
use tdg_engine::output::Outputs;
use tdg_engine::report::findings_of_changes;

/// The rows whose outputs differ under the benchmark's policy, each with how; `None` if the outputs are as
/// expected, which they are too where the policy allows so many rows to differ.
///
/// # Errors
///
/// [`Invalid`](ServiceError::Invalid) if more would be compared without an order than
/// [`UNORDERED_VALUES`](super::UNORDERED_VALUES), [`Unexpected`](ServiceError::Unexpected) if what was stored can't be
/// read.
pub fn differing(
    expected: &Outputs,
    actual: &Outputs,
    policy: Option<&Policy>,
) -> Result<Option<Vec<(usize, Comparison)>>> {
    if expected.as_json() == actual.as_json() {
        return Ok(None);
    }
    let exact = Policy::exact();
    let policy = policy.unwrap_or(&exact);
    let mut differing = Vec::new();
    let mut unordered = Unordered::default();
    for row in 0..expected.len() {
        let (expected, actual) = (expected.get(row), actual.get(row));
        if expected != actual {
            let (expected, actual) = (parse(expected)?, parse(actual)?);
            unordered.add(policy, &actual, "output_to_assert")?;
            let comparison = compare(policy, &expected, &actual);
            if !comparison.is_same() {
                differing.push((row, comparison));
            }
        }
    }
    Ok((differing.len() > policy.allowed(expected.len())).then_some(differing))
}

/// A definition, from the text that is stored of it.
///
/// # Errors
///
/// [`Unexpected`](ServiceError::Unexpected) if it can't be read.
pub fn stored_definition(text: &str) -> Result<Definition> {
    Definition::parse_recorded(text).map_err(|faults| damaged("definition", &faults))
}

/// The rows of an ensemble and their definition, from the texts that are stored of them.
///
/// # Errors
///
/// [`Unexpected`](ServiceError::Unexpected) if they can't be read.
pub fn stored_rows(definition: &str, rows: &str) -> Result<Vectors> {
    let definition = stored_definition(definition)?;
    Vectors::from_json(&definition, rows).map_err(|error| damaged("rows", &error))
}

fn damaged(what: &str, error: &dyn Display) -> ServiceError {
    ServiceError::Unexpected(format!("the {what} of the ensemble can't be read: {error}"))
}

/// The rows that differ, with their values and both outputs, and what they have in common.
pub fn diff(
    differing: &[(usize, Comparison)],
    vectors: &Vectors,
    expected: &Outputs,
    actual: &Outputs,
) -> Diff {
    let indices: Vec<usize> = differing.iter().map(|(row, _)| *row).collect();
    let mut inputs = Outputs::with_capacity(indices.len());
    let mut text = String::new();
    for row in &indices {
        text.clear();
        vectors.write_row(*row, &mut text);
        inputs.push_text(&text);
    }
    let those = |of: &Outputs| {
        let mut some = Outputs::with_capacity(indices.len());
        indices.iter().for_each(|row| some.push_text(of.get(*row)));
        some
    };
    Diff {
        inputs,
        expected: those(expected),
        actual: those(actual),
        size: expected.len(),
        explanation: findings_of_changes(vectors, vectors.size(), differing),
        indices,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tdg_definition::Tolerance;

    fn rows(expected: &str, actual: &str, policy: Option<&Policy>) -> Option<Vec<usize>> {
        let outputs = |text| Outputs::parse(text).unwrap();
        let differing = differing(&outputs(expected), &outputs(actual), policy).unwrap()?;
        Some(differing.into_iter().map(|(row, _)| row).collect())
    }

    #[test]
    fn outputs_are_compared_by_value() {
        assert_eq!(
            rows(r#"[1,{"a":1,"b":2}]"#, r#"[1.0,{"b":2,"a":1}]"#, None),
            None
        );
        assert_eq!(rows("[1,2,null]", "[1,3,0]", None), Some(vec![1, 2]));
    }

    #[test]
    fn the_policy_decides_what_differs_and_how_many_may() {
        let tolerant = Policy::exact().tolerance(Tolerance::abs(0.1)).unwrap();
        assert_eq!(
            rows("[1.0,1.0]", "[1.05,1.2]", Some(&tolerant)),
            Some(vec![1])
        );
        let lenient = Policy::exact().allow(0.5).unwrap();
        assert_eq!(rows("[1,2]", "[1,3]", Some(&lenient)), None);
        assert_eq!(rows("[1,2]", "[3,3]", Some(&lenient)), Some(vec![0, 1]));
    }

    /// What asserting `[10,21]` where `[10,20]` is expected comes to, of two rows.
    fn diff_of_the_second() -> Diff {
        let vectors = stored_rows(
            r#"{"features": [
                {"type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 9}},
                {"type": "STRING", "distribution": {"type": "constant", "value": "a"}}]}"#,
            r#"[[1,"a"],[2,"a"]]"#,
        )
        .unwrap();
        let outputs = |text| Outputs::parse(text).unwrap();
        let (expected, actual) = (outputs("[10,20]"), outputs("[10,21]"));
        let differing = differing(&expected, &actual, None).unwrap().unwrap();
        diff(&differing, &vectors, &expected, &actual)
    }

    #[test]
    fn a_diff_has_the_rows_and_nothing_else() {
        let diff = diff_of_the_second();
        assert_eq!(diff.inputs.as_json(), r#"[[2,"a"]]"#);
        assert_eq!(diff.expected.as_json(), "[20]");
        assert_eq!(diff.actual.as_json(), "[21]");
        assert_eq!((diff.indices, diff.size), (vec![1], 2));
    }

    #[test]
    fn a_diff_is_explained_as_a_report_is() {
        insta::assert_snapshot!(diff_of_the_second().explanation.join("\n"), @"case 1 changed; the nearest that did not change, case 0, has feature_1 1 instead of 2");
    }

    #[test]
    fn what_is_damaged_is_said() {
        let definition = r#"{"features": [{"type": "INTEGER", "distribution": {"type": "constant", "value": 1}}]}"#;
        insta::assert_snapshot!(stored_rows("{}", "[[1]]").unwrap_err(), @"the definition of the ensemble can't be read: `features` is missing");
        insta::assert_snapshot!(stored_rows(definition, "[[1").unwrap_err(), @"the rows of the ensemble can't be read: row 0: expected the end of the array, `]`, found the end of the text");
    }
}
