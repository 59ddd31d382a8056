//! Parts of a total, one for each element of a list.

use std::sync::Arc;

use super::sum::integer;
use crate::column::{Cells, Column};
use crate::feature::part_reader::{PartReader, ReadStructured};
use crate::feature::path::{Reference, ReferenceUse};
use crate::feature::structure::{FeatureValues, Structure};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::modifier::decimals::scale;
use crate::random::StreamRows;
use crate::scalar::{Canonical, CatalogueEntry, Distribution, Sampler, Work};

pub(crate) const ENTRY: CatalogueEntry<ReadStructured> = CatalogueEntry::new(
    "share",
    &["of", "shape"],
    &[FeatureType::Integer, FeatureType::Float],
    read,
);

/// 2⁵², above which all floats are integers.
const INTEGERS: f64 = 4_503_599_627_370_496.0;

/// The total is cut at the cumulative weights, each boundary rounded to a unit, and the parts lie
/// between the boundaries. They sum to the total for any weights.
#[derive(Clone)]
struct ShareOf {
    of: Reference,
    feature_type: FeatureType,
    shape: f64,
    /// A gamma distribution with this shape.
    weights: Arc<dyn Distribution>,
    decimals: u8,
}

fn read(fields: &mut Fields<'_>, kind: FeatureType, reader: &PartReader) -> Option<FeatureValues> {
    let wanted = ReferenceUse::Total(kind, None);
    let of = Reference::read(fields, "of", wanted);
    let shape = fields.optional_number("shape").ok()?.unwrap_or(1.0);
    let gamma = Value::object([
        ("type", "gamma".into()),
        ("shape", shape.into()),
        ("scale", 1.into()),
    ]);
    let pointer = fields.pointer().clone();
    let weights = fields.nested(&gamma, pointer, "a distribution")?;
    let weights = (reader.distribution)(weights, FeatureType::Float)?.ok()?;
    Some(FeatureValues::structured(ShareOf {
        of: of?,
        feature_type: kind,
        shape,
        weights,
        decimals: 0,
    }))
}

impl ShareOf {
    /// Converts a float to a number of units.
    fn units(&self, value: &Value) -> f64 {
        let units = value.as_f64().unwrap_or(0.0) * scale(self.decimals);
        rounded(units.abs()).copysign(units)
    }

    /// Splits a number of units by these weights.
    fn parts(units: u64, weights: &[f64]) -> impl Iterator<Item = u64> {
        let total: f64 = weights.iter().fold(0.0, |sum, weight| sum + weight);
        let is_zero = total == 0.0;
        let total = if is_zero { weights.len() as f64 } else { total };
        let (mut sum, mut start, last) = (0.0, 0, weights.len() - 1);
        weights.iter().enumerate().map(move |(position, weight)| {
            sum += if is_zero { 1.0 } else { *weight };
            let end = match position == last {
                true => units,
                false => (rounded(units as f64 * (sum / total)) as u64).min(units),
            };
            let part = end - start;
            start = end;
            part
        })
    }

    /// The parts of the total at `place`, which has at least one.
    fn parts_of(&self, total: &Column, place: usize, weights: &[f64]) -> SharedParts {
        let integer: i128 = match total.cells() {
            Cells::Integer(values) => values[place].into(),
            Cells::Unsigned(values) => values[place].into(),
            Cells::Float(values) => return self.floats(values[place], weights),
            _ => 0,
        };
        let units = integer.unsigned_abs() as u64;
        let parts = Self::parts(units, weights).map(|it| i128::from(it) * integer.signum());
        SharedParts::Integers(parts.collect())
    }

    fn floats(&self, total: f64, weights: &[f64]) -> SharedParts {
        let scale = scale(self.decimals);
        let units = total.abs() * scale;
        if units >= 2.0 * INTEGERS {
            let mut parts = vec![0.0; weights.len()];
            parts.pop();
            parts.push(total);
            return SharedParts::Floats(parts);
        }
        let sign = if total < 0.0 { -1.0 } else { 1.0 };
        let parts = Self::parts(rounded(units) as u64, weights);
        let part = |units| match units {
            0 => 0.0,
            units => sign * (units as f64 / scale),
        };
        SharedParts::Floats(parts.map(part).collect())
    }
}

enum SharedParts {
    Integers(Vec<i128>),
    Floats(Vec<f64>),
}

/// Rounds to the nearest integer, ties to even.
fn rounded(value: f64) -> f64 {
    match value < INTEGERS {
        // The sum has no bits for a fraction, so the addition rounds it away.
        true => (value + INTEGERS) - INTEGERS,
        false => value,
    }
}

impl Distribution for ShareOf {
    fn canonical(&self) -> Canonical {
        let mut parameters = vec![("of", self.of.to_value())];
        if self.shape != 1.0 {
            parameters.push(("shape", self.shape.into()));
        }
        (ENTRY.name, parameters)
    }

    fn integers(&self) -> std::ops::RangeInclusive<i128> {
        self.of.target().map_or(0..=0, |target| {
            let (least, largest) = target.counts;
            least.min(0)..=largest.max(0)
        })
    }

    fn work(&self) -> Work {
        self.weights.work().and(Work::each(200))
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(|rows| {
            let weights = match self.weights.sampler().draw(rows) {
                Cells::Float(weights) => weights,
                _ => Vec::new(),
            };
            let totals = self.of.referred(rows);
            let (mut integers, mut floats) = (vec![0; rows.len()], vec![0.0; rows.len()]);
            for list in rows.tables().into_iter().filter(|list| !list.is_empty()) {
                let total = totals.as_ref().and_then(|it| it.get(list.start));
                let Some((total, place)) = total else {
                    continue;
                };
                match self.parts_of(total, place, &weights[list.clone()]) {
                    SharedParts::Integers(parts) => integers[list].copy_from_slice(&parts),
                    SharedParts::Floats(parts) => floats[list].copy_from_slice(&parts),
                }
            }
            match self.feature_type {
                FeatureType::Integer => Cells::from_integers(&integers),
                _ => Cells::Float(floats),
            }
        })
    }
}

impl Structure for ShareOf {
    fn rounded(&self, digits: u8) -> Option<FeatureValues> {
        let wanted = ReferenceUse::Total(self.feature_type, Some(digits));
        Some(FeatureValues::structured(Self {
            of: self.of.clone().wanted(wanted),
            decimals: digits,
            ..self.clone()
        }))
    }

    fn reference(&self) -> Option<&Reference> {
        Some(&self.of)
    }

    fn are_together(&self, values: &[&Value], referred: Option<&Value>) -> bool {
        let Some(total) = referred.filter(|it| !it.is_null()) else {
            return true;
        };
        if self.feature_type == FeatureType::Integer {
            return Some(values.iter().copied().filter_map(integer).sum()) == integer(total);
        }
        values.iter().map(|it| self.units(it)).sum::<f64>() == self.units(total)
    }

    fn follows(&self, value: &Value, referred: Option<&Value>) -> bool {
        let (part, total) = (value.as_f64(), referred.and_then(Value::as_f64));
        part.zip(total).is_none_or(|(part, total)| {
            part == 0.0 || part.signum() == total.signum() && part.abs() <= total.abs()
        })
    }

    fn last_adjusted(&self, values: &[&Value], referred: Option<&Value>) -> Option<Value> {
        let (total, (_, others)) = (referred?, values.split_last()?);
        if self.feature_type == FeatureType::Integer {
            let others: i128 = others.iter().copied().filter_map(integer).sum();
            return Some((integer(total)? - others).into());
        }
        let others: f64 = others.iter().map(|it| self.units(it)).sum();
        Some(((self.units(total) - others) / scale(self.decimals)).into())
    }

    fn may_be_absent(&self) -> bool {
        self.of.may_be_null()
    }

    fn absent(&self, rows: &StreamRows<'_>) -> Option<Vec<bool>> {
        Some(self.of.absent(rows))
    }
}
