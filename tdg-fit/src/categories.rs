//! Categories: values with their probabilities.

use std::collections::HashMap;
use std::hash::Hash;

use tdg_definition::math::ln;

use crate::candidate::Candidate;
use crate::document::Json;
use crate::math::shares;

/// The maximum number of categories. More could not be edited.
const MAX_CATEGORIES: usize = 1_000;

/// Returns the distinct values with their counts, most frequent first, or `None` if there are more
/// than [`MAX_CATEGORIES`].
pub(crate) fn distinct<T: Copy + Eq + Hash + Ord>(
    values: impl Iterator<Item = T>,
) -> Option<Vec<(T, f64)>> {
    let mut counts: HashMap<T, f64> = HashMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1.0;
        if counts.len() > MAX_CATEGORIES {
            return None;
        }
    }
    let mut counts: Vec<(T, f64)> = counts.into_iter().collect();
    counts.sort_by(|(one, often), (other, seldom)| {
        seldom.total_cmp(often).then_with(|| one.cmp(other))
    });
    Some(counts)
}

/// Returns a distribution of categories in the given order. Listing a value costs `cost` nats.
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
        fitted: counts.len() - 1,
        listing: counts.len() as f64 * cost,
        ln_likelihood: numbers.iter().map(|count| count * ln(count / total)).sum(),
    }
}
