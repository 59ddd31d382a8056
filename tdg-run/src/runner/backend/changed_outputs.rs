//! The outputs of the changed cases, which a run keeps for readers elsewhere.

use tdg_definition::Policy;
use tdg_definition::json::{self, Value};
use tdg_engine::compare::DifferingCase;
use tdg_engine::output::Outputs;

/// The maximum in bytes. More than that is dropped altogether, since a part would mislead.
const MOST: usize = 32 * 1024;
/// The bytes of a case's number and the syntax around it.
const OF_CASE: usize = 12;

/// Returns the changed cases with their outputs, unless these take too many bytes.
pub(crate) fn changed_outputs(
    policy: &Policy,
    expected: &Outputs,
    actual: &Outputs,
) -> Vec<(usize, Value)> {
    let mut kept = Vec::new();
    let mut bytes = 0;
    for case in 0..expected.len().min(actual.len()) {
        let (before, now) = (expected.get(case), actual.get(case));
        if before == now {
            continue;
        }
        let compared = DifferingCase::of_outputs(policy, case, before, now);
        let (Ok(compared), Ok(now)) = (compared, json::parse(now)) else {
            return Vec::new();
        };
        if !compared.comparison.is_same() {
            bytes += OF_CASE + actual.get(case).len();
            kept.push((case, now));
        }
        if bytes > MOST {
            return Vec::new();
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use tdg_definition::Tolerance;

    use super::*;

    #[test]
    fn all_changed_cases_are_kept_or_none() {
        let expected = Outputs::parse("[1.0, 2.0, 3.0, 4.0]").unwrap();
        let actual = Outputs::parse("[1.0, 2.0000000001, 3.5, null]").unwrap();
        let policy = Policy::exact().tolerance(Tolerance::abs(1e-6)).unwrap();
        let kept = changed_outputs(&policy, &expected, &actual);
        assert_eq!(kept, [(2, Value::from(3.5)), (3, Value::Null)]);
        let many =
            |text: &str| Outputs::parse(&format!("[{}]", vec![text; 5000].join(","))).unwrap();
        assert!(changed_outputs(&policy, &many("1"), &many("2")).is_empty());
    }
}
