//! The features that make the change come or go.

use std::collections::BTreeSet;

use tdg_definition::json::Value;
use tdg_engine::compare::Part;

use super::Conditions;
use super::observed_rows::{ObservedRows, rows_with};
use crate::error::Result;

/// The rows of each side whose values are replaced.
const ROWS: usize = 60;
/// The values that replace each.
const VALUES: usize = 4;

/// The features that make the change come or go.
pub(super) struct Relevance {
    /// Their positions, in order.
    pub(super) features: Vec<usize>,
    pub(super) flips: Vec<Flip>,
}

/// A changed row and an unchanged one that differ in one feature.
pub(super) struct Flip {
    pub(super) feature: usize,
    pub(super) rows: [usize; 2],
}

/// A row with another value of a feature.
struct Replaced {
    feature: usize,
    from: usize,
    row: Value,
}

/// Replaces the value of one feature at a time.
pub(super) fn relevance(
    conditions: &Conditions<'_>,
    observed: &mut ObservedRows<'_>,
    question: &Part,
) -> Result<Relevance> {
    let states = observed.states(question);
    let replaced = replaced_rows(conditions, observed, &states);
    let positions = observed.add(replaced.iter().map(|it| it.row.clone()).collect())?;
    let states = observed.states(question);
    let mut found = Relevance {
        features: Vec::new(),
        flips: Vec::new(),
    };
    let mut features = BTreeSet::new();
    for (Replaced { feature, from, .. }, to) in replaced.iter().zip(positions) {
        if let [Some(one), Some(other)] = [states[*from], states[to]]
            && one != other
        {
            features.insert(*feature);
            let (feature, rows) = (*feature, [*from, to]);
            found.flips.push(Flip { feature, rows });
        }
    }
    found.features.extend(features);
    Ok(found)
}

fn replaced_rows(
    conditions: &Conditions<'_>,
    observed: &ObservedRows<'_>,
    states: &[Option<bool>],
) -> Vec<Replaced> {
    let chosen = [true, false].map(|state| rows_with(states, state, ROWS));
    let features = conditions.definition.features().iter().enumerate();
    let taken = features.filter(|(_, it)| conditions.takes.has(it.name()));
    let size = observed.rows.len();
    let replaced = taken.flat_map(move |(feature, _)| {
        let rows = chosen.clone().into_iter().flatten().enumerate();
        rows.flat_map(move |(number, from)| {
            // A fixed stride visits rows of all kinds.
            let others = (1..=VALUES).map(move |it| (from + it * (7919 + 31 * number)) % size);
            others.map(move |other| (feature, from, other))
        })
    });
    let replaced = replaced.filter_map(|(feature, from, other)| {
        let mut row = observed.rows[from].as_array()?.to_vec();
        row[feature].clone_from(observed.rows[other].as_array()?.get(feature)?);
        let row = Value::Array(row);
        Some(Replaced { feature, from, row })
    });
    let is_new = |it: &Replaced| it.row != observed.rows[it.from] && conditions.admit(&it.row);
    replaced.filter(is_new).collect()
}
