//! Correlated numbers: a Gaussian copula.

use std::collections::HashMap;

use super::{Declared, DrawnRows, Supplied};
use crate::fault::{Fault, Faults, Invalid, invalid};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::{Pointer, Value};
use crate::sort;

mod cholesky;
mod group;

use group::CorrelatedGroup;

pub(super) const NAME: &str = "correlations";

/// Pairs of correlated features. Unlisted pairs have correlation 0. Connected features form a
/// [group](CorrelatedGroup).
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Correlations {
    pairs: Vec<CorrelatedPair>,
    groups: Vec<CorrelatedGroup>,
}

/// The place of each pair in the list.
type PairPlaces = HashMap<[usize; 2], usize>;

/// The positions of two features, in order, and their correlation, which isn't 0.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CorrelatedPair {
    features: [usize; 2],
    correlation: f64,
}

pub(super) fn read(fields: &mut Fields<'_>, features: &Declared<'_>) -> Option<Correlations> {
    if !fields.has(NAME) {
        fields.ignore(&[NAME]);
        return Some(Correlations::default());
    }
    let list = fields.list(NAME)?;
    let pointer = fields.pointer().child(NAME);
    let mut pairs: Vec<CorrelatedPair> = Vec::with_capacity(list.len());
    let mut places: PairPlaces = HashMap::with_capacity(list.len());
    let mut all_well = true;
    for (index, value) in list.iter().enumerate() {
        let pointer = pointer.child(index.to_string());
        let Some(pair) = read_pair(value, pointer.clone(), features, fields.faults()) else {
            all_well = false;
            continue;
        };
        if let Some(first) = places.insert(pair.features, index) {
            all_well = false;
            fields.faults().push(Fault {
                pointer: pointer.child("features"),
                message: format!("is the same pair as /{NAME}/{first}; keep one of the two"),
            });
        }
        pairs.push(pair);
    }
    if !all_well {
        return None;
    }
    let mut groups = Vec::new();
    for members in connected(&pairs, features.count()) {
        match CorrelatedGroup::new(members, &pairs, &places, features) {
            Ok(group) => groups.push(group),
            Err((pair, message)) => {
                all_well = false;
                let pointer = pointer.child(pair.to_string());
                fields.faults().push(Fault { pointer, message });
            }
        }
    }
    pairs.retain(|pair| pair.correlation != 0.0);
    sort::by_key(&mut pairs, |pair| pair.features);
    all_well.then_some(Correlations { pairs, groups })
}

fn read_pair(
    value: &Value,
    pointer: Pointer,
    features: &Declared<'_>,
    faults: &mut Faults,
) -> Option<CorrelatedPair> {
    let mut fields = Fields::of(value, pointer, "a correlation", faults)?;
    let positions = read_features(&mut fields, features);
    let correlation = read_correlation(&mut fields);
    fields.finish();
    let mut positions = positions?;
    sort::by(&mut positions, Ord::cmp);
    Some(CorrelatedPair {
        features: positions,
        correlation: correlation?,
    })
}

fn read_features(fields: &mut Fields<'_>, features: &Declared<'_>) -> Option<[usize; 2]> {
    let value = fields.required("features")?;
    let pointer = fields.pointer().child("features");
    let positions = features.positions(value, &pointer, fields.faults())?;
    let Ok(pair) = <[usize; 2]>::try_from(&positions[..]) else {
        let message = format!("must have two features, but has {}", positions.len());
        fields.fault("features", message);
        return None;
    };
    let mut all_well = true;
    for (index, position) in pair.into_iter().enumerate() {
        if let Err(invalid) = check(features, position) {
            all_well = false;
            let pointer = pointer.child(index.to_string());
            fields.faults().push(invalid.at(pointer));
        }
    }
    all_well.then_some(pair)
}

/// Checks that the feature can be correlated, unless it's faulty.
fn check(features: &Declared<'_>, position: usize) -> Result<(), Invalid> {
    let name = features.name(position);
    let Some(feature) = features.get(position) else {
        return Ok(());
    };
    let kind = feature.feature_type();
    if matches!(
        kind,
        FeatureType::String | FeatureType::Boolean | FeatureType::Bytes
    ) {
        return invalid!(
            "`{name}` is {kind}, which has no order; only numbers and dates can be correlated"
        );
    }
    match feature.inversion()?.direction() {
        Some(_) => Ok(()),
        None => invalid!(
            "the categories of `{name}` are not sorted; list them from the smallest to the largest"
        ),
    }
}

fn read_correlation(fields: &mut Fields<'_>) -> Option<f64> {
    let correlation = fields.number("correlation")?;
    if correlation.abs() <= 1.0 {
        return Some(correlation);
    }
    let message = format!("must be between -1 and 1, but is {correlation}");
    fields.fault("correlation", message);
    None
}

/// Sets of features connected by pairs, directly or through others, each in order.
fn connected(pairs: &[CorrelatedPair], features: usize) -> Vec<Vec<usize>> {
    let mut set_of: Vec<usize> = (0..features).collect();
    for pair in pairs.iter().filter(|pair| pair.correlation != 0.0) {
        let [kept, joined] = pair.features.map(|position| set_of[position]);
        if kept == joined {
            continue;
        }
        for set in &mut set_of {
            if *set == joined {
                *set = kept;
            }
        }
    }
    let sets = (0..features).map(|set| {
        let members = (0..features).filter(|&position| set_of[position] == set);
        members.collect::<Vec<usize>>()
    });
    sets.filter(|members| members.len() > 1).collect()
}

impl Correlations {
    /// Returns true if the feature at `position` is correlated with another.
    pub(super) fn has(&self, position: usize) -> bool {
        self.pairs
            .iter()
            .any(|pair| pair.features.contains(&position))
    }

    /// The work per row.
    pub(super) fn work(&self) -> u64 {
        self.groups.iter().map(CorrelatedGroup::work).sum()
    }

    /// Returns true if it may supply the words of the feature at `position`.
    pub(super) fn supplies(&self, position: usize) -> bool {
        self.groups.iter().any(|group| group.has(position))
    }

    /// Returns the canonical form; `None` without correlations.
    pub(super) fn to_value(&self, features: &Declared<'_>) -> Option<Value> {
        let name = |position| Value::from(features.name(position));
        let pair = |pair: &CorrelatedPair| {
            Value::object([
                ("features", Value::from(pair.features.map(name).to_vec())),
                ("correlation", Value::from(pair.correlation)),
            ])
        };
        let pairs: Vec<Value> = self.pairs.iter().map(pair).collect();
        (!pairs.is_empty()).then(|| Value::from(pairs))
    }

    /// Supplies the words of correlated features.
    pub(super) fn supply(&self, rows: &DrawnRows<'_>, words: &mut Supplied) {
        for group in &self.groups {
            group.supply(rows, words);
        }
    }
}
