//! Integers that aren't exact as floats: offsets and changed signs.

use super::ChangePattern;
use super::pairs::{Pairs, PatternCandidate, most_frequent};

/// Floats can't represent all larger integers.
const EXACT: u128 = 1 << f64::MANTISSA_DIGITS;

type IntegerFunction = (&'static str, fn(i128) -> Option<i128>);

const FUNCTIONS: [IntegerFunction; 2] = [
    ("−expected", i128::checked_neg),
    ("|expected|", i128::checked_abs),
];

/// Finds patterns of integers, if some are too large for the patterns of numbers.
pub(super) fn integers<'a>(pairs: &'a Pairs<'a>) -> Vec<PatternCandidate<'a>> {
    let own = pairs.sample.iter();
    let own: Vec<_> = own.filter_map(|it| both(pairs, *it, *it)).collect();
    let is_large = |it: i128| it.unsigned_abs() > EXACT;
    if !own.iter().any(|(x, y)| is_large(*x) || is_large(*y)) {
        return Vec::new();
    }
    let candidate = |pattern, function: Box<dyn Fn(i128) -> Option<i128> + 'a>| {
        let both = |left, right| both(pairs, left, right);
        PatternCandidate::from_values(pattern, both, move |x, y| x != y && function(x) == Some(y))
    };
    let of_function = |(name, function): IntegerFunction| PatternCandidate {
        choices: FUNCTIONS.len(),
        ..candidate(ChangePattern::Equals(name.to_owned()), Box::new(function))
    };
    let mut candidates: Vec<_> = FUNCTIONS.map(of_function).into();
    let offsets = own.iter().filter_map(|(x, y)| y.checked_sub(*x));
    if let Some(offset) = most_frequent(offsets.collect())
        && offset.unsigned_abs() <= EXACT
    {
        let pattern = ChangePattern::Plus("expected".to_owned(), offset as f64);
        candidates.push(PatternCandidate {
            fitted: 1,
            ..candidate(pattern, Box::new(move |x| x.checked_add(offset)))
        });
    }
    candidates
}

fn both(pairs: &Pairs<'_>, left: usize, right: usize) -> Option<(i128, i128)> {
    let expected = pairs.expected(left).as_number()?.as_i128()?;
    Some((expected, pairs.actual(right).as_number()?.as_i128()?))
}
