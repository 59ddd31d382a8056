//! A share of rows with values that often break code.

use super::decimals::Decimals;
use super::edge_values;
use crate::column::Cells;
use crate::distribution::Distribution;
use crate::feature_type::FeatureType;
use crate::fields::{Faulty, Fields};
use crate::json::Value;
use crate::random::{Permutation, Purpose, Stream, StreamRows, Threshold, uniform};
use crate::value::{self, Scalar};

pub(super) const NAME: &str = "edge_cases";

/// The rows of a block, in which the number of edge rows is fixed and their places are drawn.
const BLOCK: u64 = 64;

/// The edge rows, counted from row 0, take the edge values in cycles. Each cycle has its own order.
/// So no value repeats before all have occurred.
#[derive(Clone, Debug)]
pub(super) struct EdgeCases {
    probability: f64,
    /// At least one.
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
        let placed = match rows.are_elements() {
            true => self.placed_in_lists(rows),
            false => self.placed(rows),
        };
        if !placed.is_empty() {
            cells.replace(&placed, &value::column(&self.values));
        }
    }

    /// The edge elements, each with the number of its value. An element's own words decide, so that
    /// a longer list begins with a shorter one.
    fn placed_in_lists(&self, rows: &StreamRows<'_>) -> Vec<(usize, usize)> {
        let share = Threshold::of(self.probability);
        let words = rows.words(Purpose::EdgeRow, 0).into_iter().enumerate();
        let is_edge = |(_, word): &(usize, u64)| share.is_above(*word);
        let last = self.values.len() as u64 - 1;
        let placed = words.filter(is_edge).map(|(element, _)| {
            let word = rows.word(Purpose::EdgeValue, element, 0);
            (element, uniform::up_to(word, last) as usize)
        });
        placed.collect()
    }

    /// The edge rows, counted from the first, each with the number of its value.
    fn placed(&self, rows: &StreamRows<'_>) -> Vec<(usize, usize)> {
        let stream = rows.stream();
        let mut placed = Vec::new();
        let Some(last) = rows.len().checked_sub(1) else {
            return placed;
        };
        let first_row = rows.number(0);
        let last_row = match rows.number(last) {
            last if last >= first_row => last,
            // Rows beyond the largest ensemble wrap around.
            _ => u64::MAX,
        };
        let share = Threshold::of(self.probability);
        let mut cycle = Cycle::new(stream, 0, self.values.len() as u64);
        for block in first_row / BLOCK..=last_row / BLOCK {
            let block_row = block * BLOCK;
            let before = share.of_rows(u128::from(block_row));
            let with = share.of_rows(u128::from(block_row) + u128::from(BLOCK));
            let places = places(stream, block, (with - before) as u64);
            let mut edge_row = before as u64;
            for offset in 0..BLOCK {
                if places >> offset & 1 == 0 {
                    continue;
                }
                if let Some(position) = rows.find(block_row + offset) {
                    placed.push((position, cycle.value(stream, edge_row)));
                }
                edge_row = edge_row.wrapping_add(1);
            }
        }
        placed
    }
}

/// This number of places in a block, as bits.
fn places(stream: &Stream, block: u64, count: u64) -> u64 {
    let mut places = 0;
    if count > 0 {
        let order = Permutation::new(stream, Purpose::EdgeRow, block, BLOCK - 1);
        for place in 0..count {
            places |= 1 << order.of(place);
        }
    }
    places
}

/// The order of the edge values in one cycle.
struct Cycle {
    number: u64,
    values: u64,
    order: Permutation,
}

impl Cycle {
    fn new(stream: &Stream, number: u64, values: u64) -> Self {
        let order = Permutation::new(stream, Purpose::EdgeValue, number, values - 1);
        Self {
            number,
            values,
            order,
        }
    }

    /// The number of the value of an edge row; moves on to its cycle.
    fn value(&mut self, stream: &Stream, edge_row: u64) -> usize {
        let number = edge_row / self.values;
        if number != self.number {
            *self = Self::new(stream, number, self.values);
        }
        self.order.of(edge_row % self.values) as usize
    }
}
