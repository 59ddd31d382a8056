//! The catalogue of distributions: one file each, one line each in the list below.
//!
//! A distribution's file holds all there is to it: its parameters and their faults, its canonical
//! form, and how a value comes from random words.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::column::Cells;
use crate::fault::Fault;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::{Pointer, Value};
use crate::nearest;
use crate::random::Stream;

mod bernoulli;
mod categorical;
mod choice;
mod chunks;
mod constant;
mod discrete;
mod exponential;
mod gaussian;
mod lognormal;
mod mixture;
mod poisson;
mod uniform;

/// Every distribution that definitions can name.
const CATALOGUE: &[Entry] = &[
    gaussian::ENTRY,
    uniform::ENTRY,
    categorical::ENTRY,
    constant::ENTRY,
    mixture::ENTRY,
    lognormal::ENTRY,
    exponential::ENTRY,
    bernoulli::ENTRY,
    poisson::ENTRY,
];

/// A distribution with its parameters: where the values of a feature come from.
pub trait Distribution: fmt::Debug + Send + Sync {
    /// The name in canonical form.
    fn name(&self) -> &'static str;

    /// The parameters in canonical form.
    fn parameters(&self) -> Vec<(&'static str, Value)>;

    /// The smallest and the largest `INTEGER` that can occur. No column holds both negative numbers
    /// and numbers beyond `i64`.
    fn integers(&self) -> RangeInclusive<i128> {
        0..=i64::MAX.into()
    }

    /// The values of the rows `first_row .. first_row + rows`.
    fn draw(&self, stream: &Stream, first_row: u64, rows: usize) -> Cells;
}

/// What the catalogue knows of a distribution.
struct Entry {
    name: &'static str,
    aliases: &'static [&'static str],
    types: &'static [FeatureType],
    /// Reads the parameters; notes what is wrong with them.
    read: fn(&mut Fields<'_>, FeatureType) -> Option<Arc<dyn Distribution>>,
}

/// The names of all distributions, each with its aliases.
pub fn names() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    CATALOGUE.iter().map(|entry| (entry.name, entry.aliases))
}

/// Reads a `distribution` object for a feature of that type.
pub(crate) fn read(
    value: &Value,
    pointer: Pointer,
    feature_type: FeatureType,
    faults: &mut Vec<Fault>,
) -> Option<Arc<dyn Distribution>> {
    let mut fields = Fields::of(value, pointer, "a distribution", faults)?;
    let entry = read_entry(&mut fields)?;
    if !entry.types.contains(&feature_type) {
        let types: Vec<_> = entry.types.iter().map(|known| known.name()).collect();
        let message = format!(
            "{} makes no {feature_type} values; it makes {}, and {feature_type} comes from {}",
            entry.name,
            types.join(", "),
            names_for(feature_type).join(", "),
        );
        fields.fault("type", message);
        return None;
    }
    let distribution = (entry.read)(&mut fields, feature_type);
    fields.finish();
    distribution
}

/// The canonical form.
pub(crate) fn to_value(distribution: &dyn Distribution) -> Value {
    let mut members = distribution.parameters();
    members.push(("type", Value::from(distribution.name())));
    Value::object(members)
}

fn read_entry(fields: &mut Fields<'_>) -> Option<&'static Entry> {
    let name = fields.text("type")?;
    let found = CATALOGUE
        .iter()
        .find(|entry| spellings(entry).any(|spelling| spelling.eq_ignore_ascii_case(name)));
    if found.is_none() {
        let known: Vec<_> = CATALOGUE.iter().map(|entry| entry.name).collect();
        let message = match nearest(name, CATALOGUE.iter().flat_map(spellings)) {
            Some(near) => format!("unknown distribution `{name}`; did you mean `{near}`?"),
            None => format!(
                "unknown distribution `{name}`; there are {}",
                known.join(", ")
            ),
        };
        fields.fault("type", message);
    }
    found
}

fn spellings(entry: &Entry) -> impl Iterator<Item = &'static str> {
    std::iter::once(entry.name).chain(entry.aliases.iter().copied())
}

fn names_for(feature_type: FeatureType) -> Vec<&'static str> {
    CATALOGUE
        .iter()
        .filter(|entry| entry.types.contains(&feature_type))
        .map(|entry| entry.name)
        .collect()
}
