//! What an assertion means.

use tdg_definition::json;

use crate::{
    compare::Policy,
    output::Outputs,
    service::{Diff, Result, ServiceError},
};

/// The rows whose outputs differ under the benchmark's policy; `None` if the outputs are as expected, which
/// some rows more or less may be where the policy allows a share of them to differ.
///
/// # Errors
///
/// [`Unexpected`](ServiceError::Unexpected) if what was stored can't be read.
pub fn differing(
    expected: &Outputs,
    actual: &Outputs,
    policy: Option<&Policy>,
) -> Result<Option<Vec<usize>>> {
    if expected.as_json() == actual.as_json() {
        return Ok(None);
    }
    let exact = Policy::exact();
    let policy = policy.unwrap_or(&exact);
    let mut rows = Vec::new();
    for row in 0..expected.len() {
        let (expected, actual) = (expected.get(row), actual.get(row));
        if expected != actual {
            let (expected, actual) = (parse(expected)?, parse(actual)?);
            if !policy.compare(&expected, &actual).is_same() {
                rows.push(row);
            }
        }
    }
    Ok((rows.len() > policy.allowed(expected.len())).then_some(rows))
}

/// Those rows with their values and both outputs.
pub fn diff(rows: Vec<usize>, vectors: &Outputs, expected: &Outputs, actual: &Outputs) -> Diff {
    let those = |of: &Outputs| {
        let mut some = Outputs::with_capacity(rows.len());
        rows.iter().for_each(|row| some.push_text(of.get(*row)));
        some
    };
    Diff {
        inputs: those(vectors),
        expected: those(expected),
        actual: those(actual),
        size: expected.len(),
        indices: rows,
    }
}

fn parse(text: &str) -> Result<json::Value> {
    let damaged = |error| ServiceError::Unexpected(format!("an output can't be read: {error}"));
    json::parse(text).map_err(damaged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tolerance;

    fn rows(expected: &str, actual: &str, policy: Option<&Policy>) -> Option<Vec<usize>> {
        let outputs = |text| Outputs::parse(text).unwrap();
        differing(&outputs(expected), &outputs(actual), policy).unwrap()
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
    fn a_diff_has_the_rows_and_nothing_else() {
        let outputs = |text| Outputs::parse(text).unwrap();
        let diff = diff(
            vec![1],
            &outputs(r#"[[1,"a"],[2,"b"]]"#),
            &outputs("[10,20]"),
            &outputs("[10,21]"),
        );
        assert_eq!(diff.inputs.as_json(), r#"[[2,"b"]]"#);
        assert_eq!(diff.expected.as_json(), "[20]");
        assert_eq!(diff.actual.as_json(), "[21]");
        assert_eq!((diff.indices, diff.size), (vec![1], 2));
    }
}
