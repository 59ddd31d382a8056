//! Compares outputs with a benchmark.

use std::error::Error;

use tdg_definition::json::Value;
use tdg_definition::{Definition, Policy, checkpoint};
use tdg_engine::Vectors;
use tdg_engine::compare::{DifferingCase, DistributionChange, changed_distributions};
use tdg_engine::output::{Outputs, change_of_form};
use tdg_explain::findings_of_changes;
use tdg_report::finding_of_distribution;

use super::outputs::{Unordered, parse};
use crate::{Diff, Result, ServiceError};

/// The differences under a benchmark's policy.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedDifferences {
    /// The rows whose outputs differ, each with its differences.
    pub rows: Vec<DifferingCase>,
    /// The fields whose distribution over all rows differs.
    pub distributions: Vec<DistributionChange>,
}

/// Compares outputs under the benchmark's policy. Returns `None` if they are as expected, or if at
/// most as many rows differ as the policy allows.
///
/// # Errors
///
/// [`Invalid`](ServiceError::Invalid) if more than [`UNORDERED_VALUES`](super::UNORDERED_VALUES)
/// would be compared without an order, [`Unexpected`](ServiceError::Unexpected) if a stored output
/// can't be read.
pub fn differing(
    expected: &Outputs,
    actual: &Outputs,
    policy: Option<&Policy>,
) -> Result<Option<JudgedDifferences>> {
    if expected.as_json() == actual.as_json() {
        return Ok(None);
    }
    let exact = Policy::exact();
    let policy = policy.unwrap_or(&exact);
    let mut rows = Vec::new();
    let mut unordered = Unordered::default();
    let both = |row| -> Result<(Value, Value)> {
        Ok((parse(expected.get(row))?, parse(actual.get(row))?))
    };
    for row in 0..expected.len() {
        checkpoint();
        let (expected_text, actual_text) = (expected.get(row), actual.get(row));
        if expected_text != actual_text {
            let (expected, actual) = both(row)?;
            unordered.add(policy, &actual, "output_to_assert")?;
            let forms = change_of_form(expected_text, actual_text);
            let compared = DifferingCase::compared(policy, row, expected, actual).in_forms(forms);
            if !compared.comparison.is_same() {
                rows.push(compared);
            }
        }
    }
    let distributions = changed_distributions(policy, (0..expected.len()).map(both))?;
    let differs = rows.len() > policy.allowed(expected.len()) || !distributions.is_empty();
    Ok(differs.then_some(JudgedDifferences {
        rows,
        distributions,
    }))
}

/// Reads a definition from its stored text.
///
/// # Errors
///
/// [`Unexpected`](ServiceError::Unexpected) if it can't be read.
pub fn stored_definition(text: &str) -> Result<Definition> {
    Definition::parse_recorded(text).map_err(|faults| damaged("definition", faults))
}

/// Reads the rows of an ensemble from its stored definition and rows.
///
/// # Errors
///
/// [`Unexpected`](ServiceError::Unexpected) if they can't be read.
pub fn stored_rows(definition: &str, rows: &str) -> Result<Vectors> {
    let definition = stored_definition(definition)?;
    Vectors::from_json(&definition, rows).map_err(|error| damaged("rows", error))
}

fn damaged(what: &str, error: impl Error + Send + Sync + 'static) -> ServiceError {
    let message = format!("the {what} of the ensemble can't be read: {error}");
    ServiceError::unexpected(message).caused_by(error)
}

/// The maximum size of a diff's rows and outputs, in bytes of JSON.
pub const DIFF_BYTES: usize = 8 << 20;

/// Returns the differing rows with their values, both outputs, and an explanation. If they would be
/// longer than [`DIFF_BYTES`], only the first rows are included; the explanation covers all rows.
pub fn diff(
    differing: &JudgedDifferences,
    vectors: &Vectors,
    expected: &Outputs,
    actual: &Outputs,
) -> Diff {
    let JudgedDifferences {
        rows,
        distributions,
    } = differing;
    let mut indices: Vec<usize> = Vec::with_capacity(rows.len());
    let mut inputs = Outputs::with_capacity(rows.len());
    let (mut text, mut bytes) = (String::new(), 0);
    for row in rows.iter().map(|it| it.case) {
        text.clear();
        vectors.write_row(row, &mut text);
        // Commas, and an index of at most five digits.
        bytes += text.len() + expected.get(row).len() + actual.get(row).len() + 9;
        if bytes > DIFF_BYTES {
            break;
        }
        inputs.push_text(&text);
        indices.push(row);
    }
    // Outputs are recorded as JSON. If any isn't, the explanation goes without values.
    let values = (0..expected.len()).map(|row| parse(expected.get(row)).ok());
    let values: Option<Vec<Value>> = values.collect();
    let select = |outputs: &Outputs| {
        let mut selected = Outputs::with_capacity(indices.len());
        for row in &indices {
            selected.push_text(outputs.get(*row));
        }
        selected
    };
    let mut explanation: Vec<String> = distributions.iter().map(finding_of_distribution).collect();
    let found = findings_of_changes(vectors, &[], values.as_deref(), &[], rows);
    explanation.extend(found.sentences);
    Diff {
        inputs,
        expected: select(expected),
        actual: select(actual),
        differing: (indices.len() < rows.len()).then_some(rows.len()),
        size: expected.len(),
        explanation,
        indices,
    }
}

#[cfg(test)]
mod tests {
    use std::iter;

    use tdg_definition::Tolerance;

    use super::*;

    fn rows(expected: &str, actual: &str, policy: Option<&Policy>) -> Option<Vec<usize>> {
        let outputs = |text| Outputs::parse(text).unwrap();
        let differing = differing(&outputs(expected), &outputs(actual), policy).unwrap()?;
        Some(differing.rows.into_iter().map(|it| it.case).collect())
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

    #[test]
    fn a_distribution_differs_although_no_row_does() {
        let policy = Policy::exact().distribution("", 0.01).unwrap();
        let outputs = |first: i64| (first..first + 10).map(Value::from).collect::<Vec<_>>();
        let outputs = |first| Outputs::from_iter(&outputs(first));
        let differing = |first| differing(&outputs(0), &outputs(first), Some(&policy)).unwrap();
        assert_eq!(differing(3), None);
        let apart = differing(10).unwrap();
        assert_eq!((apart.rows.len(), apart.distributions.len()), (0, 1));
        let vectors = stored_rows(
            r#"{"features": [{"type": "INTEGER", "distribution": {"type": "constant", "value": 1}}]}"#,
            "[[1],[1],[1],[1],[1],[1],[1],[1],[1],[1]]",
        );
        let diff = diff(&apart, &vectors.unwrap(), &outputs(0), &outputs(10));
        assert_eq!((diff.indices.len(), diff.size), (0, 10));
        insta::assert_snapshot!(diff.explanation.join("\n"), @"the distribution of the output changed: D = 1, p = 1.08e-5 (below 0.01)");
    }

    /// Returns the diff of `[10,21]` against the expected `[10,20]`.
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
    fn a_long_diff_is_cut_at_a_whole_row() {
        const ROWS: usize = 200;
        let value = "a".repeat(60_000);
        let definition = format!(
            r#"{{"features": [{{"type": "STRING", "distribution": {{"type": "constant", "value": "{value}"}}}}]}}"#
        );
        let row = format!("[\"{value}\"]");
        let vectors = stored_rows(
            &definition,
            &format!("[{}]", [row.as_str(); ROWS].join(",")),
        );
        let outputs = |output: &'static Value| Outputs::from_iter(iter::repeat_n(output, ROWS));
        let (expected, actual) = (outputs(&Value::Null), outputs(&Value::Bool(true)));
        let differing = differing(&expected, &actual, None).unwrap().unwrap();
        let diff = diff(&differing, &vectors.unwrap(), &expected, &actual);
        let shown = DIFF_BYTES / (row.len() + "null".len() + "true".len() + 9);
        assert_eq!(diff.indices, (0..shown).collect::<Vec<_>>());
        assert_eq!((diff.differing, diff.size), (Some(ROWS), ROWS));
        assert_eq!((diff.inputs.len(), diff.actual.len()), (shown, shown));
    }

    #[test]
    fn a_diff_is_explained_as_a_report_is() {
        insta::assert_snapshot!(diff_of_the_second().explanation.join("\n"), @"");
    }

    #[test]
    fn stored_values_that_cannot_be_read_are_an_error() {
        let definition = r#"{"features": [{"type": "INTEGER", "distribution": {"type": "constant", "value": 1}}]}"#;
        insta::assert_snapshot!(stored_rows("{}", "[[1]]").unwrap_err(), @"the definition of the ensemble can't be read: `features` is missing");
        insta::assert_snapshot!(stored_rows(definition, "[[1").unwrap_err(), @"the rows of the ensemble can't be read: row 0: expected the end of the array, `]`, found the end of the text");
    }
}
