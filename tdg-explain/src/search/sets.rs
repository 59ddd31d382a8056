//! Sets of values, learned from the rows: `first digit of n one of 5, 6, 7`.

use std::f64::consts::LN_2;

use tdg_definition::math::ln;
use tdg_definition::sort;

use super::super::attribute::Measure;
use super::super::bits;
use super::super::catalogue::{AttributeValues, Catalogue};
use super::super::condition::{AttributeCondition, Question};
use super::super::score::SideCounts;
use super::super::value::AttributeValue;
use super::Target;

/// The maximum number of values of a set.
const VALUES: usize = 14;
/// A set ends after this many values in a row without improvement.
const PATIENCE: usize = 4;

/// Adds the best set of values for each attribute, in both directions, among all or the given rows.
pub(super) fn learn(
    catalogue: &mut Catalogue<'_, '_>,
    target: &Target<'_>,
    within: Option<(&[u64], SideCounts)>,
) {
    let population = within.map_or(target.population, |(_, population)| population);
    for wants_inside in [true, false] {
        learn_by(catalogue, &|covered| {
            let mut masked = covered.to_vec();
            if let Some((rows, _)) = within {
                bits::keep(&mut masked, rows, false);
            }
            let counts = match wants_inside {
                true => target.counts(&masked),
                false => population.without(target.counts(&masked)),
            };
            target.tables.information(population, counts)
        });
    }
}

/// Adds the set of values with the most information, for each attribute.
pub(super) fn learn_by(catalogue: &mut Catalogue<'_, '_>, information: &dyn Fn(&[u64]) -> f64) {
    let sets = catalogue.sets.iter();
    let sets = sets.filter_map(|values| best_set(values, information));
    let learnt: Vec<_> = sets
        .map(|(mut condition, bits)| {
            let attribute = &catalogue.attributes[condition.attribute];
            // Nobody writes code for texts without some letters.
            condition.has_negation = !matches!(attribute.measure, Measure::Texts(_));
            (condition, bits)
        })
        .collect();
    for (condition, bits) in learnt {
        catalogue.add(condition, &bits);
    }
}

fn best_set<'t>(
    values: &AttributeValues<'t>,
    information: &dyn Fn(&[u64]) -> f64,
) -> Option<(AttributeCondition<'t>, Vec<u64>)> {
    let count = values.values.len();
    let score = |covered: &[u64], size| information(covered) - ln_choose(count, size);
    let mut chosen = grown(values, score)?;
    if chosen.len() < 2 {
        return None;
    }
    sort::by(&mut chosen, Ord::cmp);
    let bits = rows_of(values, &chosen);
    let scalars: Vec<AttributeValue<'t>> =
        chosen.iter().map(|index| values.values[*index].0).collect();
    let condition = AttributeCondition {
        attribute: values.attribute,
        question: Question::OneOf(scalars),
        has_negation: true,
        // The size of the set, and the choice of the set. A set is one more kind of question.
        cost: values.cost + LN_2 + ln(count as f64) + ln_choose(count, chosen.len()),
    };
    Some((condition, bits))
}

/// Repeatedly adds the best value, and returns the best set on the way.
fn grown(values: &AttributeValues<'_>, score: impl Fn(&[u64], usize) -> f64) -> Option<Vec<usize>> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut covered = rows_of(values, &chosen);
    let (mut best, mut best_score) = (Vec::new(), 0.0);
    while chosen.len() < VALUES.min(values.values.len() - 1) && chosen.len() < best.len() + PATIENCE
    {
        let mut next: Option<(f64, usize)> = None;
        for (index, (_, rows)) in values.values.iter().enumerate() {
            if chosen.contains(&index) {
                continue;
            }
            let mut with = covered.clone();
            bits::add(&mut with, rows);
            let score = score(&with, chosen.len() + 1);
            if next.is_none_or(|(best, _)| score > best) {
                next = Some((score, index));
            }
        }
        let (score, index) = next?;
        bits::add(&mut covered, &values.values[index].1);
        chosen.push(index);
        if score > best_score {
            (best, best_score) = (chosen.clone(), score);
        }
    }
    Some(best)
}

fn rows_of(values: &AttributeValues<'_>, chosen: &[usize]) -> Vec<u64> {
    let mut rows = vec![0; values.values[0].1.len()];
    for index in chosen {
        bits::add(&mut rows, &values.values[*index].1);
    }
    rows
}

/// Returns the logarithm of the number of ways to choose `size` of `count`.
fn ln_choose(count: usize, size: usize) -> f64 {
    (0..size)
        .map(|taken| ln((count - taken) as f64) - ln((taken + 1) as f64))
        .sum()
}
