//! The JSON Schema of definition files: names from the catalogue, descriptions from
//! docs/reference/definitions.md.

use serde_json::{Map, Value, json};
use tdg_definition::{FeatureType, distribution};

use crate::parameters::{Parameter, between, parameters, weight};
use crate::relations::relations;
use crate::{PAGE, draws};

/// Aliases of parameters, as listed on the page.
const ALIASES: [(&str, &[&str]); 5] = [
    ("mu", &["mean", "loc"]),
    ("sigma", &["sd", "std", "std_dev", "stddev"]),
    ("min", &["low", "lower"]),
    ("max", &["high", "upper"]),
    ("rate", &["lam", "lambda"]),
];

pub(crate) fn schema() -> Value {
    let mut definitions = Map::new();
    for feature_type in FeatureType::ALL {
        let names: Vec<&str> = distribution::names()
            .map(|(name, _)| name)
            .filter(|name| draws(name, feature_type))
            .collect();
        for name in &names {
            let mut schema = object(json!({"type": true}), &parameters(name, feature_type));
            schema["description"] = description(name).into();
            definitions.insert(format!("{feature_type}.{name}"), schema);
        }
        definitions.insert(feature_type.to_string(), choice(feature_type, &names));
        if names.contains(&"mixture") {
            let single: Vec<&str> = names.iter().copied().filter(|n| *n != "mixture").collect();
            let name = format!("{feature_type}.single");
            definitions.insert(name, choice(feature_type, &single));
            let name = format!("{feature_type}.component");
            definitions.insert(name, component(feature_type));
        }
    }
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "tdg definition",
        "description": "The features of a test's rows. A definition that fits may still be refused for rules that a schema can't state, such as probabilities that must sum to 1.",
        "type": "object",
        "properties": {
            "$schema": {"description": "The location of this schema, for editors."},
            "definition_name": {"type": ["string", "null"], "maxLength": 256},
            "features": {
                "description": "The columns, in the order of a row's values.",
                "type": "array", "minItems": 1, "maxItems": 1000,
                "items": {"$ref": "#/$defs/feature"},
            },
            "shapes": {
                "description": "Kinds of values that can contain others of their kind, by name.",
                "type": "object",
                "additionalProperties": {"$ref": "#/$defs/shape"},
            },
        },
        "required": ["features"],
        "additionalProperties": false,
        "$defs": with_feature(definitions),
    });
    if let (Some(members), Value::Object(relations)) =
        (schema["properties"].as_object_mut(), relations())
    {
        members.extend(relations);
    }
    schema
}

fn with_feature(mut definitions: Map<String, Value>) -> Value {
    let names = FeatureType::ALL.map(FeatureType::name);
    let of_type: Vec<Value> = names
        .iter()
        .map(|name| {
            json!({
                "if": {"properties": {"type": any_case(&[name])}, "required": ["type"]},
                "then": {"properties": {"distribution": {"$ref": format!("#/$defs/{name}")}}},
            })
        })
        .collect();
    let drawn = json!({"required": ["type", "distribution"]});
    let parts = json!([{"required": ["type"]}, {"required": ["distribution"]}]);
    let of_shape = json!({"required": ["shape"], "not": {"anyOf": parts}});
    let feature = json!({
        "type": "object",
        "properties": {
            "feature_name": {
                "description": "Unique in the definition. By default feature_1, feature_2, …, by position.",
                "type": ["string", "null"], "maxLength": 256, "pattern": r"\S",
            },
            "type": one_of(&names, &names),
            "null_probability": described(between(0.0, 1.0), "The share of rows that are null; 0 by default."),
            "decimals": {
                "description": "Rounds FLOAT values to this number of decimals.",
                "type": "integer", "minimum": 0, "maximum": 15,
            },
            "unique": {"description": "No value occurs twice.", "type": "boolean"},
            "edge_cases": {
                "description": "The share of rows that get a value that often breaks code, or one of the `values`.",
                "type": "object",
                "properties": {
                    "probability": between(0.0, 1.0),
                    "values": {
                        "description": "Values of the feature's type, in place of those that often break code.",
                        "type": "array", "minItems": 1, "maxItems": 1000,
                    },
                    "usual": described(
                        between(0.0, 1.0),
                        "Beside `values`, the share of rows that get a value that often breaks code; by default as without `edge_cases`.",
                    ),
                },
                "required": ["probability"],
                "additionalProperties": false,
            },
            "distribution": {"type": "object"},
            "shape": described(json!({"type": "string"}), "One of the definition's `shapes`, in place of `type` and `distribution`."),
        },
        "additionalProperties": false,
        "allOf": of_type,
        "oneOf": [drawn.clone(), of_shape.clone()],
    });
    let mut shape = json!({
        "type": "object",
        "properties": {
            "depth": described(json!({"type": "integer", "minimum": 1, "maximum": 16}), "How deep values are in each other; 4 by default."),
            "leaves": described(json!({"type": "integer", "minimum": 1, "maximum": 1000}), "How many values without others there are when no more are added; 64 by default."),
            "type": one_of(&["OBJECT", "VARIANT"], &["OBJECT", "VARIANT"]),
            "distribution": {"type": "object"},
        },
        "required": ["type", "distribution"],
        "additionalProperties": false,
    });
    shape["allOf"] = feature["allOf"].clone();
    definitions.insert("shape".to_owned(), shape);
    let mut element = feature.clone();
    if let Some(members) = element["properties"].as_object_mut() {
        members.remove("feature_name");
    }
    let mut variant = element.clone();
    variant["properties"]["variant"] =
        json!({"type": "string", "maxLength": 256, "pattern": r"\S"});
    variant["properties"]["probability"] = between(0.0, 1.0);
    variant["required"] = json!(["variant"]);
    let any =
        json!([{"required": ["type"]}, {"required": ["distribution"]}, {"required": ["shape"]}]);
    variant["oneOf"] = json!([drawn, of_shape, {"not": {"anyOf": any}}]);
    definitions.insert("variant".to_owned(), variant);
    definitions.insert("feature".to_owned(), feature);
    definitions.insert("element".to_owned(), element);
    Value::Object(definitions)
}

/// A distribution with one of these names.
fn choice(feature_type: FeatureType, names: &[&str]) -> Value {
    let spelled: Vec<&str> = names.iter().flat_map(|name| spellings(name)).collect();
    let of_name: Vec<Value> = names
        .iter()
        .map(|name| {
            json!({
                "if": {"properties": {"type": any_case(&spellings(name))}, "required": ["type"]},
                "then": {"$ref": format!("#/$defs/{feature_type}.{name}")},
            })
        })
        .collect();
    json!({
        "type": "object",
        "properties": {"type": one_of(names, &spelled)},
        "required": ["type"],
        "allOf": of_name,
    })
}

/// A component has a distribution; for a float, it can be a gaussian's parameters instead.
fn component(feature_type: FeatureType) -> Value {
    let single = json!({"$ref": format!("#/$defs/{feature_type}.single")});
    let distribution = Parameter {
        names: &["distribution"],
        schema: single,
        required: true,
    };
    let stated = object(json!({}), &[weight(), distribution]);
    if feature_type != FeatureType::Float {
        return stated;
    }
    let mut gaussian = parameters("gaussian", feature_type);
    gaussian.push(weight());
    json!({"anyOf": [stated, object(json!({}), &gaussian)]})
}

/// An object with these parameters only, each under exactly one of its spellings.
fn object(mut properties: Value, parameters: &[Parameter]) -> Value {
    let mut rules = Vec::new();
    for parameter in parameters {
        let spelled: Vec<&str> = parameter
            .names
            .iter()
            .flat_map(|name| [*name].into_iter().chain(aliases(name)))
            .collect();
        for spelling in &spelled {
            properties[*spelling] = parameter.schema.clone();
        }
        let mut given: Vec<Value> = spelled.iter().map(|s| json!({"required": [s]})).collect();
        if !parameter.required {
            given.push(json!({"not": {"anyOf": given}}));
        }
        if parameter.required || spelled.len() > 1 {
            rules.push(json!({"oneOf": given}));
        }
    }
    let mut object = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if !rules.is_empty() {
        object["allOf"] = rules.into();
    }
    object
}

pub(crate) fn aliases(name: &str) -> Vec<&'static str> {
    let found = ALIASES.iter().find(|(canonical, _)| *canonical == name);
    found.map_or(Vec::new(), |(_, aliases)| aliases.to_vec())
}

/// The distribution's name and its aliases.
fn spellings(name: &str) -> Vec<&'static str> {
    distribution::names()
        .filter(|(canonical, _)| *canonical == name)
        .flat_map(|(canonical, aliases)| [canonical].into_iter().chain(aliases.iter().copied()))
        .collect()
}

/// Accepts any spelling in any case, of which editors offer some.
pub(crate) fn one_of(offered: &[&str], accepted: &[&str]) -> Value {
    json!({"anyOf": [{"enum": offered}, any_case(accepted)]})
}

/// JSON Schema's regular expressions don't have a flag for it.
fn any_case(names: &[&str]) -> Value {
    let mut pattern = String::from("^(");
    for (index, name) in names.iter().enumerate() {
        if index > 0 {
            pattern.push('|');
        }
        for character in name.chars() {
            let (upper, lower) = (
                character.to_ascii_uppercase(),
                character.to_ascii_lowercase(),
            );
            if upper == lower {
                pattern.push(character);
            } else {
                pattern.extend(['[', upper, lower, ']']);
            }
        }
    }
    pattern.push_str(")$");
    json!({"type": "string", "pattern": pattern})
}

pub(crate) fn described(mut schema: Value, description: &str) -> Value {
    schema["description"] = description.into();
    schema
}

/// The text of the distribution's section, up to its example.
fn description(name: &str) -> String {
    let (_, section) = PAGE.split_once(&format!("\n### {name}\n")).unwrap();
    let text = section.split("```").next().unwrap();
    let text = text.split("\n|").next().unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
