//! Fields whose distribution over all cases is compared with the expected one.

use hmac_sha256::Hash;
use tdg_definition::json::{Number, Pointer, Value};
use tdg_definition::policy::FieldDistribution;
use tdg_definition::{Policy, sort};

use super::kolmogorov_smirnov::{largest_gap, p_value};

/// A field whose distribution isn't the expected one.
#[derive(Clone, Debug, PartialEq)]
pub struct DistributionChange {
    /// The field, and the p-value below which its distribution has changed.
    pub field: FieldDistribution,
    /// The Kolmogorov–Smirnov statistic D, the largest difference between the shares of values up
    /// to any point.
    pub statistic: f64,
    /// The probability of this or a larger difference arising by chance.
    pub p_value: f64,
    /// The values of the benchmark.
    pub expected: FieldSample,
    /// The values of the function.
    pub actual: FieldSample,
}

/// The values of a field, one for each case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldSample {
    /// Sorted.
    points: Vec<SamplePoint>,
}

/// A value that can be ordered among all values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SamplePoint {
    /// The output doesn't have the field.
    Missing,
    Null,
    /// NaN comes after all other numbers.
    Number(Number),
    /// Any other value, by its digest, because the value can be as large as the output.
    Other([u8; 32]),
}

/// Returns the fields whose distributions differ between expected and actual outputs of the same
/// cases.
///
/// Values of all kinds are ordered together, so that a share of `null`, NaN, `Err`s or missing
/// fields is part of the distribution.
///
/// # Errors
/// Returns the first error of a case.
pub fn changed_distributions<E>(
    policy: &Policy,
    cases: impl Iterator<Item = Result<(Value, Value), E>>,
) -> Result<Vec<DistributionChange>, E> {
    let fields = FieldDistribution::all(policy);
    if fields.is_empty() {
        return Ok(Vec::new());
    }
    let mut samples = vec![(FieldSample::default(), FieldSample::default()); fields.len()];
    for outputs in cases {
        let (expected, actual) = outputs?;
        for (field, (before, now)) in fields.iter().zip(&mut samples) {
            before.add(&field.pointer, &expected);
            now.add(&field.pointer, &actual);
        }
    }
    let compared = fields.into_iter().zip(samples);
    let changed = compared.filter_map(|(field, (mut expected, mut actual))| {
        sort::by(&mut expected.points, SamplePoint::cmp);
        sort::by(&mut actual.points, SamplePoint::cmp);
        let size = expected.points.len();
        let gap = largest_gap(&expected.points, &actual.points);
        let p_value = p_value(size, gap);
        (p_value < field.level).then(|| DistributionChange {
            field,
            statistic: gap as f64 / size as f64,
            p_value,
            expected,
            actual,
        })
    });
    Ok(changed.collect())
}

impl FieldSample {
    fn add(&mut self, field: &Pointer, output: &Value) {
        self.points.push(match field.find_in(output) {
            None => SamplePoint::Missing,
            Some(Value::Null) => SamplePoint::Null,
            Some(Value::Number(number)) => SamplePoint::Number(*number),
            Some(value) => SamplePoint::Other(Hash::hash(value.to_string().as_bytes())),
        });
    }

    /// Returns the finite numbers, sorted.
    pub fn numbers(&self) -> Vec<f64> {
        let number = |point: &SamplePoint| match point {
            SamplePoint::Number(number) => Some(number.as_f64()),
            _ => None,
        };
        let numbers = self.points.iter().filter_map(number);
        numbers.filter(|number| number.is_finite()).collect()
    }

    /// Returns the kinds of the values that aren't finite numbers, in order: `missing`, `null`.
    pub fn others(&self) -> Vec<&'static str> {
        let kind = |point: &SamplePoint| match point {
            SamplePoint::Missing => Some("missing"),
            SamplePoint::Null => Some("null"),
            SamplePoint::Number(number) if number.as_f64().is_nan() => Some("NaN"),
            SamplePoint::Number(number) if number.as_f64().is_infinite() => Some("infinite"),
            SamplePoint::Number(_) => None,
            SamplePoint::Other(_) => Some("no number"),
        };
        self.points.iter().filter_map(kind).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::compare;

    /// Returns the fields whose distributions differ between these outputs of 20 cases.
    fn changed(
        policy: &Policy,
        expected: impl Fn(i64) -> Value,
        actual: impl Fn(i64) -> Value,
    ) -> Vec<String> {
        let cases = (0..20).map(|case| Ok::<_, ()>((expected(case), actual(case))));
        let changed = changed_distributions(policy, cases).unwrap().into_iter();
        changed.map(|it| it.field.pointer.to_string()).collect()
    }

    fn whole() -> Policy {
        Policy::exact().distribution("", 1e-3).unwrap()
    }

    #[test]
    fn the_order_of_the_cases_does_not_matter() {
        let backwards = changed(&whole(), Value::from, |case| Value::from(19 - case));
        assert!(backwards.is_empty());
        assert_eq!(
            changed(&whole(), Value::from, |case| Value::from(case + 15)),
            [""]
        );
        assert!(changed(&whole(), Value::from, |case| Value::from(case + 5)).is_empty());
    }

    #[test]
    fn non_numbers_are_a_part_of_the_distribution() {
        let rarely = |value: Value| {
            move |case| {
                if case < 3 {
                    value.clone()
                } else {
                    Value::from(case)
                }
            }
        };
        let often = |value: Value| {
            move |case| {
                if case < 17 {
                    value.clone()
                } else {
                    Value::from(case)
                }
            }
        };
        for value in [
            Value::Null,
            Value::from(f64::NAN),
            Value::from("none"),
            Value::from(false),
        ] {
            assert!(changed(&whole(), Value::from, rarely(value.clone())).is_empty());
            assert_eq!(changed(&whole(), Value::from, often(value)), [""]);
        }
    }

    #[test]
    fn a_missing_field_is_not_null() {
        let policy = Policy::exact().distribution("/a", 1e-3).unwrap();
        let with = |_| Value::object([("a", Value::Null)]);
        let without = |_| Value::object([("b", Value::Null)]);
        assert_eq!(changed(&policy, with, without), ["/a"]);
        assert!(changed(&policy, without, without).is_empty());
    }

    #[test]
    fn an_err_in_place_of_a_drawn_ok_is_a_change_unless_errs_are_ignored() {
        let draws = Policy::exact().distribution("/Ok", 1e-3).unwrap();
        let outcome = |name| Value::object([(name, Value::from(1))]);
        let is_same = |policy: &Policy| compare(policy, &outcome("Ok"), &outcome("Err")).is_same();
        assert!(!is_same(&draws));
        let draws = draws.ignore("/Err").unwrap();
        assert!(is_same(&draws));
        assert_eq!(
            changed(&draws, |_| outcome("Ok"), |_| outcome("Err")),
            ["/Ok"]
        );
    }

    #[test]
    fn each_of_two_fields_has_half_of_the_rate() {
        let policy = |ks| {
            let policy = Policy::exact().distribution("/a", ks);
            policy
                .and_then(|policy| policy.distribution("/b", ks))
                .unwrap()
        };
        let output = |shift| {
            move |case| Value::object([("a", Value::from(case)), ("b", Value::from(case + shift))])
        };
        // A gap of 10 of 20 has p = 0.0123.
        assert_eq!(changed(&policy(0.03), output(0), output(10)), ["/b"]);
        assert!(changed(&policy(0.02), output(0), output(10)).is_empty());
    }
}
