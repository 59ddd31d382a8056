//! The catalogue of distributions: one file each, one line each in the list below.
//!
//! A distribution's file holds everything about it: its parameters and their faults, its canonical
//! form, and how values come from random words.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::feature_type::FeatureType;
use crate::fields::{Aliases, Fields};
use crate::json::Value;
use crate::nearest;
use crate::random::StreamRows;

mod any;
mod bernoulli;
mod beta;
mod binomial;
mod categorical;
mod cauchy;
mod choice;
mod chunks;
mod constant;
mod dealt;
mod discrete;
mod domain;
mod exponential;
mod gamma;
mod gaussian;
mod geometric;
mod index;
mod laplace;
mod length;
mod length_of;
mod list;
mod list_edges;
mod location_scale;
mod log_concave;
mod logistic;
mod lognormal;
mod mixture;
mod negative_binomial;
mod object;
mod one_of;
mod pareto;
mod parts;
mod pattern;
mod poisson;
mod rate_or_scale;
mod recursion;
mod reference;
mod sampler;
mod sequence;
mod shape;
mod share;
mod share_place;
mod sorted;
mod standard;
mod standard_beta;
mod standard_gamma;
mod student_t;
mod sum;
mod support;
mod triangular;
mod truncation;
mod uniform;
mod uuid;
mod variant;
mod variant_values;
mod weibull;
mod work;
mod zipf;

pub use domain::{Domain, ValuesByNumber};
pub use list::ListOf;
pub use parts::{Parts, Variant, Variants};
pub use recursion::Recursion;
pub use reference::Reference;
pub use sampler::{Inversion, Monotonicity, Sampler, ValuesOfRows, Words};
pub(crate) use shape::{ShapeNode, ShapeValue};
pub use support::Support;
pub use work::Work;

/// Every distribution that definitions can name.
const CATALOGUE: &[CatalogueEntry] = &[
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
    any::ENTRY,
    index::ENTRY,
    one_of::ENTRY,
    length_of::ENTRY,
    sum::ENTRY,
    share::ENTRY,
    list::ENTRY,
    object::ENTRY,
    variant::ENTRY,
    shape::ENTRY,
];

/// The aliases of parameters, each with its canonical name.
const ALIASES: Aliases = &[
    ("mean", "mu"),
    ("loc", "mu"),
    ("sd", "sigma"),
    ("std", "sigma"),
    ("std_dev", "sigma"),
    ("stddev", "sigma"),
    ("low", "min"),
    ("lower", "min"),
    ("high", "max"),
    ("upper", "max"),
    ("lam", "rate"),
    ("lambda", "rate"),
];

/// A distribution with its parameters: where the values of a feature come from.
pub trait Distribution: fmt::Debug + Send + Sync {
    /// The name in canonical form.
    fn name(&self) -> &'static str;

    /// The parameters in canonical form.
    fn parameters(&self) -> Vec<(&'static str, Value)>;

    /// The smallest and the largest `INTEGER` that can occur. A column can't hold both negative
    /// numbers and numbers above `i64::MAX`.
    fn integers(&self) -> RangeInclusive<i128> {
        0..=i64::MAX.into()
    }

    /// The smallest and the largest possible value, if bounded: by default the parameters `min` and
    /// `max`.
    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        stated_bounds(self.parameters())
    }

    /// The possible values: by default, everything between its bounds.
    fn support(&self) -> Support<'_> {
        let (min, max) = self.bounds();
        Support::Range(min, max)
    }

    /// The share of edge rows if the feature doesn't state one.
    fn edge_share(&self) -> f64 {
        0.0
    }

    /// The distribution to draw from for values with `digits` decimals; `None` if it's this one.
    fn with_decimals(&self, _digits: u8) -> Option<Arc<dyn Distribution>> {
        None
    }

    /// The list distribution, if it draws lists.
    fn list(&self) -> Option<&ListOf> {
        None
    }

    /// The values by number, if all are equally likely.
    fn domain(&self) -> Domain<'_> {
        Domain::Other(None)
    }

    /// For categories: the first word of each possible category, in rising order.
    fn categories(&self) -> Option<Vec<u64>> {
        None
    }

    /// The reference in its own parameters, excluding those of nested features.
    fn reference(&self) -> Option<&Reference> {
        None
    }

    /// Returns true if `value` is consistent with its parts and with the feature it references.
    fn follows(&self, _value: &Value, _referred: Option<&Value>) -> bool {
        true
    }

    /// Returns true if some of its values are independent of the referenced feature.
    fn has_others(&self) -> bool {
        false
    }

    /// Adjusts `value` to the referenced feature, which was `was` before; `None` if nothing fits.
    fn followed(
        &self,
        _value: &Value,
        _referred: Option<&Value>,
        _was: Option<&Value>,
    ) -> Option<Value> {
        None
    }

    /// Adjusts the last of these so that together they are all elements of one list; `None` if no
    /// value does that.
    fn last_followed(&self, _values: &[&Value], _referred: Option<&Value>) -> Option<Value> {
        None
    }

    /// Returns true if these can be all elements of one list that refers to `referred`.
    fn are_together(&self, _values: &[&Value], _referred: Option<&Value>) -> bool {
        true
    }

    /// Returns true if some rows may have no value, because there is nothing to refer to.
    fn may_be_absent(&self) -> bool {
        false
    }

    /// Marks the rows without a value; `None` if every row has one.
    fn absent(&self, _rows: &StreamRows<'_>) -> Option<Vec<bool>> {
        None
    }

    /// The nested features that its values are composed of.
    fn parts(&self) -> Parts<'_> {
        Parts::None
    }

    /// Returns true if it draws the values of a shape, which several features can share.
    fn is_shape(&self) -> bool {
        false
    }

    /// The nesting depth of lists in the values of a shape.
    fn list_levels(&self) -> u32 {
        0
    }

    /// The further nodes of the enclosing shape that its values contain.
    fn recursion(&self) -> Recursion {
        Recursion::NONE
    }

    /// The average number of cells in a value.
    fn cells(&self) -> f64 {
        1.0
    }

    /// The cost of drawing from its sampler.
    fn work(&self) -> Work {
        Work::each(80)
    }

    /// The cost of drawing by inversion, if that isn't its usual way.
    fn inverted_work(&self) -> Work {
        self.work()
    }

    /// The way that its values come from random words.
    fn sampler(&self) -> Sampler<'_>;

    /// Maps words supplied by relations to values; `None` if it has no inversion.
    ///
    /// A distribution that draws from several words per row can have an inversion too, with
    /// different values.
    fn inversion(&self) -> Option<Inversion<'_>> {
        match self.sampler() {
            Sampler::Inversion(inversion) => Some(inversion),
            _ => None,
        }
    }
}

/// The parameters `min` and `max`, if they exist.
fn stated_bounds(parameters: Vec<(&'static str, Value)>) -> (Option<Value>, Option<Value>) {
    let mut bounds = (None, None);
    for (name, value) in parameters {
        match name {
            "min" => bounds.0 = Some(value),
            "max" => bounds.1 = Some(value),
            _ => {}
        }
    }
    bounds
}

/// Reads the parameters of a distribution and reports their faults.
type ReadParameters = fn(&mut Fields<'_>, FeatureType) -> Option<Arc<dyn Distribution>>;

/// A distribution in the catalogue.
struct CatalogueEntry {
    name: &'static str,
    aliases: &'static [&'static str],
    /// The names of its parameters, in the order of the documentation.
    parameters: &'static [&'static str],
    types: &'static [FeatureType],
    read: ReadParameters,
}

const FLOAT: &[FeatureType] = &[FeatureType::Float];
const INTEGER: &[FeatureType] = &[FeatureType::Integer];

impl CatalogueEntry {
    const fn new(
        name: &'static str,
        parameters: &'static [&'static str],
        types: &'static [FeatureType],
        read: ReadParameters,
    ) -> Self {
        Self {
            name,
            aliases: &[],
            parameters,
            types,
            read,
        }
    }

    const fn with_aliases(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }
}

/// The names of all distributions, each with its aliases.
pub fn names() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    CATALOGUE.iter().map(|entry| (entry.name, entry.aliases))
}

/// The parameters of a distribution, in order, except those `given` by name or alias; `None` if the
/// distribution is unknown.
pub fn parameters_left(
    name: &str,
    given: impl Fn(&str) -> bool,
) -> Option<impl Iterator<Item = &'static str>> {
    let mut entries = CATALOGUE.iter();
    let entry = entries.find(|entry| spellings(entry).any(|spelling| spelling == name))?;
    let is_left = move |parameter: &&str| {
        let aliases = ALIASES.iter().filter(|(_, name)| name == parameter);
        !given(parameter) && !aliases.into_iter().any(|(alias, _)| given(alias))
    };
    Some(entry.parameters.iter().copied().filter(is_left))
}

/// The parameter of a distribution that takes exactly one.
pub fn only_parameter(name: &str) -> Option<&'static str> {
    let mut parameters = parameters_left(name, |_| false)?;
    // An exponential takes a `scale` in place of its `rate`, a mixture its components one by one.
    let only = parameters.next().filter(|_| parameters.next().is_none())?;
    (name != exponential::ENTRY.name && name != mixture::ENTRY.name).then_some(only)
}

/// Returns true if the distribution `name` has that parameter.
fn has_parameter(name: &str, parameter: &str) -> bool {
    let is_named = |entry: &&CatalogueEntry| {
        spellings(entry).any(|spelling| spelling.eq_ignore_ascii_case(name))
    };
    let entry = CATALOGUE.iter().find(is_named);
    entry.is_some_and(|entry| entry.parameters.contains(&parameter))
}

/// Resolves a parameter's name or alias to its canonical name.
pub fn parameter_name(name: &str) -> &str {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    alias.map_or(name, |(_, name)| name)
}

/// Returns true if the distribution can draw its `max`: all but a uniform `FLOAT` can.
pub fn reaches_max(name: &str, feature_type: FeatureType) -> bool {
    feature_type != FeatureType::Float || !name.eq_ignore_ascii_case(uniform::ENTRY.name)
}

/// Reads a `distribution` object for a feature of that type.
pub(crate) fn read(fields: Fields<'_>, feature_type: FeatureType) -> Option<Arc<dyn Distribution>> {
    let mut fields = fields.with_aliases(ALIASES);
    let entry = read_entry(&mut fields)?;
    if !entry.types.contains(&feature_type) {
        let types: Vec<_> = entry.types.iter().map(|known| known.name()).collect();
        let message = format!(
            "{} can't draw {feature_type} values; it draws {}, and {feature_type} is drawn by {}",
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

/// Returns the canonical form.
pub(crate) fn to_value(distribution: &dyn Distribution) -> Value {
    let mut members = distribution.parameters();
    members.push(("type", Value::from(distribution.name())));
    Value::object(members)
}

fn read_entry(fields: &mut Fields<'_>) -> Option<&'static CatalogueEntry> {
    let name = fields.text("type")?;
    let found = CATALOGUE
        .iter()
        .find(|entry| spellings(entry).any(|spelling| spelling.eq_ignore_ascii_case(name)));
    if found.is_none() {
        let known: Vec<_> = CATALOGUE.iter().map(|entry| entry.name).collect();
        let message = match nearest(name, CATALOGUE.iter().flat_map(spellings)) {
            Some(near) => format!("unknown distribution `{name}`; did you mean `{near}`?"),
            None => format!(
                "unknown distribution `{name}`; the distributions are {}",
                known.join(", ")
            ),
        };
        fields.fault("type", message);
    }
    found
}

fn spellings(entry: &CatalogueEntry) -> impl Iterator<Item = &'static str> {
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
    use crate::column::Cells;
    use crate::fault::Faults;
    use crate::json::{self, Pointer};
    use crate::random::{Purpose, Stream, StreamRows};

    const INVERTED: &[(FeatureType, &str)] = &[
        (
            FeatureType::Float,
            r#"{"type": "uniform", "min": 2, "max": 3}"#,
        ),
        (
            FeatureType::Float,
            r#"{"type": "gaussian", "mu": 2, "sigma": 3}"#,
        ),
        (
            FeatureType::Float,
            r#"{"type": "gaussian", "mu": 2, "sigma": 3, "min": 1, "max": 9}"#,
        ),
        (
            FeatureType::Float,
            r#"{"type": "lognormal", "mu": 2, "sigma": 3}"#,
        ),
        (FeatureType::Float, r#"{"type": "exponential", "rate": 3}"#),
        (
            FeatureType::Float,
            r#"{"type": "weibull", "shape": 2, "scale": 3}"#,
        ),
        (
            FeatureType::Float,
            r#"{"type": "pareto", "min": 2, "shape": 3}"#,
        ),
        (
            FeatureType::Float,
            r#"{"type": "triangular", "min": 2, "mode": 3, "max": 7}"#,
        ),
        (
            FeatureType::Float,
            r#"{"type": "cauchy", "mu": 2, "sigma": 3}"#,
        ),
        (
            FeatureType::Float,
            r#"{"type": "laplace", "mu": 2, "sigma": 3}"#,
        ),
        (
            FeatureType::Float,
            r#"{"type": "logistic", "mu": 2, "sigma": 3}"#,
        ),
        (
            FeatureType::Integer,
            r#"{"type": "uniform", "min": -9, "max": 9}"#,
        ),
        (
            FeatureType::Integer,
            r#"{"type": "uniform", "min": 1, "max": 18446744073709551615}"#,
        ),
        (FeatureType::Integer, r#"{"type": "poisson", "rate": 30}"#),
        (
            FeatureType::Integer,
            r#"{"type": "binomial", "n": 20, "p": 0.3}"#,
        ),
        (
            FeatureType::Integer,
            r#"{"type": "negative_binomial", "n": 2.5, "p": 0.3}"#,
        ),
        (FeatureType::Integer, r#"{"type": "geometric", "p": 0.3}"#),
        (
            FeatureType::Integer,
            r#"{"type": "zipf", "n": 100, "s": 1}"#,
        ),
        (FeatureType::Integer, r#"{"type": "bernoulli", "p": 0.3}"#),
        (
            FeatureType::Integer,
            r#"{"type": "categorical", "categories": [
            {"value": 9, "probability": 0.5}, {"value": 2, "probability": 0.5}]}"#,
        ),
        (
            FeatureType::Float,
            r#"{"type": "categorical", "categories": [
            {"value": 2, "probability": 0.5}, {"value": 9.5, "probability": 0.5}]}"#,
        ),
    ];

    fn distribution(feature_type: FeatureType, text: &str) -> Arc<dyn Distribution> {
        let mut faults = Faults::default();
        let value = json::parse(text).unwrap();
        let fields = Fields::of(&value, Pointer::root(), "a distribution", &mut faults);
        let distribution = read(fields.unwrap(), feature_type);
        distribution.unwrap_or_else(|| panic!("{text}: {faults:?}"))
    }

    fn numbers(cells: Cells) -> Vec<f64> {
        match cells {
            Cells::Float(values) => values,
            Cells::Integer(values) => values.into_iter().map(|value| value as f64).collect(),
            Cells::Unsigned(values) => values.into_iter().map(|value| value as f64).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_drawn_by_inversion_is_what_the_same_words_give() {
        let stream = Stream::new(7, "x");
        let mut words = [0; 1000];
        stream.fill(Purpose::Value, 0, 3, &mut words);
        for &(feature_type, text) in INVERTED {
            let distribution = distribution(feature_type, text);
            let drawn = distribution
                .sampler()
                .draw(&StreamRows::new(&stream, 3, words.len()));
            let given = distribution
                .inversion()
                .unwrap()
                .values(&Words::Given(&words));
            assert_eq!(drawn, given, "{text}");
        }
    }

    #[test]
    fn values_go_one_way_as_words_rise() {
        let words: Vec<u64> = (0..1000).map(|step| (u64::MAX / 999) * step).collect();
        for &(feature_type, text) in INVERTED {
            let distribution = distribution(feature_type, text);
            let inversion = distribution.inversion().unwrap();
            let mut values = numbers(inversion.values(&Words::Given(&words)));
            if inversion.direction().unwrap() == Monotonicity::Falling {
                values.reverse();
            }
            assert!(values.is_sorted(), "{text}");
            assert!(values[0] < values[999], "{text}");
        }
    }

    #[test]
    fn what_is_drawn_by_rejection_has_an_inversion_with_the_quantiles_of_scipy() {
        for line in include_str!("../../tests/data/inversion_scipy.txt").lines() {
            let Some((text, rest)) = line.split_once('|') else {
                continue;
            };
            let (word, expected) = rest.split_once('|').unwrap();
            let words = [word.parse().unwrap()];
            let expected: f64 = expected.parse().unwrap();
            let distribution = distribution(FeatureType::Float, text);
            let inversion = distribution.inversion().unwrap();
            let found = numbers(inversion.values(&Words::Given(&words)))[0];
            let error = (found - expected).abs() / expected.abs();
            assert!(error < 1e-9, "{line}: {found}");
        }
    }

    #[test]
    fn inversions_of_extreme_shapes_rise_to_finite_values() {
        let words: Vec<u64> = (0..1000).map(|step| (u64::MAX / 999) * step).collect();
        let extremes = ["1e-300", "1e-9", "0.1", "1", "1e4", "1e8"];
        let mut texts = Vec::new();
        for a in extremes {
            texts.push(format!(r#"{{"type": "gamma", "shape": {a}, "scale": 3}}"#));
            for b in extremes {
                texts.push(format!(r#"{{"type": "beta", "alpha": {a}, "beta": {b}}}"#));
            }
        }
        for nu in ["0.104", "1", "1e9"] {
            texts.push(format!(r#"{{"type": "student_t", "nu": {nu}}}"#));
        }
        for text in texts {
            let distribution = distribution(FeatureType::Float, &text);
            let inversion = distribution.inversion().unwrap();
            let values = numbers(inversion.values(&Words::Given(&words)));
            assert!(values.is_sorted(), "{text}");
            assert!(values.iter().all(|value| value.is_finite()), "{text}");
        }
    }
}
