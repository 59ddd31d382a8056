//! The catalogue of distributions: one line each in the list below.

use super::part_reader::{PartReader, ReadStructured};
use super::reference::{index, length_of, one_of, share, sum};
use super::structure::FeatureValues;
use super::{any_bytes, list, object, shape, variant};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::nearest;
use crate::scalar::choice::{categorical, constant, mixture};
use crate::scalar::continuous::{
    beta, cauchy, exponential, gamma, gaussian, laplace, logistic, lognormal, pareto, student_t,
    triangular, weibull,
};
use crate::scalar::discrete::{bernoulli, binomial, geometric, negative_binomial, poisson, zipf};
use crate::scalar::text::{pattern, uuid};
use crate::scalar::{ALIASES, CatalogueEntry, ReadScalar, sequence, uniform};

/// Every distribution that definitions can name.
const CATALOGUE: &[CatalogueEntry<ReadAny>] = &[
    scalar(gaussian::ENTRY),
    scalar(uniform::ENTRY),
    scalar(categorical::ENTRY),
    scalar(constant::ENTRY),
    structured(mixture::ENTRY.with_read(|fields, feature_type, reader| {
        let mixture = (mixture::ENTRY.read)(fields, feature_type, reader.distribution);
        mixture.map(FeatureValues::Scalar)
    })),
    scalar(lognormal::ENTRY),
    scalar(exponential::ENTRY),
    scalar(gamma::ENTRY),
    scalar(beta::ENTRY),
    scalar(weibull::ENTRY),
    scalar(pareto::ENTRY),
    scalar(triangular::ENTRY),
    scalar(student_t::ENTRY),
    scalar(cauchy::ENTRY),
    scalar(laplace::ENTRY),
    scalar(logistic::ENTRY),
    scalar(bernoulli::ENTRY),
    scalar(poisson::ENTRY),
    scalar(binomial::ENTRY),
    scalar(negative_binomial::ENTRY),
    scalar(geometric::ENTRY),
    scalar(zipf::ENTRY),
    scalar(sequence::ENTRY),
    scalar(pattern::ENTRY),
    scalar(uuid::ENTRY),
    structured(any_bytes::ENTRY),
    structured(index::ENTRY),
    structured(one_of::ENTRY),
    structured(length_of::ENTRY),
    structured(sum::ENTRY),
    structured(share::ENTRY),
    structured(list::ENTRY),
    structured(object::ENTRY),
    structured(variant::ENTRY),
    structured(shape::ENTRY),
];

/// The ways to read distributions.
#[derive(Clone, Copy)]
enum ReadAny {
    Scalar(ReadScalar),
    Structured(ReadStructured),
}

const fn scalar(entry: CatalogueEntry) -> CatalogueEntry<ReadAny> {
    entry.with_read(ReadAny::Scalar(entry.read))
}

const fn structured(entry: CatalogueEntry<ReadStructured>) -> CatalogueEntry<ReadAny> {
    entry.with_read(ReadAny::Structured(entry.read))
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
pub(super) fn has_parameter(name: &str, parameter: &str) -> bool {
    let is_named = |entry: &&CatalogueEntry<ReadAny>| {
        spellings(entry).any(|spelling| spelling.eq_ignore_ascii_case(name))
    };
    let entry = CATALOGUE.iter().find(is_named);
    entry.is_some_and(|entry| entry.parameters.contains(&parameter))
}

/// Returns true if the distribution can draw its `max`: all but a uniform `FLOAT` can.
pub fn reaches_max(name: &str, feature_type: FeatureType) -> bool {
    feature_type != FeatureType::Float || !name.eq_ignore_ascii_case(uniform::ENTRY.name)
}

/// Reads a `distribution` object for a feature of that type.
pub(super) fn read(
    fields: Fields<'_>,
    feature_type: FeatureType,
    reader: &PartReader,
) -> Option<FeatureValues> {
    let mut fields = fields.with_aliases(ALIASES);
    let entry = read_entry(&mut fields)?;
    if !entry.types.contains(&feature_type) {
        let types: Vec<_> = entry.types.iter().map(|known| known.name()).collect();
        let draws_it = |entry: &&CatalogueEntry<_>| entry.types.contains(&feature_type);
        let others = CATALOGUE.iter().filter(draws_it).map(|entry| entry.name);
        let message = format!(
            "{} can't draw {feature_type} values; it draws {}, and {feature_type} is drawn by {}",
            entry.name,
            types.join(", "),
            others.collect::<Vec<_>>().join(", "),
        );
        fields.fault("type", message);
        return None;
    }
    let distribution = match entry.read {
        ReadAny::Scalar(read) => read(&mut fields, feature_type).map(FeatureValues::Scalar),
        ReadAny::Structured(read) => read(&mut fields, feature_type, reader),
    };
    fields.finish();
    distribution
}

fn read_entry(fields: &mut Fields<'_>) -> Option<&'static CatalogueEntry<ReadAny>> {
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

fn spellings(entry: &CatalogueEntry<ReadAny>) -> impl Iterator<Item = &'static str> {
    std::iter::once(entry.name).chain(entry.aliases.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use crate::column::Cells;
    use crate::fault::Faults;
    use crate::feature::feature_reader::READER;
    use crate::json::{self, Pointer};
    use crate::random::{Purpose, Stream, StreamRows};
    use crate::scalar::{Distribution, Monotonicity, Words};

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
        let distribution = read(fields.unwrap(), feature_type, &READER);
        let distribution = distribution.unwrap_or_else(|| panic!("{text}: {faults:?}"));
        distribution.independent().unwrap()
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
