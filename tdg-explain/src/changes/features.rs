//! Actual values that equal a feature.

use tdg_definition::json::Value;

use super::ChangePattern;
use super::pairs::{Pairs, PatternCandidate};
use tdg_engine::generate::{Vectors, cell_value};

/// The minimum share of actual values that equal each of two features.
const SHARE: f64 = 0.1;
/// The number of features that are tried in pairs.
const IN_TWOS: usize = 8;

/// Finds patterns such as `actual = c` and `actual = a or b`.
pub(super) fn features<'a>(pairs: &'a Pairs<'a>) -> Vec<PatternCandidate<'a>> {
    let width = pairs.vectors.width();
    let is = |feature: usize, left: usize, right: usize| {
        let value = value(pairs.vectors, feature, pairs.pairs[left].row);
        let actual = pairs.actual(right);
        !value.is_null() && value == *actual
    };
    let mut shares: Vec<(usize, Vec<bool>)> = (0..width)
        .map(|feature| {
            let held = pairs.sample.iter().map(|index| is(feature, *index, *index));
            (feature, held.collect())
        })
        .collect();
    let least = SHARE * pairs.sample.len() as f64;
    let count = |held: &[bool]| held.iter().filter(|held| **held).count();
    shares.retain(|(_, held)| count(held) as f64 >= least);
    let name = |feature: usize| pairs.vectors.name(feature).to_owned();
    let mut candidates = Vec::new();
    for &(feature, _) in &shares {
        candidates.push(PatternCandidate {
            choices: width,
            ..PatternCandidate::new(ChangePattern::Equals(name(feature)), move |left, right| {
                is(feature, left, right)
            })
        });
    }
    shares.truncate(IN_TWOS);
    for (index, (left, of_left)) in shares.iter().enumerate() {
        for (right, of_right) in &shares[index + 1..] {
            let only = |one: &[bool], other: &[bool]| {
                let both = one.iter().zip(other);
                both.filter(|(one, other)| **one && !**other).count() as f64 >= least
            };
            if !only(of_left, of_right) || !only(of_right, of_left) {
                continue;
            }
            let (one, two) = (*left, *right);
            candidates.push(PatternCandidate {
                choices: width * width,
                for_all: true,
                ..PatternCandidate::new(
                    ChangePattern::OneOf(name(one), name(two)),
                    move |left, right| is(one, left, right) || is(two, left, right),
                )
            });
        }
    }
    candidates
}

/// Returns the value of a feature in a row.
pub(super) fn value(vectors: &Vectors, position: usize, row: usize) -> Value {
    cell_value(vectors.column(position), row)
}
