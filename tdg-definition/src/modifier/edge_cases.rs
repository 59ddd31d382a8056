//! A share of rows with values that often break code, or with those that the definition lists.

use std::collections::BTreeSet;

use super::decimals::Decimals;
use super::edge_values::{self, EdgeBounds};
use crate::column::Cells;
use crate::distribution::Distribution;
use crate::fault::Fault;
use crate::feature_type::FeatureType;
use crate::fields::{Faulty, Fields};
use crate::json::{Pointer, Value};
use crate::random::{EdgePurposes, StreamRows, edge_rows};
use crate::value::{self, Scalar};

pub(super) const NAME: &str = "edge_cases";
const VALUES: &str = "values";
const USUAL: &str = "usual";

/// As many values as a definition may list.
const MOST: usize = 1_000;

/// Two shares of [edge rows](edge_rows); a row that is in both has a listed value.
#[derive(Clone, Debug)]
pub(super) struct EdgeCases {
    /// Of the type. A list becomes such rows itself, so it has no values here.
    usual: EdgeShare,
    listed: Option<EdgeShare>,
}

/// A share of the rows, each with one of these values.
#[derive(Clone, Debug)]
struct EdgeShare {
    probability: f64,
    values: Vec<Scalar>,
}

/// The shares that a definition states.
struct StatedShares<'a> {
    usual: f64,
    listed: Option<(f64, &'a [Value])>,
}

/// `None` if no row is an edge row, unless that is unusual for the distribution.
pub(super) fn read(
    fields: &mut Fields<'_>,
    feature_type: Option<FeatureType>,
    distribution: Option<&dyn Distribution>,
    decimals: Option<Decimals>,
) -> Result<Option<EdgeCases>, Faulty> {
    let usual = distribution.map_or(0.0, Distribution::edge_share);
    let stated = match fields.optional(NAME) {
        Some(value) => read_shares(fields, value, usual)?,
        None => StatedShares {
            usual,
            listed: None,
        },
    };
    if stated.usual == 0.0 && usual == 0.0 && stated.listed.is_none() {
        return Ok(None);
    }
    let (feature_type, distribution) = feature_type.zip(distribution).ok_or(Faulty)?;
    let is_list = feature_type == FeatureType::List && stated.listed.is_none();
    let problem = if is_list && distribution.list_shapes().is_empty() {
        "would change nothing: these lists have one length, and elements that can't repeat or be \
         sorted; remove it"
            .to_owned()
    } else if !is_list && !FeatureType::SCALARS.contains(&feature_type) {
        format!("{feature_type} has no edge values; state them of what is in it")
    } else if distribution.reference().is_some() && !is_list {
        "would not be what the values refer to; remove it".to_owned()
    } else {
        let decimals = if usual > 0.0 { decimals } else { None };
        let bounds = EdgeBounds::of(feature_type, distribution, decimals);
        let values = match is_list {
            true => Vec::new(),
            false => edge_values::of(feature_type, &bounds),
        };
        let usual = EdgeShare {
            probability: stated.usual,
            values,
        };
        let listed = stated.listed.map(|(probability, values)| {
            let values = read_values(fields, values, feature_type, &bounds)?;
            Ok(EdgeShare {
                probability,
                values,
            })
        });
        let listed = listed.transpose()?;
        return Ok(Some(EdgeCases { usual, listed }));
    };
    fields.fault(NAME, problem);
    Err(Faulty)
}

/// The share alone is that of the usual values. With values, it is theirs, and the usual ones have
/// a share of their own.
fn read_shares<'a>(
    fields: &mut Fields<'_>,
    value: &'a Value,
    usual: f64,
) -> Result<StatedShares<'a>, Faulty> {
    let pointer = fields.pointer().child(NAME);
    let mut edge_cases = fields
        .nested(value, pointer, "`edge_cases`")
        .ok_or(Faulty)?;
    let probability = edge_cases.probability("probability");
    let values = value.get(VALUES);
    let shares = match values {
        None if edge_cases.optional(USUAL).is_some() => {
            let message =
                "is the share of other edge values than `values`; list these, or remove it";
            edge_cases.fault(USUAL, message);
            None
        }
        None => probability.map(|usual| StatedShares {
            usual,
            listed: None,
        }),
        Some(values) => {
            let is_list = edge_cases.list(VALUES).is_some();
            let usual = match edge_cases.optional_number(USUAL) {
                Ok(stated) => edge_cases.check_probability(USUAL, stated.unwrap_or(usual)),
                Err(Faulty) => None,
            };
            let values = values.as_array().filter(|_| is_list);
            values
                .zip(probability)
                .zip(usual)
                .map(|((values, probability), usual)| StatedShares {
                    usual,
                    listed: Some((probability, values)),
                })
        }
    };
    edge_cases.finish();
    shares.ok_or(Faulty)
}

/// Reads values of that type within the bounds, each once.
fn read_values(
    fields: &mut Fields<'_>,
    values: &[Value],
    feature_type: FeatureType,
    bounds: &EdgeBounds,
) -> Result<Vec<Scalar>, Faulty> {
    let pointer = fields.pointer().child(NAME).child(VALUES);
    let fault = |pointer: Pointer, message: String| Fault { pointer, message };
    if values.len() > MOST {
        let message = format!(
            "must have at most {MOST} elements, but has {}",
            values.len()
        );
        fields.faults().push(fault(pointer, message));
        return Err(Faulty);
    }
    let mut read: Vec<Scalar> = Vec::with_capacity(values.len());
    let mut texts = BTreeSet::new();
    for (at, value) in values.iter().enumerate() {
        let one = value::read(value, feature_type);
        let one = one.and_then(|one| match bounds.problem(&one) {
            Some(problem) => Err(problem),
            None => Ok(one),
        });
        let message = match one {
            Ok(one) => {
                // As text, because 0.0 equals -0.0.
                let text = one.to_value().to_string();
                if texts.insert(text.clone()) {
                    read.push(one);
                    continue;
                }
                format!("the value {text} is listed twice")
            }
            Err(message) => message,
        };
        fields
            .faults()
            .push(fault(pointer.child(at.to_string()), message));
    }
    match read.len() == values.len() {
        true => Ok(read),
        false => Err(Faulty),
    }
}

impl EdgeCases {
    /// Whether a share of the values is replaced.
    pub(super) fn is_any(&self) -> bool {
        let listed = self.listed.as_ref();
        self.usual.probability > 0.0 || listed.is_some_and(|it| it.probability > 0.0)
    }

    /// The share of rows with the values of the type.
    pub(super) fn usual(&self) -> f64 {
        self.usual.probability
    }

    pub(super) fn to_value(&self) -> Value {
        let usual = Value::from(self.usual.probability);
        let Some(listed) = &self.listed else {
            return Value::object([("probability", usual)]);
        };
        let values = listed.values.iter().map(Scalar::to_value);
        Value::object([
            ("probability", Value::from(listed.probability)),
            (USUAL, usual),
            (VALUES, Value::Array(values.collect())),
        ])
    }

    /// Replaces the drawn values of edge rows.
    pub(super) fn place(&self, rows: &StreamRows<'_>, cells: &mut Cells) {
        self.usual.place(rows, EdgePurposes::USUAL, cells);
        if let Some(listed) = &self.listed {
            listed.place(rows, EdgePurposes::LISTED, cells);
        }
    }
}

impl EdgeShare {
    fn place(&self, rows: &StreamRows<'_>, purposes: EdgePurposes, cells: &mut Cells) {
        if self.values.is_empty() {
            return;
        }
        let placed = edge_rows(rows, purposes, self.probability, self.values.len());
        if !placed.is_empty() {
            cells.replace(&placed, &value::column(&self.values));
        }
    }
}
