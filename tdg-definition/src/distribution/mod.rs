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
mod beta;
mod binomial;
mod categorical;
mod cauchy;
mod choice;
mod chunks;
mod constant;
mod discrete;
mod domain;
mod exponential;
mod gamma;
mod gaussian;
mod geometric;
mod laplace;
mod location_scale;
mod logistic;
mod lognormal;
mod mixture;
mod negative_binomial;
mod pareto;
mod pattern;
mod poisson;
mod rate_or_scale;
mod sequence;
mod standard_gamma;
mod student_t;
mod triangular;
mod truncation;
mod uniform;
mod uuid;
mod weibull;
mod zipf;

pub use domain::{Domain, ValuesByNumber};

/// Every distribution that definitions can name.
const CATALOGUE: &[Entry] = &[
    gaussian::ENTRY,
    uniform::ENTRY,
    categorical::ENTRY,
    constant::ENTRY,
    mixture::ENTRY,
    lognormal::ENTRY,
    exponential::ENTRY,
    gamma::ENTRY,
    beta::ENTRY,
    weibull::ENTRY,
    pareto::ENTRY,
    triangular::ENTRY,
    student_t::ENTRY,
    cauchy::ENTRY,
    laplace::ENTRY,
    logistic::ENTRY,
    bernoulli::ENTRY,
    poisson::ENTRY,
    binomial::ENTRY,
    negative_binomial::ENTRY,
    geometric::ENTRY,
    zipf::ENTRY,
    sequence::ENTRY,
    pattern::ENTRY,
    uuid::ENTRY,
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

    /// The number that values stay below with probability `u`, above 0 and below 1; nothing where it
    /// has no closed form.
    fn quantile(&self, _u: f64) -> Option<f64> {
        None
    }

    /// The values by number, where none is likelier than another.
    fn domain(&self) -> Domain<'_> {
        Domain::Other(None)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use crate::random::Purpose;
    use crate::random::uniform::unit_open;

    fn distribution(text: &str) -> Arc<dyn Distribution> {
        let mut faults = Vec::new();
        let value = json::parse(text).unwrap();
        let distribution = read(&value, Pointer::default(), FeatureType::Float, &mut faults);
        distribution.unwrap_or_else(|| panic!("{text}: {faults:?}"))
    }

    #[test]
    fn what_is_drawn_by_inversion_is_the_quantile_of_its_word() {
        let stream = Stream::new(7, "x");
        let mut words = [0; 1000];
        stream.fill(Purpose::Value, 0, 0, &mut words);
        for text in [
            r#"{"type": "gaussian", "mu": 2, "sigma": 3}"#,
            r#"{"type": "gaussian", "mu": 2, "sigma": 3, "min": 1, "max": 9}"#,
            r#"{"type": "lognormal", "mu": 2, "sigma": 3}"#,
            r#"{"type": "exponential", "rate": 3}"#,
            r#"{"type": "weibull", "shape": 2, "scale": 3}"#,
            r#"{"type": "pareto", "min": 2, "shape": 3}"#,
            r#"{"type": "triangular", "min": 2, "mode": 3, "max": 7}"#,
            r#"{"type": "cauchy", "mu": 2, "sigma": 3}"#,
            r#"{"type": "laplace", "mu": 2, "sigma": 3}"#,
            r#"{"type": "logistic", "mu": 2, "sigma": 3}"#,
        ] {
            let distribution = distribution(text);
            let quantile = |word| distribution.quantile(unit_open(word)).unwrap();
            let quantiles: Vec<f64> = words.iter().map(|&word| quantile(word)).collect();
            let drawn = distribution.draw(&stream, 0, words.len());
            assert_eq!(drawn, Cells::Float(quantiles), "{text}");
        }
    }

    #[test]
    fn quantiles_grow() {
        for text in [
            r#"{"type": "uniform", "min": 2, "max": 3}"#,
            r#"{"type": "gaussian", "mu": 0, "sigma": 1, "min": -2, "max": 5}"#,
            r#"{"type": "triangular", "min": 2, "mode": 3, "max": 7}"#,
            r#"{"type": "laplace", "mu": 2, "sigma": 3}"#,
        ] {
            let distribution = distribution(text);
            let mut last = f64::NEG_INFINITY;
            for step in 1..1000 {
                let value = distribution.quantile(f64::from(step) / 1000.0).unwrap();
                assert!(value > last, "{text} at {step}");
                last = value;
            }
        }
    }
}
