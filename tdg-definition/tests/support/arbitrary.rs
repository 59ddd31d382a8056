//! Arbitrary valid definitions, for property tests.

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use tdg_definition::json::Value;
use tdg_definition::{FeatureType, calendar};

/// The JSON text of a valid definition with 1 to 5 features, all of them named.
pub fn definition() -> impl Strategy<Value = String> {
    features().prop_map(|features| definition_of(&features))
}

/// The JSON texts of 1 to 5 valid features with names of their own.
pub fn features() -> impl Strategy<Value = Vec<String>> {
    btree_set(name(), 1..=5).prop_flat_map(|names| {
        names
            .into_iter()
            .map(|name| feature(name, null_probability()))
            .collect::<Vec<_>>()
            .prop_shuffle()
    })
}

/// The JSON text of a definition with these features.
pub fn definition_of(features: &[String]) -> String {
    format!(r#"{{"features": [{}]}}"#, features.join(","))
}

/// The JSON text of a feature.
pub fn feature(
    name: String,
    null_probability: impl Strategy<Value = f64>,
) -> impl Strategy<Value = String> {
    let name = Value::from(name);
    let drawn = feature_type().prop_flat_map(|t| (Just(t), distribution(t)));
    (drawn, null_probability).prop_map(move |((feature_type, distribution), nulls)| {
        let nulls = Value::from(nulls);
        format!(
            r#"{{"feature_name": {name}, "type": "{feature_type}", "null_probability": {nulls}, "distribution": {distribution}}}"#
        )
    })
}

/// Often 0, often 1, or something in between.
pub fn null_probability() -> impl Strategy<Value = f64> {
    prop_oneof![2 => Just(0.0), 1 => Just(1.0), 4 => 0.0..=1.0]
}

pub fn feature_type() -> impl Strategy<Value = FeatureType> {
    proptest::sample::select(FeatureType::ALL.to_vec())
}

/// The JSON text of a distribution that makes values of that type.
pub fn distribution(feature_type: FeatureType) -> BoxedStrategy<String> {
    let any = prop_oneof![
        constant(feature_type),
        categorical(feature_type),
        own(feature_type),
    ];
    match feature_type {
        FeatureType::Float => prop_oneof![4 => any, 1 => mixture(own(feature_type))].boxed(),
        FeatureType::Integer => {
            // Not both negative and beyond i64.
            let own = prop_oneof![uniform(-1000, 1000), poisson(), bernoulli()].boxed();
            prop_oneof![4 => any, 1 => mixture(own)].boxed()
        }
        FeatureType::String | FeatureType::DateTime | FeatureType::Date | FeatureType::Boolean => {
            any.boxed()
        }
    }
}

/// What makes values of that type and is neither constant, nor categorical (if there is anything else), nor a mixture.
fn own(feature_type: FeatureType) -> BoxedStrategy<String> {
    match feature_type {
        FeatureType::Float => {
            prop_oneof![gaussian(), uniform_floats(), lognormal(), exponential()].boxed()
        }
        FeatureType::Integer => prop_oneof![
            uniform(i64::MIN, i64::MAX),
            uniform(-10, 10),
            uniform(0, u64::MAX),
            poisson(),
            bernoulli(),
        ]
        .boxed(),
        FeatureType::Boolean => bernoulli(),
        FeatureType::DateTime | FeatureType::Date => (value(feature_type), value(feature_type))
            .prop_map(|(a, b)| {
                let (min, max) = if a < b { (a, b) } else { (b, a) };
                format!(r#"{{"type": "uniform", "min": {min}, "max": {max}}}"#)
            })
            .boxed(),
        FeatureType::String => categorical(feature_type),
    }
}

fn gaussian() -> BoxedStrategy<String> {
    (float(), positive())
        .prop_filter("stays finite", |(mu, sigma)| {
            (mu.abs() + 9.0 * sigma).is_finite()
        })
        .prop_map(|(mu, sigma)| {
            let (mu, sigma) = (Value::from(mu), Value::from(sigma));
            format!(r#"{{"type": "gaussian", "mu": {mu}, "sigma": {sigma}}}"#)
        })
        .boxed()
}

fn uniform_floats() -> BoxedStrategy<String> {
    (float(), float())
        .prop_filter("stays finite", |(a, b)| (a - b).is_finite())
        .prop_map(|(a, b)| {
            let (min, max) = (Value::from(a.min(b)), Value::from(a.max(b)));
            format!(r#"{{"type": "uniform", "min": {min}, "max": {max}}}"#)
        })
        .boxed()
}

/// Integers within these bounds.
fn uniform(min: impl Into<i128>, max: impl Into<i128>) -> BoxedStrategy<String> {
    let bounds = min.into()..=max.into();
    (bounds.clone(), bounds)
        .prop_map(|(a, b)| {
            let (min, max) = (a.min(b), a.max(b));
            format!(r#"{{"type": "uniform", "min": {min}, "max": {max}}}"#)
        })
        .boxed()
}

fn lognormal() -> BoxedStrategy<String> {
    (-700.0..100.0f64, 1e-6..60.0f64)
        .prop_map(|(mu, sigma)| format!(r#"{{"type": "lognormal", "mu": {mu}, "sigma": {sigma}}}"#))
        .boxed()
}

fn exponential() -> BoxedStrategy<String> {
    (prop_oneof![Just("rate"), Just("scale")], 1e-300..1e300f64)
        .prop_map(|(parameter, number)| {
            let number = Value::from(number);
            format!(r#"{{"type": "exponential", "{parameter}": {number}}}"#)
        })
        .boxed()
}

fn poisson() -> BoxedStrategy<String> {
    prop_oneof![8 => 1e-3..100.0f64, 1 => 100.0..1e5f64, 1 => 1e-300..1e-9f64]
        .prop_map(|rate| format!(r#"{{"type": "poisson", "rate": {rate}}}"#))
        .boxed()
}

fn bernoulli() -> BoxedStrategy<String> {
    prop_oneof![1 => Just(0.0), 1 => Just(1.0), 4 => 0.0..=1.0f64]
        .prop_map(|p| format!(r#"{{"type": "bernoulli", "p": {p}}}"#))
        .boxed()
}

fn constant(feature_type: FeatureType) -> BoxedStrategy<String> {
    value(feature_type)
        .prop_map(|value| format!(r#"{{"type": "constant", "value": {value}}}"#))
        .boxed()
}

fn categorical(feature_type: FeatureType) -> BoxedStrategy<String> {
    let values = match feature_type {
        FeatureType::DateTime | FeatureType::Date => return constant(feature_type),
        FeatureType::Boolean => btree_set(value(feature_type), 1..=2),
        // Not both negative and beyond i64.
        FeatureType::Integer => {
            let integers = prop_oneof![Just(u64::MAX), any::<u64>(), 0..10u64];
            btree_set(
                integers.prop_map(|integer| integer.to_string()).boxed(),
                1..=12,
            )
        }
        FeatureType::Float | FeatureType::String => btree_set(value(feature_type), 1..=12),
    };
    let weight = prop_oneof![1 => Just(0.0), 6 => 1e-9..1.0f64];
    (values, vec(weight, 12), 0.01..1.0f64)
        .prop_map(|(values, mut weights, first)| {
            // So that they are not all 0.
            weights[0] = first;
            let weights = &weights[..values.len()];
            let total: f64 = weights.iter().sum();
            let categories = values.iter().zip(weights).map(|(value, weight)| {
                let probability = weight / total;
                format!(r#"{{"value": {value}, "probability": {probability}}}"#)
            });
            let categories = categories.collect::<Vec<_>>().join(",");
            format!(r#"{{"type": "categorical", "categories": [{categories}]}}"#)
        })
        .boxed()
}

fn mixture(component: BoxedStrategy<String>) -> BoxedStrategy<String> {
    (vec((1e-6..1e6f64, component), 1..4), 0..4usize)
        .prop_map(|(mut components, without_weight)| {
            if components.len() > 1 && without_weight < components.len() {
                components[without_weight].0 = 0.0;
            }
            let components = components.iter().map(|(weight, distribution)| {
                format!(r#"{{"weight": {weight}, "distribution": {distribution}}}"#)
            });
            let components = components.collect::<Vec<_>>().join(",");
            format!(r#"{{"type": "mixture", "components": [{components}]}}"#)
        })
        .boxed()
}

/// The JSON text of a value of that type.
fn value(feature_type: FeatureType) -> BoxedStrategy<String> {
    match feature_type {
        FeatureType::Float => float().prop_map(|f| Value::from(f).to_string()).boxed(),
        FeatureType::Integer => prop_oneof![
            any::<i64>().prop_map(|integer| integer.to_string()),
            any::<u64>().prop_map(|integer| integer.to_string()),
        ]
        .boxed(),
        FeatureType::String => any::<String>()
            .prop_map(|text| Value::from(text).to_string())
            .boxed(),
        FeatureType::Boolean => any::<bool>().prop_map(|truth| truth.to_string()).boxed(),
        FeatureType::DateTime => (FIRST_DAY * 86_400..(LAST_DAY + 1) * 86_400)
            .prop_map(|seconds| quoted(|text| calendar::write_datetime(text, seconds)))
            .boxed(),
        FeatureType::Date => (FIRST_DAY..=LAST_DAY)
            .prop_map(|days| quoted(|text| calendar::write_date(text, days)))
            .boxed(),
    }
}

/// 0000-01-01 and 9999-12-31, in days since 1970-01-01.
const FIRST_DAY: i64 = -719_528;
const LAST_DAY: i64 = 2_932_896;

fn quoted(write: impl FnOnce(&mut String)) -> String {
    let mut text = String::from('"');
    write(&mut text);
    text.push('"');
    text
}

/// A name without control characters, not blank.
fn name() -> impl Strategy<Value = String> {
    let text = vec(any::<char>(), 1..10).prop_map(|chars| chars.into_iter().collect::<String>());
    prop_oneof![2 => "[a-z_]{1,8}", 1 => text].prop_filter("is a name", |name| {
        !name.trim().is_empty() && !name.chars().any(char::is_control)
    })
}

/// Any finite float, zeros and the extremes among them.
pub fn float() -> impl Strategy<Value = f64> {
    use proptest::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    prop_oneof![
        -1000.0..1000.0,
        NORMAL | SUBNORMAL | ZERO | POSITIVE | NEGATIVE,
        proptest::sample::select(vec![0.0, -0.0, f64::MAX, f64::MIN, f64::MIN_POSITIVE]),
    ]
}

fn positive() -> impl Strategy<Value = f64> {
    use proptest::num::f64::{NORMAL, POSITIVE, SUBNORMAL};
    prop_oneof![1e-6..1000.0, NORMAL | SUBNORMAL | POSITIVE]
}
