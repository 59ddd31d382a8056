//! Arbitrary valid definitions, for property tests.

use std::collections::BTreeSet;

use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use tdg_definition::bytes::escape;
use tdg_definition::json::Value;
use tdg_definition::{FeatureType, calendar};

/// The JSON text of a valid definition whose features are all named; some are related, but not by
/// stratified sampling.
pub fn definition() -> impl Strategy<Value = String> {
    let unrelated = features().prop_map(|features| definition_of(&features));
    let relations = prop_oneof![related(), covered()];
    let related = (features(), relations).prop_map(|(mut features, (more, relations))| {
        features.extend(more);
        related_definition_of(&features, &relations)
    });
    prop_oneof![2 => unrelated, 1 => related]
}

/// The JSON texts of valid features that are covered together, with unique names, and the
/// definition's member that covers them.
pub fn covered() -> impl Strategy<Value = (Vec<String>, String)> {
    let feature = (
        with_levels(),
        null_probability().prop_filter("not always", |p| *p < 1.0),
    );
    (vec(feature, 1..=5), 2..=3, 2..=6).prop_map(|(features, strength, bins)| {
        let name = |number: usize| format!("\"covered {number}\"");
        let names: Vec<String> = (0..features.len()).map(name).collect();
        let feature = |(name, ((feature_type, distribution), nulls)): (&String, ((&str, String), f64))| {
            let nulls = Value::from(nulls);
            format!(
                r#"{{"feature_name": {name}, "type": "{feature_type}", "null_probability": {nulls}, "distribution": {distribution}}}"#
            )
        };
        let features = names.iter().zip(features).map(feature).collect();
        let names = names.join(", ");
        let coverage = format!(
            r#""coverage": {{"strength": {strength}, "bins": {bins}, "features": [{names}]}}"#
        );
        (features, coverage)
    })
}

/// Types and distributions with at least two levels.
fn with_levels() -> impl Strategy<Value = (&'static str, String)> {
    prop_oneof![
        gaussian_without_bounds(),
        (0.01..0.99f64).prop_map(|p| ("BOOLEAN", format!(r#"{{"type": "bernoulli", "p": {p}}}"#))),
        (0..9, 10..100_000).prop_map(|(min, max)| {
            let distribution = format!(r#"{{"type": "uniform", "min": {min}, "max": {max}}}"#);
            ("INTEGER", distribution)
        }),
        (2.0..1e5f64).prop_map(|rate| (
            "INTEGER",
            format!(r#"{{"type": "poisson", "rate": {rate}}}"#)
        )),
        (0.01..0.3f64).prop_map(|p| ("INTEGER", format!(r#"{{"type": "geometric", "p": {p}}}"#))),
    ]
}

/// The JSON texts of valid related features, with unique names, and the definition's members that
/// relate them.
pub fn related() -> impl Strategy<Value = (Vec<String>, String)> {
    (1..=3usize, 1..=3usize).prop_flat_map(|(correlated, in_order)| {
        let correlated_features = vec(of_one_word(), correlated);
        let features_in_order = vec(gaussian_without_bounds(), in_order);
        let features = (correlated_features, features_in_order);
        (features, correlations(correlated)).prop_map(move |((correlated, in_order), pairs)| {
            let order: Vec<String> = (correlated.len()..correlated.len() + in_order.len())
                .map(|number| format!("\"related {number}\""))
                .collect();
            let feature = |(number, (feature_type, distribution)): (usize, (&str, String))| {
                format!(
                    r#"{{"feature_name": "related {number}", "type": "{feature_type}", "distribution": {distribution}}}"#
                )
            };
            let features = correlated.into_iter().chain(in_order);
            let features = features.enumerate().map(feature).collect();
            let mut members = vec![r#""sampling": "random""#.to_owned()];
            if !pairs.is_empty() {
                members.push(format!(r#""correlations": [{}]"#, pairs.join(",")));
            }
            if order.len() > 1 {
                members.push(format!(r#""order": [[{}]]"#, order.join(",")));
            }
            (features, members.join(","))
        })
    })
}

/// Types and distributions of numbers that take one random word each.
fn of_one_word() -> impl Strategy<Value = (&'static str, String)> {
    prop_oneof![
        gaussian().prop_map(|distribution| ("FLOAT", distribution)),
        lognormal().prop_map(|distribution| ("FLOAT", distribution)),
        poisson().prop_map(|distribution| ("INTEGER", distribution)),
        uniform(i64::MIN, i64::MAX).prop_map(|distribution| ("INTEGER", distribution)),
        bernoulli().prop_map(|distribution| ("INTEGER", distribution)),
        shaped().prop_map(|distribution| ("FLOAT", distribution)),
    ]
}

fn gaussian_without_bounds() -> impl Strategy<Value = (&'static str, String)> {
    (-10.0..10.0f64, 0.1..10.0f64).prop_map(|(mu, sigma)| {
        let distribution = format!(r#"{{"type": "gaussian", "mu": {mu}, "sigma": {sigma}}}"#);
        ("FLOAT", distribution)
    })
}

/// Possible correlations between numeric features: the cosines between arbitrary directions.
fn correlations(features: usize) -> impl Strategy<Value = Vec<String>> {
    let direction = vec(-1.0..1.0f64, 3).prop_filter("a length", |direction| {
        direction.iter().map(|x| x * x).sum::<f64>() > 0.01
    });
    vec(direction, features).prop_map(|directions| {
        let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let cosine = |x: &[f64], y: &[f64]| product(x, y) / (product(x, x) * product(y, y)).sqrt();
        let mut pairs = Vec::new();
        for (one, x) in directions.iter().enumerate() {
            for (other, y) in directions[..one].iter().enumerate() {
                let correlation = cosine(x, y).clamp(-1.0, 1.0);
                pairs.push(format!(
                    r#"{{"features": ["related {one}", "related {other}"], "correlation": {correlation:?}}}"#
                ));
            }
        }
        pairs
    })
}

/// The JSON text of a definition with these features and these members.
pub fn related_definition_of(features: &[String], members: &str) -> String {
    format!(r#"{{"features": [{}], {members}}}"#, features.join(","))
}

/// The JSON texts of 1 to 5 valid features with unique names.
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
    let name = format!(r#""feature_name": {}, "#, Value::from(name));
    (drawn(2), null_probability).prop_map(move |(drawn, nulls)| described(&name, &drawn, nulls))
}

/// The JSON text of a feature with this member, which may be empty.
fn described(name: &str, drawn: &(FeatureType, String), nulls: f64) -> String {
    let ((feature_type, distribution), nulls) = (drawn, Value::from(nulls));
    format!(
        r#"{{{name}"type": "{feature_type}", "null_probability": {nulls}, "distribution": {distribution}}}"#
    )
}

/// A type and the JSON text of a distribution; `depth` limits the nesting of lists and objects.
fn drawn(depth: u32) -> BoxedStrategy<(FeatureType, String)> {
    let scalar = feature_type().prop_flat_map(|t| (Just(t), distribution(t)));
    match depth {
        0 => scalar.boxed(),
        _ => prop_oneof![6 => scalar, 1 => list(depth), 1 => object(depth), 1 => variant(depth)]
            .boxed(),
    }
}

/// The JSON text of an element that is a single value, without nulls.
pub fn scalar() -> impl Strategy<Value = String> {
    drawn(0).prop_map(|(feature_type, distribution)| {
        format!(r#"{{"type": "{feature_type}", "distribution": {distribution}}}"#)
    })
}

/// The JSON text of a list's element.
pub fn element() -> impl Strategy<Value = String> {
    (drawn(1), null_probability()).prop_map(|(drawn, nulls)| described("", &drawn, nulls))
}

/// A list, with unique elements if they are integers of a certain kind.
fn list(depth: u32) -> BoxedStrategy<(FeatureType, String)> {
    let element = (drawn(depth - 1), null_probability());
    let element = element.prop_map(|(drawn, nulls)| described("", &drawn, nulls));
    let unique = (20..1000i64).prop_map(|max| {
        format!(
            r#"{{"type": "INTEGER", "unique": true, "distribution": {{"type": "uniform", "min": 1, "max": {max}}}}}"#
        )
    });
    (length(), prop_oneof![4 => element, 1 => unique])
        .prop_map(|(length, element)| {
            let list = format!(r#"{{"type": "list", {length}"element": {element}}}"#);
            (FeatureType::List, list)
        })
        .boxed()
}

/// The member that states the length of a list, or nothing.
fn length() -> impl Strategy<Value = String> {
    let bounds = (0..6, 0..6).prop_map(|(min, more)| (min, min + more));
    prop_oneof![
        Just(String::new()),
        (0..6).prop_map(|length| format!(r#""length": {length}, "#)),
        bounds.prop_map(|(min, max)| format!(r#""length": {{"min": {min}, "max": {max}}}, "#)),
        (0.1..5.0f64, 5..20).prop_map(|(rate, max)| {
            format!(r#""length": {{"type": "poisson", "rate": {rate}, "max": {max}}}, "#)
        }),
        (0..20).prop_map(|max| format!(r#""length": {{"type": "any", "min": 0, "max": {max}}}, "#)),
    ]
}

fn object(depth: u32) -> BoxedStrategy<(FeatureType, String)> {
    let member = (name(), drawn(depth - 1), null_probability());
    let members = vec(member, 1..4).prop_map(|members| {
        let mut seen = BTreeSet::new();
        let is_first = |(name, ..): &(String, _, _)| seen.insert(name.clone());
        let members = members.into_iter().filter(is_first);
        let members = members.map(|(name, drawn, nulls)| {
            let name = format!(r#""feature_name": {}, "#, Value::from(name));
            described(&name, &drawn, nulls)
        });
        members.collect::<Vec<_>>().join(",")
    });
    let tuple = vec((drawn(depth - 1), null_probability()), 1..4).prop_map(|members| {
        let members = members.into_iter();
        let members = members.map(|(drawn, nulls)| described("", &drawn, nulls));
        format!(
            r#""form": "array", "features": [{}]"#,
            members.collect::<Vec<_>>().join(",")
        )
    });
    let object = members.prop_map(|members| format!(r#""features": [{members}]"#));
    prop_oneof![3 => object, 1 => tuple]
        .prop_map(|members| {
            (
                FeatureType::Object,
                format!(r#"{{"type": "object", {members}}}"#),
            )
        })
        .boxed()
}

/// Variants, some of which have no value, in a form that any value can have.
fn variant(depth: u32) -> BoxedStrategy<(FeatureType, String)> {
    let value = option::of((drawn(depth - 1), null_probability()));
    let variants = vec((name(), value, 1..9u32), 1..4).prop_map(|variants| {
        let mut seen = BTreeSet::new();
        let variants = variants.into_iter().filter(|it| seen.insert(it.0.clone()));
        let variants: Vec<_> = variants.collect();
        let total: u32 = variants.iter().map(|it| it.2).sum();
        let variant = |(name, value, weight): (String, Option<(_, _)>, u32)| {
            let (name, share) = (Value::from(name), f64::from(weight) / f64::from(total));
            let share = Value::from(share);
            let head = format!(r#""variant": {name}, "probability": {share}"#);
            match value {
                None => format!("{{{head}}}"),
                Some((drawn, nulls)) => described(&format!("{head}, "), &drawn, nulls),
            }
        };
        variants
            .into_iter()
            .map(variant)
            .collect::<Vec<_>>()
            .join(",")
    });
    let form = prop_oneof![Just(""), Just(r#", "tag": "t", "content": "the content""#),];
    let variant = |(variants, form): (String, &str)| {
        let variant = format!(r#"{{"type": "variant", "variants": [{variants}]{form}}}"#);
        (FeatureType::Variant, variant)
    };
    (variants, form).prop_map(variant).boxed()
}

/// Often 0, often 1, or in between.
pub fn null_probability() -> impl Strategy<Value = f64> {
    prop_oneof![2 => Just(0.0), 1 => Just(1.0), 4 => 0.0..=1.0]
}

/// A type of single values.
pub fn feature_type() -> impl Strategy<Value = FeatureType> {
    proptest::sample::select(FeatureType::SCALARS.to_vec())
}

/// The JSON text of a distribution with values of this type.
pub fn distribution(feature_type: FeatureType) -> BoxedStrategy<String> {
    let any = prop_oneof![
        constant(feature_type),
        categorical(feature_type),
        own(feature_type),
        anything(feature_type),
    ];
    match feature_type {
        FeatureType::Float => prop_oneof![4 => any, 1 => mixture(own(feature_type))].boxed(),
        FeatureType::Integer => {
            // Not both negative and above `i64::MAX`.
            let own = prop_oneof![uniform(-1000, 1000), poisson(), bernoulli()].boxed();
            prop_oneof![4 => any, 1 => mixture(own)].boxed()
        }
        _ => any.boxed(),
    }
}

/// A distribution with values of this type that isn't constant, a mixture or, if possible,
/// categorical.
fn own(feature_type: FeatureType) -> BoxedStrategy<String> {
    match feature_type {
        FeatureType::Float => prop_oneof![
            gaussian(),
            uniform_floats(),
            lognormal(),
            exponential(),
            shaped(),
            placed(),
        ]
        .boxed(),
        FeatureType::Integer => prop_oneof![
            uniform(i64::MIN, i64::MAX),
            uniform(-10, 10),
            uniform(0, u64::MAX),
            poisson(),
            bernoulli(),
            counts(),
        ]
        .boxed(),
        FeatureType::Boolean => bernoulli(),
        FeatureType::DateTime | FeatureType::Date => (value(feature_type), value(feature_type))
            .prop_map(|(a, b)| {
                let (min, max) = if a < b { (a, b) } else { (b, a) };
                format!(r#"{{"type": "uniform", "min": {min}, "max": {max}}}"#)
            })
            .boxed(),
        FeatureType::String => {
            let regex = proptest::sample::select(vec![r"[a-z]{0,9}", r"(\\d|[äö💾]+)*", "x|yy|"]);
            prop_oneof![
                regex.prop_map(|regex| format!(r#"{{"type": "pattern", "regex": "{regex}"}}"#)),
                Just(r#"{"type": "uuid"}"#.to_owned()),
            ]
            .boxed()
        }
        FeatureType::Bytes => {
            let regex = proptest::sample::select(vec![r"(?-u)[\\x00-\\xff]{0,9}", "[a-zäöü]{1,3}"]);
            regex
                .prop_map(|regex| format!(r#"{{"type": "pattern", "regex": "{regex}"}}"#))
                .boxed()
        }
        other => panic!("{other}"),
    }
}

/// The distribution `any`, with or without bounds.
fn anything(feature_type: FeatureType) -> BoxedStrategy<String> {
    let names = match feature_type {
        FeatureType::Float | FeatureType::Integer => ("min", "max"),
        FeatureType::String => ("min_length", "max_length"),
        FeatureType::Bytes => {
            let any = |length| format!(r#"{{"type": "any", "length": {length}}}"#);
            return (0..40u8).prop_map(any).boxed();
        }
        _ => return Just(r#"{"type": "any"}"#.to_owned()).boxed(),
    };
    let bound = match feature_type {
        FeatureType::Float => float().boxed(),
        FeatureType::String => (0..200i32).prop_map(f64::from).boxed(),
        _ => (-1000..1000i32).prop_map(f64::from).boxed(),
    };
    (option::of(bound.clone()), option::of(bound))
        .prop_map(move |(a, b)| {
            let (min, max) = match (a, b) {
                (Some(a), Some(b)) => (Some(a.min(b)), Some(a.max(b))),
                bounds => bounds,
            };
            let member = |name, bound: Option<f64>| match bound {
                Some(bound) => format!(r#", "{name}": {}"#, Value::from(bound)),
                None => String::new(),
            };
            format!(
                r#"{{"type": "any"{}{}}}"#,
                member(names.0, min),
                member(names.1, max)
            )
        })
        .boxed()
}

/// Distributions with a shape parameter.
fn shaped() -> BoxedStrategy<String> {
    let shape = || prop_oneof![4 => 0.01..100.0f64, 1 => 1e-6..1e6f64];
    prop_oneof![
        (shape(), 1e-6..1e6f64).prop_map(|(shape, scale)| {
            format!(r#"{{"type": "gamma", "shape": {shape}, "scale": {scale}}}"#)
        }),
        (shape(), shape()).prop_map(|(alpha, beta)| {
            format!(r#"{{"type": "beta", "alpha": {alpha}, "beta": {beta}}}"#)
        }),
        (0.01..100.0f64).prop_map(|shape| {
            format!(r#"{{"type": "weibull", "shape": {shape}, "scale": 3}}"#)
        }),
        (0.1..100.0f64)
            .prop_map(|shape| format!(r#"{{"type": "pareto", "min": 3, "shape": {shape}}}"#)),
        (-10.0..0.0f64, 0.0..10.0f64).prop_map(|(min, max)| {
            format!(r#"{{"type": "triangular", "min": {min}, "mode": 0, "max": {max}}}"#)
        }),
        (0.2..1e6f64).prop_map(|nu| format!(r#"{{"type": "student_t", "nu": {nu}}}"#)),
    ]
    .boxed()
}

/// Distributions with a location and a scale.
fn placed() -> BoxedStrategy<String> {
    let name = proptest::sample::select(vec!["cauchy", "laplace", "logistic", "gaussian"]);
    // Narrower bounds are rejected unless they are equal.
    let width = prop_oneof![Just(0.0), 1e-3..10.0f64];
    let bounds = (-30.0..30.0f64, width);
    (name, -1e6..1e6f64, 1e-3..1e3f64, bounds)
        .prop_map(|(name, mu, sigma, (min, width))| {
            let bounds = match name {
                "gaussian" => {
                    let min = mu + sigma * min;
                    format!(r#", "min": {min}, "max": {}"#, min + sigma * width)
                }
                _ => String::new(),
            };
            format!(r#"{{"type": "{name}", "mu": {mu}, "sigma": {sigma}{bounds}}}"#)
        })
        .boxed()
}

/// Distributions of counts.
fn counts() -> BoxedStrategy<String> {
    prop_oneof![
        (0..1000i64, 0.0..=1.0f64)
            .prop_map(|(n, p)| format!(r#"{{"type": "binomial", "n": {n}, "p": {p}}}"#)),
        (0.1..10.0f64, 0.01..=1.0f64)
            .prop_map(|(n, p)| format!(r#"{{"type": "negative_binomial", "n": {n}, "p": {p}}}"#)),
        (1e-12..=1.0f64).prop_map(|p| format!(r#"{{"type": "geometric", "p": {p}}}"#)),
        (1..100i64, 0.0..5.0f64)
            .prop_map(|(n, s)| format!(r#"{{"type": "zipf", "n": {n}, "s": {s}}}"#)),
        (any::<i32>(), any::<i16>()).prop_map(|(start, step)| {
            format!(r#"{{"type": "sequence", "start": {start}, "step": {step}}}"#)
        }),
    ]
    .boxed()
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
        // Not both negative and above `i64::MAX`.
        FeatureType::Integer => {
            let integers = prop_oneof![Just(u64::MAX), any::<u64>(), 0..10u64];
            btree_set(
                integers.prop_map(|integer| integer.to_string()).boxed(),
                1..=12,
            )
        }
        _ => btree_set(value(feature_type), 1..=12),
    };
    let weight = prop_oneof![1 => Just(0.0), 6 => 1e-9..1.0f64];
    (values, vec(weight, 12), 0.01..1.0f64)
        .prop_map(|(values, mut weights, first)| {
            // Prevents all of them from being 0.
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

/// The JSON text of a value of this type.
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
        FeatureType::Bytes => vec(any::<u8>(), 0..9)
            .prop_map(|bytes| {
                let mut text = String::new();
                escape(&bytes, &mut text);
                Value::from(text).to_string()
            })
            .boxed(),
        other => panic!("{other}"),
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

/// Any finite float, including zeros and the extremes.
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
