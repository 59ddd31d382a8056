//! A value each with its probability.

use std::collections::HashMap;
use std::hash::Hash;

use tdg_definition::math::ln;

use crate::candidate::Candidate;
use crate::document::Json;
use crate::math::shares;

/// More categories are nothing to edit.
pub(crate) const MOST: usize = 1_000;

/// The distinct values, the most frequent first, with how many there are; nothing if there are more than [`MOST`].
pub(crate) fn distinct<T: Copy + Eq + Hash + Ord>(
    values: impl Iterator<Item = T>,
) -> Option<Vec<(T, f64)>> {
    let mut counts: HashMap<T, f64> = HashMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1.0;
        if counts.len() > MOST {
            return None;
        }
    }
    let mut counts: Vec<(T, f64)> = counts.into_iter().collect();
    counts.sort_by(|(one, often), (other, seldom)| {
        seldom.total_cmp(often).then_with(|| one.cmp(other))
    });
    Some(counts)
}

/// Categories in that order. To write a value down costs `cost` nats.
pub(crate) fn categorical<T>(
    counts: &[(T, f64)],
    cost: f64,
    text: impl Fn(&T) -> Json,
) -> Candidate {
    let numbers: Vec<f64> = counts.iter().map(|(_, count)| *count).collect();
    let total: f64 = numbers.iter().sum();
    let category = |((value, _), share): (&(T, f64), &f64)| {
        Json::Object(vec![
            ("value", text(value)),
            ("probability", Json::number(*share)),
        ])
    };
    let shares = shares(&numbers);
    let categories = counts.iter().zip(&shares).map(category).collect();
    Candidate {
        name: "categorical",
        parameters: vec![("categories", Json::Array(categories))],
        chosen: counts.len() - 1,
        written: counts.len() as f64 * cost,
        ln_likelihood: numbers.iter().map(|count| count * ln(count / total)).sum(),
    }
}
