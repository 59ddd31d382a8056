//! A share of rows with values that often break code.

use super::decimals::Decimals;
use super::edge_values;
use crate::column::Cells;
use crate::distribution::Distribution;
use crate::feature_type::FeatureType;
use crate::fields::{Faulty, Fields};
use crate::json::Value;
use crate::random::{StreamRows, edge_rows};
use crate::value::{self, Scalar};

pub(super) const NAME: &str = "edge_cases";

/// A share of [edge rows](edge_rows), each with one of these values.
#[derive(Clone, Debug)]
pub(super) struct EdgeCases {
    probability: f64,
    /// None of a list, which becomes such rows itself.
    values: Vec<Scalar>,
}

/// `None` if no row is an edge row, unless that is unusual for the distribution.
pub(super) fn read(
    fields: &mut Fields<'_>,
    feature_type: Option<FeatureType>,
    distribution: Option<&dyn Distribution>,
    decimals: Option<Decimals>,
) -> Result<Option<EdgeCases>, Faulty> {
    let usual = distribution.map_or(0.0, Distribution::edge_share);
    let probability = match fields.optional(NAME) {
        Some(value) => read_probability(fields, value)?,
        None => usual,
    };
    if probability == 0.0 && usual == 0.0 {
        return Ok(None);
    }
    let (feature_type, distribution) = feature_type.zip(distribution).ok_or(Faulty)?;
    if feature_type == FeatureType::List {
        if distribution.list_shapes().is_empty() {
            let message = "would change nothing: these lists have one length, and elements that can't repeat or \
                           be sorted; remove it";
            fields.fault(NAME, message);
            return Err(Faulty);
        }
        let values = Vec::new();
        return Ok(Some(EdgeCases {
            probability,
            values,
        }));
    }
    if !FeatureType::SCALARS.contains(&feature_type) {
        let message = format!("{feature_type} has no edge values; state them of what is in it");
        fields.fault(NAME, message);
        return Err(Faulty);
    }
    if distribution.reference().is_some() {
        let message = "would not be what the values refer to; remove it";
        fields.fault(NAME, message);
        return Err(Faulty);
    }
    let decimals = if usual > 0.0 { decimals } else { None };
    Ok(Some(EdgeCases {
        probability,
        values: edge_values::of(feature_type, distribution, decimals),
    }))
}

fn read_probability(fields: &mut Fields<'_>, value: &Value) -> Result<f64, Faulty> {
    let pointer = fields.pointer().child(NAME);
    let mut edge_cases = fields
        .nested(value, pointer, "`edge_cases`")
        .ok_or(Faulty)?;
    let probability = edge_cases.probability("probability");
    edge_cases.finish();
    probability.ok_or(Faulty)
}

impl EdgeCases {
    pub(super) fn probability(&self) -> f64 {
        self.probability
    }

    pub(super) fn to_value(&self) -> Value {
        Value::object([("probability", Value::from(self.probability))])
    }

    /// Replaces the drawn values of edge rows by edge values.
    pub(super) fn place(&self, rows: &StreamRows<'_>, cells: &mut Cells) {
        if self.values.is_empty() {
            return;
        }
        let placed = edge_rows(rows, self.probability, self.values.len());
        if !placed.is_empty() {
            cells.replace(&placed, &value::column(&self.values));
        }
    }
}
