//! Checks docs/reference/definition.schema.json against the catalogue, the reader of definitions,
//! and docs/reference/definitions.md.
//!
//! `UPDATE_SCHEMA=1 cargo test -p tdg-definition --test schema` regenerates the file.

#![allow(clippy::unwrap_used, clippy::panic)] // Also in helpers: failures there fail the test.

mod generate;
mod parameters;
mod relations;
mod validate;

#[path = "../support/arbitrary.rs"]
#[allow(dead_code, unreachable_pub)]
mod arbitrary;

use std::collections::BTreeSet;

use proptest::prelude::*;
use tdg_definition::json::{self, Value};
use tdg_definition::{Definition, FeatureType, distribution};

const PAGE: &str = include_str!("../../../docs/reference/definitions.md");
const SCHEMA: &str = include_str!("../../../docs/reference/definition.schema.json");

fn accepted(definition: &str) -> bool {
    let schema = json::parse(SCHEMA).unwrap();
    validate::accepts(&schema, &schema, &json::parse(definition).unwrap())
}

fn examples() -> impl Iterator<Item = &'static str> {
    let blocks = PAGE.split("```json\n").skip(1);
    blocks.map(|block| block.split_once("```").unwrap().0)
}

/// Returns true if the catalogue has this combination; without parameters, it's rejected either for
/// the combination or for missing parameters.
fn draws(name: &str, feature_type: FeatureType) -> bool {
    faults(feature_type.name(), &format!(r#"{{"type": "{name}"}}"#))
        .is_none_or(|faults| !faults.contains("can't draw"))
}

fn faults(feature_type: &str, distribution: &str) -> Option<String> {
    let text = format!(
        r#"{{"features": [{{"type": "{feature_type}", "distribution": {distribution}}}]}}"#
    );
    Definition::parse(&text)
        .err()
        .map(|faults| faults.to_string())
}

/// The names listed for an unknown member.
fn known(faults: &str) -> BTreeSet<String> {
    let (_, names) = faults
        .split_once("expected one of: ")
        .unwrap_or_else(|| panic!("{faults}"));
    names
        .lines()
        .next()
        .unwrap()
        .split(", ")
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_committed_schema_is_the_generated_one() {
    // A value, since the order of keys changes if other crates enable serde_json's preserve_order.
    let generated = generate::schema();
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../docs/reference/definition.schema.json"
        );
        std::fs::write(path, format!("{generated:#}\n")).unwrap();
        return;
    }
    assert!(
        json::parse(SCHEMA).unwrap() == json::parse(&generated.to_string()).unwrap(),
        "run UPDATE_SCHEMA=1 cargo test -p tdg-definition --test schema"
    );
}

#[test]
fn the_schema_accepts_every_example_of_the_page() {
    for example in examples() {
        assert!(accepted(example), "{example}");
    }
}

#[test]
fn the_schema_accepts_every_golden_feature() {
    assert!(accepted(include_str!("../golden/definition.json")));
}

#[test]
fn the_schema_knows_the_members_that_the_reader_knows() {
    let schema = json::parse(SCHEMA).unwrap();
    let properties = |schema: &Value| -> BTreeSet<String> {
        schema
            .get("properties")
            .unwrap()
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect()
    };
    let faults = Definition::parse(r#"{"§": 0, "features": [{"§": 0}]}"#)
        .unwrap_err()
        .to_string();
    let of_feature = schema.get("$defs").unwrap().get("feature").unwrap();
    let mut lines = faults
        .lines()
        .filter(|line| line.contains("expected one of"));
    let mut of_reader: Vec<_> = lines.by_ref().map(known).collect();
    of_reader.sort_by_key(|names| names.contains("features"));
    assert_eq!(of_reader, [properties(of_feature), properties(&schema)]);
}

/// All features, including nested ones.
fn features(value: &json::Value) -> Vec<json::Value> {
    let within: Vec<&json::Value> = match value {
        json::Value::Array(values) => values.iter().collect(),
        json::Value::Object(members) => members.values().collect(),
        _ => Vec::new(),
    };
    let is_feature = value.get("distribution").is_some() && value.get("type").is_some();
    let own = is_feature.then(|| value.clone()).into_iter();
    own.chain(within.into_iter().flat_map(features)).collect()
}

#[test]
fn the_schema_knows_the_parameters_that_the_reader_knows() {
    let mut seen = BTreeSet::new();
    for example in examples() {
        let definition = Definition::parse(example).unwrap();
        for feature in features(&definition.to_value()) {
            let type_name = feature.get("type").unwrap().as_str().unwrap();
            let feature_type = FeatureType::from_name(type_name).unwrap();
            let distribution = feature.get("distribution").unwrap();
            let name = distribution.get("type").unwrap().as_str().unwrap();
            let text = distribution.to_string();
            let with = |member: &str| {
                let text = text.replacen('{', &format!(r#"{{"{member}": null, "#), 1);
                faults(type_name, &text).unwrap_or_default()
            };
            let stated: BTreeSet<String> = parameters::parameters(name, feature_type)
                .iter()
                .flat_map(|parameter| parameter.names)
                .map(|&name| name.to_owned())
                .collect();
            let mut read = known(&with("§"));
            read.remove("type");
            assert!(read.is_subset(&stated), "{name}: {read:?} {stated:?}");
            let named: BTreeSet<String> = distribution::parameters_left(name, |_| false)
                .unwrap()
                .map(str::to_owned)
                .collect();
            let first = |parameter: &parameters::Parameter| parameter.names[0].to_owned();
            let types = FeatureType::ALL
                .into_iter()
                .filter(|kind| draws(name, *kind));
            let firsts: Vec<_> = types
                .flat_map(|kind| parameters::parameters(name, kind))
                .collect();
            assert_eq!(named, firsts.iter().map(first).collect(), "{name}");
            for parameter in &stated {
                if distribution.get(parameter).is_none() {
                    assert!(
                        !with(parameter).contains(": unknown; "),
                        "{name}: {parameter}"
                    );
                }
                for alias in generate::aliases(parameter) {
                    assert!(!with(alias).contains(": unknown; "), "{name}: {alias}");
                }
            }
            seen.insert(name.to_owned());
        }
    }
    assert_eq!(
        seen,
        distribution::names()
            .map(|(name, _)| name.to_owned())
            .collect()
    );
}

#[test]
fn the_schema_and_the_reader_accept_what_is_spelled_otherwise() {
    for (feature_type, distribution) in [
        (
            "float",
            r#"{"type": "Normal", "mean": 1, "sd": 2, "lower": 0}"#,
        ),
        ("Float", r#"{"type": "T", "nu": 3, "stddev": 2}"#),
        ("INTEGER", r#"{"type": "POISSON", "lambda": 3}"#),
        ("INTEGER", r#"{"type": "uniform", "low": 1, "upper": 6.0}"#),
        ("STRING", r#"{"type": "Regex", "regex": "a"}"#),
    ] {
        assert_eq!(faults(feature_type, distribution), None);
        assert!(
            accepted(&definition(feature_type, distribution)),
            "{distribution}"
        );
    }
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    for (feature_type, distribution) in [
        ("TEXT", r#"{"type": "uuid"}"#),
        ("FLOAT", r#"{"type": "gauss", "mu": 1, "sigma": 2}"#),
        ("FLOAT", r#"{"type": "gaussian", "mu": 1}"#),
        ("FLOAT", r#"{"type": "gaussian", "mu": 1, "sigma": 0}"#),
        (
            "FLOAT",
            r#"{"type": "gaussian", "mu": 1, "mean": 1, "sigma": 1}"#,
        ),
        ("FLOAT", r#"{"type": "gaussian", "mu": "1", "sigma": 1}"#),
        (
            "FLOAT",
            r#"{"type": "gaussian", "mu": 1, "sigma": 1, "skew": 1}"#,
        ),
        (
            "FLOAT",
            r#"{"type": "gaussian", "mu": 1, "sigma": 1, "min": 0, "low": 0}"#,
        ),
        ("INTEGER", r#"{"type": "gaussian", "mu": 1, "sigma": 1}"#),
        ("FLOAT", r#"{"type": "exponential"}"#),
        ("FLOAT", r#"{"type": "exponential", "rate": 1, "scale": 1}"#),
        ("INTEGER", r#"{"type": "uniform", "min": 0.5, "max": 2}"#),
        ("DATE", r#"{"type": "constant", "value": 2020}"#),
        ("BOOLEAN", r#"{"type": "bernoulli", "p": 1.5}"#),
        ("INTEGER", r#"{"type": "geometric", "p": 0}"#),
        ("INTEGER", r#"{"type": "zipf", "n": 0, "s": 1}"#),
        ("STRING", r#"{"type": "categorical", "categories": []}"#),
        (
            "STRING",
            r#"{"type": "categorical", "categories": [{"value": 1, "probability": 1}]}"#,
        ),
        (
            "INTEGER",
            r#"{"type": "mixture", "components": [{"weight": 1, "mu": 0, "sigma": 1}]}"#,
        ),
        (
            "FLOAT",
            r#"{"type": "mixture", "components": [{"weight": 1}]}"#,
        ),
        (
            "FLOAT",
            r#"{"type": "mixture", "components": [{"weight": 1, "distribution":
                {"type": "mixture", "components": [{"weight": 1, "mu": 0, "sigma": 1}]}}]}"#,
        ),
    ] {
        assert_ne!(faults(feature_type, distribution), None, "{distribution}");
        assert!(
            !accepted(&definition(feature_type, distribution)),
            "{distribution}"
        );
    }
    for text in [
        "[]",
        "{}",
        r#"{"features": []}"#,
        r#"{"features": [{"type": "STRING"}]}"#,
        r#"{"features": [{"type": "STRING", "distribution": {"type": "uuid"}, "nulls": 1}]}"#,
        r#"{"features": [{"type": "STRING", "distribution": {"type": "uuid"}, "feature_name": " "}]}"#,
    ] {
        assert!(Definition::parse(text).is_err(), "{text}");
        assert!(!accepted(text), "{text}");
    }
}

#[test]
fn a_definition_may_name_its_schema() {
    let with = r#"{"$schema": "../docs/reference/definition.schema.json", "features": [{"type": "STRING", "distribution": {"type": "uuid"}}]}"#;
    let without = definition("STRING", r#"{"type": "uuid"}"#);
    assert_eq!(Definition::parse(with), Definition::parse(&without));
    assert!(accepted(with));
}

fn definition(feature_type: &str, distribution: &str) -> String {
    format!(r#"{{"features": [{{"type": "{feature_type}", "distribution": {distribution}}}]}}"#)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_schema_accepts_every_valid_definition(text in arbitrary::definition()) {
        prop_assert!(accepted(&text), "{}", text);
    }
}
