//! A share of rows with values that often break code, or with values listed in the definition.

use std::collections::BTreeSet;

use super::decimals::Decimals;
use super::edge_values::{self, EdgeBounds};
use crate::column::Cells;
use crate::fault::Invalid;
use crate::feature_type::FeatureType;
use crate::fields::{Faulty, Fields};
use crate::json::Value;
use crate::random::{EdgePurposes, StreamRows};
use crate::scalar::Distribution;
use crate::value::{self, Scalar};

pub(super) const NAME: &str = "edge_cases";
const VALUES: &str = "values";
const USUAL: &str = "usual";

/// The most values that a definition may list.
const MOST: usize = 1_000;

/// Two shares of [edge rows](EdgePurposes::place); a row in both gets a listed value.
#[derive(Clone, Debug)]
pub(super) struct EdgeCases {
    /// Values of the type. Empty for lists, which become edge cases in another way.
    usual: EdgeShare,
    listed: Option<EdgeShare>,
}

/// A share of the rows, each with one of these values.
#[derive(Clone, Debug)]
struct EdgeShare {
    probability: f64,
    values: Vec<Scalar>,
}

/// The shares stated in a definition.
struct StatedShares<'a> {
    usual: f64,
    listed: Option<(f64, &'a [Value])>,
}

impl StatedShares<'_> {
    fn of_usual(usual: f64) -> Self {
        let listed = None;
        StatedShares { usual, listed }
    }
}

/// Reads the member; `None` without edge rows, unless the distribution has some by default.
/// `is_possible` is set if they can replace some of the values.
pub(super) fn read(
    fields: &mut Fields<'_>,
    values: Option<(FeatureType, &dyn Distribution)>,
    decimals: Option<Decimals>,
    is_possible: bool,
) -> Result<Option<EdgeCases>, Faulty> {
    let usual = values.map_or(0.0, |(_, distribution)| distribution.edge_share());
    let stated = match fields.optional(NAME) {
        Some(value) => read_shares(fields, value, usual).ok_or(Faulty)?,
        None => StatedShares::of_usual(usual),
    };
    if stated.usual == 0.0 && usual == 0.0 && stated.listed.is_none() {
        return Ok(None);
    }
    let (feature_type, distribution) = values.ok_or(Faulty)?;
    let is_list = feature_type == FeatureType::List && stated.listed.is_none();
    let problem = if is_list {
        let problem = "would change nothing: these lists have one length, and elements that can't \
                       repeat or be sorted; remove it";
        (!is_possible).then(|| problem.to_owned())
    } else if !FeatureType::SCALARS.contains(&feature_type) {
        Some(format!(
            "{feature_type} has no edge values; state them for its parts"
        ))
    } else {
        (!is_possible)
            .then(|| "would replace values that refer to another feature; remove it".to_owned())
    };
    if let Some(problem) = problem {
        fields.fault(NAME, problem);
        return Err(Faulty);
    }
    let decimals = decimals.filter(|_| usual > 0.0);
    let bounds = EdgeBounds::of(feature_type, distribution, decimals);
    let usual = EdgeShare {
        probability: stated.usual,
        values: edge_values::of(feature_type, &bounds),
    };
    let listed = stated.listed.map(|(probability, values)| {
        let values = read_values(fields, values, feature_type, &bounds)?;
        Ok(EdgeShare {
            probability,
            values,
        })
    });
    let listed = listed.transpose()?;
    Ok(Some(EdgeCases { usual, listed }))
}

/// Reads the shares. A single number is the share of the usual values. An object with values gives
/// their share, and the usual values have a separate one.
fn read_shares<'a>(
    fields: &mut Fields<'_>,
    value: &'a Value,
    usual: f64,
) -> Option<StatedShares<'a>> {
    let pointer = fields.pointer().child(NAME);
    let mut edge_cases = fields.nested(value, pointer, "`edge_cases`")?;
    let probability = edge_cases.probability("probability");
    let shares = match value.get(VALUES) {
        None if edge_cases.optional(USUAL).is_some() => {
            let message =
                "is the share of edge values other than `values`; add `values`, or remove it";
            edge_cases.fault(USUAL, message);
            None
        }
        None => probability.map(StatedShares::of_usual),
        Some(values) => {
            let values = edge_cases.short_list(VALUES, MOST).and(values.as_array());
            let usual = edge_cases.optional_probability(USUAL, usual);
            let listed = probability.zip(values);
            usual
                .filter(|_| listed.is_some())
                .map(|usual| StatedShares { usual, listed })
        }
    };
    edge_cases.finish();
    shares
}

/// Reads distinct values of this type within the bounds.
fn read_values(
    fields: &mut Fields<'_>,
    values: &[Value],
    feature_type: FeatureType,
    bounds: &EdgeBounds,
) -> Result<Vec<Scalar>, Faulty> {
    let pointer = fields.pointer().child(NAME).child(VALUES);
    let mut texts = BTreeSet::new();
    let mut read_one = |value: &Value| {
        let one = value::read(value, feature_type)?;
        bounds.check(&one)?;
        // Compared as text, because 0.0 equals -0.0.
        let text = one.to_value().to_string();
        match texts.insert(text.clone()) {
            true => Ok(one),
            false => Err(Invalid::from(format!("the value {text} is listed twice"))),
        }
    };
    let mut read = Vec::with_capacity(values.len());
    for (at, value) in values.iter().enumerate() {
        match read_one(value) {
            Ok(one) => read.push(one),
            Err(invalid) => fields
                .faults()
                .push(invalid.at(pointer.child(at.to_string()))),
        }
    }
    match read.len() == values.len() {
        true => Ok(read),
        false => Err(Faulty),
    }
}

impl EdgeCases {
    /// Returns true if a share of the values is replaced.
    pub(super) fn is_any(&self) -> bool {
        let listed = self.listed.as_ref();
        self.usual.probability > 0.0 || listed.is_some_and(|it| it.probability > 0.0)
    }

    /// The share of rows with the usual values of the type.
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
        let placed = purposes.place(rows, self.probability, self.values.len());
        if !placed.is_empty() {
            cells.replace(&placed, &value::column(&self.values));
        }
    }
}
