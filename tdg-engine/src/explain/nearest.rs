//! The most similar row of the other side.

use tdg_definition::json::Value;
use tdg_definition::sort;

use super::attribute::Attribute;
use super::predicate::{Aspect, Cell};
use crate::generate::Vectors;

/// A row, and the most similar row of the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The row.
    pub row: usize,
    /// The row on the other side.
    pub other: usize,
    /// The features in which they differ, the largest difference first; empty if the rows are
    /// equal.
    pub differences: Vec<FeatureDifference>,
}

/// A feature in which two rows differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureDifference {
    /// The name of the feature.
    pub feature: String,
    /// The value in the row.
    pub value: Value,
    /// The value in the other row.
    pub other: Value,
}

/// The neighbour of `row` among `others`; of equally near ones the first.
///
/// Distance is Gower's on ranks: the mean over all features of the share of values between the
/// two; without order, 0 or 1. (J. C. Gower, "A general coefficient of similarity and some of its
/// properties", 1971.)
pub(super) fn neighbour(
    vectors: &Vectors,
    attributes: &[Attribute],
    row: usize,
    others: impl Iterator<Item = usize>,
) -> Option<Neighbour> {
    let values = || {
        let mut attributes = attributes.iter();
        std::iter::from_fn(move || attributes.find(|attribute| attribute.aspect == Aspect::Value))
    };
    let mut nearest: Option<(f64, usize)> = None;
    for other in others {
        let mut distance = 0.0;
        for attribute in values() {
            distance += between(attribute, row, other);
        }
        if nearest.is_none_or(|(least, _)| distance < least) {
            nearest = Some((distance, other));
        }
    }
    let (_, other) = nearest?;
    let mut differing: Vec<(f64, usize)> = values()
        .map(|attribute| (between(attribute, row, other), attribute.feature))
        .filter(|(distance, _)| *distance > 0.0)
        .collect();
    sort::by(&mut differing, |(left, _), (right, _)| {
        right.total_cmp(left)
    });
    let difference = |(_, position): (f64, usize)| {
        let feature = &vectors.features()[position];
        let value = |row| Cell::of(feature, row, Aspect::Value).to_value();
        FeatureDifference {
            feature: feature.name.clone(),
            value: value(row),
            other: value(other),
        }
    };
    Some(Neighbour {
        row,
        other,
        differences: differing.into_iter().map(difference).collect(),
    })
}

/// The distance of two rows in one attribute, from 0 to 1.
fn between(attribute: &Attribute, row: usize, other: usize) -> f64 {
    let (left, right) = (attribute.ranks[row], attribute.ranks[other]);
    let is_null = left == attribute.distinct || right == attribute.distinct;
    if left == right {
        0.0
    } else if is_null || !attribute.is_ordered {
        1.0
    } else {
        f64::from(left.abs_diff(right)) / f64::from(attribute.distinct)
    }
}
