//! What outputs that changed have in common.

use tdg_definition::json::{Number, Pointer, Value};

use super::fields::{Found, by_field, with_any_element};
use super::threshold::between_floats;
use crate::compare::Comparison;

/// Fewer outputs than these have nothing in common worth saying.
const LEAST: usize = 3;
/// Numbers have at most so many decimals to be taken for rounded.
const DECIMALS: u32 = 8;

/// What all differences of a field have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The field, `*` standing for any element of an array; the root if the output itself is the value.
    pub field: Pointer,
    /// In how many cases it differs.
    pub cases: usize,
    /// What the differences have in common.
    pub pattern: Pattern,
}

/// How actual values follow from the expected ones.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// They are `null`.
    Null,
    /// They are this one value, which was expected nowhere.
    Constant(Value),
    /// They are the expected ones with the other sign.
    SignFlipped,
    /// They are the expected ones, rounded to so many decimals.
    Rounded(u32),
    /// They are this many times the expected ones.
    Ratio(f64),
    /// They are larger than the expected ones by this, in the output's unit.
    Offset(f64),
    /// They are what was expected of the case before.
    OfCaseBefore,
    /// They are what was expected of the case after.
    OfCaseAfter,
}

/// What the outputs that differ have in common, field by field; fields without a pattern are left out.
///
/// Numbers may differ from what a pattern says by as much as they are rounded: where all of them have two decimals,
/// by half a hundredth.
///
/// ```
/// use tdg::compare::Policy;
/// use tdg::explain::{Pattern, changes};
///
/// let exact = Policy::exact();
/// let differing: Vec<_> = [(3, 120.5, 116.885), (12, 88.0, 85.36), (60, 10.0, 9.7)]
///     .map(|(case, expected, actual)| (case, exact.compare(&expected.into(), &actual.into())))
///     .into();
/// assert_eq!(changes(&differing)[0].pattern, Pattern::Ratio(0.97));
/// ```
pub fn changes(differing: &[(usize, Comparison)]) -> Vec<Change> {
    let mut changes = Vec::new();
    for (field, found) in by_field(differing, with_any_element) {
        if let Some(pattern) = pattern(&found) {
            let cases = super::fields::cases(&found);
            changes.push(Change {
                field,
                cases,
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
        // Whatever became of it can be called by many names.
        return None;
    }
    if pairs.iter().all(|pair| pair.actual == first.actual) {
        return Some(Pattern::Constant(first.actual.clone()));
    }
    numeric(&pairs).or_else(|| shifted(&pairs))
}

/// What was expected in a case, and what came.
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

/// Finite numbers that were expected and came.
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
    // What is rounded by itself may be off by half a unit of its last decimal.
    let rounding = |decimals: Option<u32>| decimals.map_or(0.0, half_unit);
    let (before, after) = (rounding(before), rounding(after));
    ratio(&numbers, before, after).or_else(|| offset(&numbers, before + after))
}

/// The shortest ratio that explains all numbers, each rounded by at most so much.
fn ratio(numbers: &[Numbers], before: f64, after: f64) -> Option<Pattern> {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for pair in numbers {
        let expected = pair.expected.abs();
        if expected <= before {
            // Of what may have been 0, anything is a multiple.
            return None;
        }
        let ratio = pair.actual / pair.expected;
        let slack = (after + before * ratio.abs()) / expected + ratio.abs() * 1e-12;
        low = low.max(ratio - slack);
        high = high.min(ratio + slack);
    }
    constant(low, high, 1.0).map(Pattern::Ratio)
}

/// The shortest offset that explains all numbers, off by at most so much.
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

/// The shortest number from `low` to `high`, if these determine well how far it is from `neutral`.
fn constant(low: f64, high: f64, neutral: f64) -> Option<f64> {
    let effect = (low / 2.0 + high / 2.0 - neutral).abs();
    (low <= high && high - low <= 0.1 * effect).then(|| between_floats(low, high.next_up()))
}

/// Whether the outputs moved by a row. What a case has to be compared with is known of cases that differ alone; most
/// have to have such a neighbour.
fn shifted(pairs: &[Pair<'_>]) -> Option<Pattern> {
    // Each pair of neighbours among the differing cases: the actual value of one is the expected one of the other.
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

/// How many decimals a number has; `None` if they are more than those of rounded numbers.
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

/// Half a unit of the last of so many decimals.
fn half_unit(decimals: u32) -> f64 {
    0.5 / 10_u64.pow(decimals) as f64
}

fn is_near(left: f64, right: f64, distance: f64) -> bool {
    (left - right).abs() <= distance + (left.abs() + right.abs()) * 1e-15
}
