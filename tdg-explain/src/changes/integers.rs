//! Offsets and changed signs of integers, which may be too large for floats.

use super::ChangePattern;
use super::pairs::{Pairs, PatternCandidate, most_frequent};

type IntegerFunction = (&'static str, fn(i128) -> Option<i128>);

const FUNCTIONS: [IntegerFunction; 2] = [
    ("−expected", i128::checked_neg),
    ("|expected|", i128::checked_abs),
];

/// Finds patterns of integers.
pub(super) fn integers<'a>(pairs: &'a Pairs<'a>) -> Vec<PatternCandidate<'a>> {
    let own = pairs.sample.iter();
    let own: Vec<_> = own.filter_map(|it| both(pairs, *it, *it)).collect();
    if own.is_empty() {
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
    if let Some(offset) = most_frequent(offsets.collect()).filter(|it| *it != 0) {
        let sign = if offset < 0 { '−' } else { '+' };
        let pattern = ChangePattern::Equals(format!("expected {sign} {}", offset.unsigned_abs()));
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
