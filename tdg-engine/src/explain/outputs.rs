//! What changed outputs have in common.

use tdg_definition::json::{Number, Pointer, Value};

use super::fields::{Found, by_field, cases, with_any_element};
use super::threshold::between_floats;
use crate::compare::Comparison;

/// Fewer outputs have no pattern.
const LEAST: usize = 3;
/// Numbers with more decimals are not considered rounded.
const DECIMALS: u32 = 8;

/// What all differences of a field have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldChange {
    /// The field, with `*` for any element of an array; the root if the output itself is the
    /// value.
    pub field: Pointer,
    /// The number of cases in which it differs.
    pub cases: usize,
    /// What the differences have in common.
    pub pattern: Pattern,
}

/// How actual values follow from the expected ones.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// All are `null`.
    Null,
    /// All are this value, and the expected ones differ.
    Constant(Value),
    /// The expected value with the other sign.
    SignFlipped,
    /// The expected value, rounded to that many decimals.
    Rounded(u32),
    /// The expected value times this.
    Ratio(f64),
    /// The expected value plus this.
    Offset(f64),
    /// The expected value of the previous case.
    OfCaseBefore,
    /// The expected value of the next case.
    OfCaseAfter,
}

/// What differing outputs have in common, by field; fields without a pattern are left out.
///
/// Rounded numbers may differ from a pattern by their rounding: with two decimals, by half a
/// hundredth.
///
/// ```
/// use tdg_definition::Policy;
/// use tdg_engine::compare::compare;
/// use tdg_engine::explain::{Pattern, changes};
///
/// let exact = Policy::exact();
/// let differing: Vec<_> = [(3, 120.5, 116.885), (12, 88.0, 85.36), (60, 10.0, 9.7)]
///     .map(|(case, expected, actual)| (case, compare(&exact, &expected.into(), &actual.into())))
///     .into();
/// assert_eq!(changes(&differing)[0].pattern, Pattern::Ratio(0.97));
/// ```
pub fn changes(differing: &[(usize, Comparison)]) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    for (field, found) in by_field(differing, with_any_element) {
        if let Some(pattern) = pattern(&found) {
            changes.push(FieldChange {
                field,
                cases: cases(&found),
                pattern,
            });
        }
    }
    changes
}

fn pattern(found: &[Found<'_>]) -> Option<Pattern> {
    if found.len() < LEAST {
        return None;
    }
    let pairs = pairs(found)?;
    if pairs.iter().all(|pair| pair.actual.is_null()) {
        return Some(Pattern::Null);
    }
    let first = pairs[0];
    if pairs.iter().all(|pair| pair.expected == first.expected) {
        // If one value was expected everywhere, many patterns would fit.
        return None;
    }
    if pairs.iter().all(|pair| pair.actual == first.actual) {
        return Some(Pattern::Constant(first.actual.clone()));
    }
    numeric(&pairs).or_else(|| shifted(&pairs))
}

/// The expected and the actual value of a case.
#[derive(Clone, Copy)]
struct Pair<'a> {
    case: usize,
    expected: &'a Value,
    actual: &'a Value,
}

/// `None` if a value is missing or added.
fn pairs<'a>(found: &[Found<'a>]) -> Option<Vec<Pair<'a>>> {
    let mut pairs = Vec::with_capacity(found.len());
    for (case, difference) in found {
        pairs.push(Pair {
            case: *case,
            expected: difference.expected.as_ref()?,
            actual: difference.actual.as_ref()?,
        });
    }
    Some(pairs)
}

/// The expected and the actual number, both finite.
struct Numbers {
    expected: f64,
    actual: f64,
}

fn numeric(pairs: &[Pair<'_>]) -> Option<Pattern> {
    let mut numbers = Vec::with_capacity(pairs.len());
    let (mut before, mut after) = (Some(0), Some(0));
    for pair in pairs {
        let (expected, actual) = (pair.expected.as_number()?, pair.actual.as_number()?);
        before = most(before, decimals(expected));
        after = most(after, decimals(actual));
        let numbers_of_pair = Numbers {
            expected: expected.as_f64(),
            actual: actual.as_f64(),
        };
        if !(numbers_of_pair.expected.is_finite() && numbers_of_pair.actual.is_finite()) {
            return None;
        }
        numbers.push(numbers_of_pair);
    }
    let all = |holds: &dyn Fn(&Numbers) -> bool| numbers.iter().all(holds);
    if all(&|pair| pair.actual == -pair.expected) {
        return Some(Pattern::SignFlipped);
    }
    if let Some(decimals) = after
        && before.is_none_or(|before| before > decimals)
        && all(&|pair| is_near(pair.actual, pair.expected, half_unit(decimals)))
    {
        return Some(Pattern::Rounded(decimals));
    }
    // Rounded numbers may be off by half a unit of their last decimal.
    let rounding = |decimals: Option<u32>| decimals.map_or(0.0, half_unit);
    let (before, after) = (rounding(before), rounding(after));
    ratio(&numbers, 0.0, 0.0)
        .or_else(|| offset(&numbers, 0.0))
        .or_else(|| ratio(&numbers, before, after))
        .or_else(|| offset(&numbers, before + after))
}

/// The shortest ratio that explains all numbers within their rounding.
fn ratio(numbers: &[Numbers], before: f64, after: f64) -> Option<Pattern> {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for pair in numbers {
        let expected = pair.expected.abs();
        if expected <= before {
            // Anything is a multiple of a number that may have been 0.
            return None;
        }
        let ratio = pair.actual / pair.expected;
        let slack = (after + before * ratio.abs()) / expected + ratio.abs() * 1e-12;
        low = low.max(ratio - slack);
        high = high.min(ratio + slack);
    }
    constant(low, high, 1.0).map(Pattern::Ratio)
}

/// The shortest offset that explains all numbers within their rounding.
fn offset(numbers: &[Numbers], rounding: f64) -> Option<Pattern> {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for pair in numbers {
        let offset = pair.actual - pair.expected;
        let slack = rounding + (pair.actual.abs() + pair.expected.abs()) * 1e-12;
        low = low.max(offset - slack);
        high = high.min(offset + slack);
    }
    constant(low, high, 0.0).map(Pattern::Offset)
}

/// The shortest number from `low` to `high`, if the range is narrow compared with the distance
/// from `neutral`.
fn constant(low: f64, high: f64, neutral: f64) -> Option<f64> {
    let effect = (low / 2.0 + high / 2.0 - neutral).abs();
    (low <= high && high - low <= 0.1 * effect).then(|| between_floats(low, high.next_up()))
}

/// Whether the outputs moved by a row. The expected outputs of differing cases alone are known, so
/// most of them must be neighbours.
fn shifted(pairs: &[Pair<'_>]) -> Option<Pattern> {
    // For neighbouring cases, the actual value of one is the expected value of the other.
    let neighbours = || {
        let pairs = pairs.windows(2);
        pairs.filter(|pair| pair[0].case + 1 == pair[1].case)
    };
    if neighbours().count() * 2 < pairs.len() {
        return None;
    }
    if neighbours().all(|pair| pair[1].actual == pair[0].expected) {
        return Some(Pattern::OfCaseBefore);
    }
    neighbours()
        .all(|pair| pair[0].actual == pair[1].expected)
        .then_some(Pattern::OfCaseAfter)
}

/// The number of decimals; `None` if there are too many for a rounded number.
fn decimals(number: Number) -> Option<u32> {
    if number.as_i128().is_some() {
        return Some(0);
    }
    let text = number.to_string();
    let (_, decimals) = text.split_once('.')?;
    let count = decimals.len() as u32;
    (count <= DECIMALS && decimals.bytes().all(|byte| byte.is_ascii_digit())).then_some(count)
}

fn most(left: Option<u32>, right: Option<u32>) -> Option<u32> {
    Some(left?.max(right?))
}

/// Half a unit of the last decimal.
fn half_unit(decimals: u32) -> f64 {
    0.5 / 10_u64.pow(decimals) as f64
}

fn is_near(left: f64, right: f64, distance: f64) -> bool {
    (left - right).abs() <= distance + (left.abs() + right.abs()) * 1e-15
}

#[cfg(test)]
mod tests {
    use super::*;
    use tdg_definition::Policy;

    use crate::compare::compare;
    use tdg_definition::json::parse;

    /// The patterns of consecutive cases with these expected and actual outputs.
    fn found(expected: &[&str], actual: &[&str]) -> Vec<FieldChange> {
        let differing: Vec<_> = expected
            .iter()
            .zip(actual)
            .enumerate()
            .map(|(case, (expected, actual))| {
                let (expected, actual) = (parse(expected).unwrap(), parse(actual).unwrap());
                (case, compare(&Policy::exact(), &expected, &actual))
            })
            .filter(|(_, comparison)| !comparison.is_same())
            .collect();
        changes(&differing)
    }

    fn pattern(expected: &[&str], actual: &[&str]) -> Option<Pattern> {
        let mut changes = found(expected, actual);
        assert!(changes.len() <= 1);
        changes.pop().map(|change| change.pattern)
    }

    fn of_numbers(actual: impl Fn(f64) -> f64) -> Option<Pattern> {
        let expected = [120.5, -88.0, 704.99, 15.25, 3.1875, 0.007];
        let text = |number: f64| Value::from(number).to_string();
        let actual = expected.map(|expected| text(actual(expected)));
        let expected = expected.map(text);
        pattern(
            &expected.each_ref().map(String::as_str),
            &actual.each_ref().map(String::as_str),
        )
    }

    #[test]
    fn a_constant_ratio() {
        assert_eq!(of_numbers(|x| x * 0.97), Some(Pattern::Ratio(0.97)));
        assert_eq!(of_numbers(|x| x * 1e-3), Some(Pattern::Ratio(0.001)));
        assert_eq!(of_numbers(|x| -2.0 * x), Some(Pattern::Ratio(-2.0)));
    }

    #[test]
    fn a_ratio_of_numbers_that_are_rounded_afterwards() {
        let expected = ["120.50", "88.00", "704.99", "15.25", "31.18"];
        let actual = ["116.89", "85.36", "683.84", "14.79", "30.24"];
        assert_eq!(pattern(&expected, &actual), Some(Pattern::Ratio(0.97)));
    }

    #[test]
    fn rounding_is_not_taken_for_a_ratio() {
        assert_eq!(
            pattern(&["3", "4", "5"], &["4", "5", "6"]),
            Some(Pattern::Offset(1.0))
        );
        assert_eq!(pattern(&["1", "2", "7"], &["2", "3", "9"]), None);
    }

    #[test]
    fn a_constant_offset() {
        assert_eq!(of_numbers(|x| x - 12.25), Some(Pattern::Offset(-12.25)));
        assert_eq!(of_numbers(|x| x + 0.1), Some(Pattern::Offset(0.1)));
        assert_eq!(
            pattern(&["0", "10", "250"], &["5", "15", "255"]),
            Some(Pattern::Offset(5.0))
        );
    }

    #[test]
    fn the_other_sign() {
        assert_eq!(of_numbers(|x| -x), Some(Pattern::SignFlipped));
    }

    #[test]
    fn rounding_to_decimals() {
        assert_eq!(
            of_numbers(|x| (x * 10.0).round() / 10.0),
            Some(Pattern::Rounded(1))
        );
        assert_eq!(of_numbers(f64::round), Some(Pattern::Rounded(0)));
        // Off by a hundredth is not rounded to hundredths.
        assert_eq!(
            pattern(&["1.234", "2.345", "7.891"], &["1.23", "2.35", "7.88"]),
            None
        );
    }

    #[test]
    fn values_of_the_case_before_or_after() {
        let values = ["\"a\"", "\"b\"", "\"c\"", "\"d\"", "\"e\"", "\"f\""];
        assert_eq!(
            pattern(&values[1..], &values[..5]),
            Some(Pattern::OfCaseBefore)
        );
        assert_eq!(
            pattern(&values[..5], &values[1..]),
            Some(Pattern::OfCaseAfter)
        );
        let numbers = ["1.5", "2.25", "7", "-3", "11"];
        assert_eq!(
            pattern(&numbers[1..], &numbers[..4]),
            Some(Pattern::OfCaseBefore)
        );
    }

    #[test]
    fn one_value_everywhere() {
        let expected = ["1", "2", "3", "4"];
        assert_eq!(pattern(&expected, &["null"; 4]), Some(Pattern::Null));
        assert_eq!(
            pattern(&expected, &["0"; 4]),
            Some(Pattern::Constant(0.into()))
        );
        let nan = r#"{"$float":"NaN"}"#;
        assert_eq!(
            pattern(&expected, &[nan; 4]),
            Some(Pattern::Constant(f64::NAN.into()))
        );
        assert_eq!(pattern(&["null"; 4], &["null"; 4]), None);
    }

    #[test]
    fn a_constant_expected_value_has_no_pattern() {
        assert_eq!(pattern(&["5"; 4], &["6"; 4]), None);
        assert_eq!(pattern(&["null"; 4], &["1", "2", "3", "4"]), None);
    }

    #[test]
    fn numbers_without_a_pattern_and_few_numbers() {
        assert_eq!(of_numbers(|x| x * x + 1.0), None);
        assert_eq!(pattern(&["1.5", "2.5"], &["3", "5"]), None);
        assert_eq!(
            pattern(&["1e300", "-1e300", "1"], &["-1e300", "1e300", "2"]),
            None
        );
    }

    #[test]
    fn each_field_has_a_pattern_of_its_own() {
        let object = |net: f64, tax: f64| {
            format!(r#"{{"lines":[{{"tax":{tax}}}],"net":{net},"seller":"x"}}"#)
        };
        let net = [100.5, 80.25, 17.0];
        let expected = net.map(|net| object(net, net * 2.0));
        let actual = net.map(|net| object(net + 1.0, net));
        let changes = found(
            &expected.each_ref().map(String::as_str),
            &actual.each_ref().map(String::as_str),
        );
        let told: Vec<_> = changes
            .iter()
            .map(|change| {
                (
                    change.field.to_string(),
                    change.cases,
                    change.pattern.clone(),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("/lines/*/tax".to_owned(), 3, Pattern::Ratio(0.5)),
                ("/net".to_owned(), 3, Pattern::Offset(1.0)),
            ]
        );
    }
}
