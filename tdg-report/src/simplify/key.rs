//! The order of values by simplicity.

use tdg_definition::distribution::{Parts, Support};
use tdg_definition::json::Value;
use tdg_definition::{Feature, FeatureType, key_of};

use super::grid::{self, Level, seconds};
use super::{listed, text};

/// A sort key for simplicity: the least key is the simplest.
pub(super) type SimplicityKey = Vec<u128>;

/// Returns the key of a feature's value.
///
/// `null` comes first, then the values that the definition lists, in that order. Numbers with fewer
/// decimals are simpler, then those nearer to the target. Dates at the start of a year, a month or
/// a day are simpler. Shorter strings are simpler, then those with plainer characters. Maps of the
/// same size compare by their keys.
pub(super) fn key(feature: &Feature, value: &Value) -> SimplicityKey {
    const LISTED: u128 = 1;
    const OTHER: u128 = 2;
    if value.is_null() {
        return SimplicityKey::new();
    }
    let listed = listed(&feature.support());
    if let Some(place) = listed.iter().position(|listed| listed == value) {
        return vec![LISTED, place as u128];
    }
    match feature.feature_type() {
        FeatureType::Float => {
            let (value, target) = (float(value), float(&target(feature)));
            let distance = u128::from((value - target).abs().to_bits());
            let decimals = u128::from(grid::decimals(value));
            vec![OTHER, decimals, distance, value.is_sign_negative().into()]
        }
        FeatureType::Integer => {
            let (value, target) = (integer(value), integer(&target(feature)));
            vec![OTHER, value.abs_diff(target), (value < 0).into()]
        }
        FeatureType::Date | FeatureType::DateTime => {
            let (value, target) = (seconds(value), seconds(&target(feature)));
            let (value, target) = (value.unwrap_or_default(), target.unwrap_or_default());
            let level = Level::from_seconds(value) as u128;
            vec![
                OTHER,
                level,
                value.abs_diff(target).into(),
                (value < target).into(),
            ]
        }
        FeatureType::Boolean => vec![OTHER, (value.as_bool() == Some(true)).into()],
        FeatureType::List => {
            let mut names = names(feature, value);
            names.sort();
            let length = super::length(value) as u128;
            [OTHER, length].into_iter().chain(names.concat()).collect()
        }
        FeatureType::Object | FeatureType::Variant => vec![OTHER],
        _ => {
            let characters = text::characters(feature, value);
            let length = characters.len() as u128;
            let ranks = characters.into_iter().map(|it| text::rank(it).into());
            [OTHER, length].into_iter().chain(ranks).collect()
        }
    }
}

/// Returns the simplicity keys of a map's names.
fn names(feature: &Feature, value: &Value) -> Vec<SimplicityKey> {
    let (Parts::Entries(entry), Some(map)) = (feature.parts(), value.as_object()) else {
        return Vec::new();
    };
    let Parts::Members([names, _]) = entry.parts() else {
        return Vec::new();
    };
    let values = map.keys().filter_map(|it| key_of(names.feature_type(), it));
    values.map(|it| key(names, &it)).collect()
}

fn float(value: &Value) -> f64 {
    value.as_f64().unwrap_or_default()
}

fn integer(value: &Value) -> i128 {
    let number = value.as_number();
    number
        .and_then(|number| number.as_i128())
        .unwrap_or_default()
}

/// Returns the number or date that others move towards: the feature's possible value nearest to 0
/// or to the start of the year 2000.
pub(super) fn target(feature: &Feature) -> Value {
    let origin = match feature.feature_type() {
        FeatureType::Float => Value::from(0.0),
        FeatureType::Integer => Value::from(0),
        FeatureType::Date => Value::from("2000-01-01"),
        _ => Value::from("2000-01-01T00:00:00Z"),
    };
    let amount = |value: &Value| match seconds(value) {
        Some(seconds) => seconds as f64,
        None => float(value),
    };
    let distance = |value: &Value| (amount(value) - amount(&origin)).abs();
    let ranges = ranges(&feature.support());
    let nearest = ranges.into_iter().map(|(min, max)| match (min, max) {
        (Some(min), _) if amount(&min) > amount(&origin) => min,
        (_, Some(max)) if amount(&max) < amount(&origin) => max,
        _ => origin.clone(),
    });
    let nearest = nearest.min_by(|one, other| distance(one).total_cmp(&distance(other)));
    nearest.unwrap_or(origin)
}

type ValueRange = (Option<Value>, Option<Value>);

fn ranges(support: &Support<'_>) -> Vec<ValueRange> {
    match support {
        Support::Range(min, max) => vec![(min.clone(), max.clone())],
        Support::Any(parts) => parts.iter().flat_map(ranges).collect(),
        _ => Vec::new(),
    }
}
