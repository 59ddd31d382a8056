//! The parameters of every distribution as a JSON Schema.

use serde_json::{Value, json};
use tdg_definition::FeatureType;

use crate::generate::one_of;
use crate::relations::relations;

/// A parameter, or several, exactly one of which must be given.
pub(crate) struct Parameter {
    pub(crate) names: &'static [&'static str],
    pub(crate) schema: Value,
    pub(crate) required: bool,
}

fn one(names: &'static [&'static str], schema: Value) -> Parameter {
    Parameter {
        names,
        schema,
        required: true,
    }
}

fn may(names: &'static [&'static str], schema: Value) -> Parameter {
    Parameter {
        names,
        schema,
        required: false,
    }
}

/// A schema can't express further requirements of the reader, such as an order of bounds.
pub(crate) fn parameters(distribution: &str, feature_type: FeatureType) -> Vec<Parameter> {
    let value = || value(feature_type);
    let mu = || one(&["mu"], number());
    let sigma = || one(&["sigma"], positive());
    let p = || one(&["p"], between(0.0, 1.0));
    let success = || one(&["p"], up_to(1.0));
    let rate_or_scale = || one(&["rate", "scale"], positive());
    let of_gamma = || between(1e-300, 1e8);
    match distribution {
        "gaussian" => vec![
            mu(),
            sigma(),
            may(&["min"], number()),
            may(&["max"], number()),
        ],
        "uniform" => vec![one(&["min"], value()), one(&["max"], value())],
        "lognormal" | "cauchy" | "laplace" | "logistic" => vec![mu(), sigma()],
        "exponential" => vec![rate_or_scale()],
        "gamma" => vec![one(&["shape"], of_gamma()), rate_or_scale()],
        "beta" => vec![one(&["alpha"], of_gamma()), one(&["beta"], of_gamma())],
        "weibull" => vec![one(&["shape"], positive()), one(&["scale"], positive())],
        "pareto" => vec![one(&["min"], positive()), one(&["shape"], positive())],
        "triangular" => vec![
            one(&["min"], number()),
            one(&["mode"], number()),
            one(&["max"], number()),
        ],
        "student_t" => vec![
            one(&["nu"], up_to(1e9)),
            may(&["mu"], number()),
            may(&["sigma"], positive()),
        ],
        "poisson" => vec![one(&["rate"], up_to(1e7))],
        "binomial" => vec![one(&["n"], json!({"type": "integer", "minimum": 0})), p()],
        "negative_binomial" => vec![one(&["n"], positive()), success()],
        "geometric" => vec![success()],
        "zipf" => vec![
            one(
                &["n"],
                json!({"type": "integer", "minimum": 1, "maximum": 1_000_000}),
            ),
            one(&["s"], json!({"type": "number", "minimum": 0})),
        ],
        "sequence" => vec![may(&["start"], integer()), may(&["step"], integer())],
        "pattern" => vec![one(&["regex"], json!({"type": "string"}))],
        "uuid" => vec![],
        "index" => vec![one(&["of"], path()), may(&["beyond"], between(0.0, 1.0))],
        "length_of" => vec![one(&["of"], path())],
        "shape" => vec![one(&["of"], json!({"type": "string"}))],
        "sum" => vec![one(&["of"], path()), may(&["off"], between(0.0, 1.0))],
        "share" => vec![one(&["of"], path()), may(&["shape"], of_gamma())],
        "one_of" => vec![
            one(&["of"], path()),
            may(&["missing"], between(0.0, 1.0)),
            may(
                &["else"],
                json!({"$ref": format!("#/$defs/{feature_type}")}),
            ),
        ],
        "any" => match feature_type {
            FeatureType::Float | FeatureType::Integer => {
                vec![may(&["min"], value()), may(&["max"], value())]
            }
            FeatureType::String => {
                let length = || json!({"type": "integer", "minimum": 0, "maximum": 10_000});
                vec![
                    may(&["min_length"], length()),
                    may(&["max_length"], length()),
                ]
            }
            FeatureType::Bytes => vec![may(&["length"], length())],
            _ => vec![],
        },
        "constant" => vec![one(&["value"], value())],
        "bernoulli" => vec![p()],
        "categorical" => vec![one(
            &["categories"],
            json!({
                "type": "array", "minItems": 1, "maxItems": 100_000,
                "items": {
                    "type": "object",
                    "properties": {"value": value(), "probability": between(0.0, 1.0)},
                    "required": ["value", "probability"],
                    "additionalProperties": false,
                },
            }),
        )],
        "mixture" => vec![one(
            &["components"],
            json!({
                "type": "array", "minItems": 1, "maxItems": 100,
                "items": {"$ref": format!("#/$defs/{feature_type}.component")},
            }),
        )],
        "list" => vec![
            may(&["length"], length()),
            one(&["element"], json!({"$ref": "#/$defs/element"})),
            may(
                &["sorted"],
                json!({"anyOf": [
                    {"type": "boolean"},
                    {"enum": ["falling"]},
                    {"type": "array", "minItems": 1, "items": {"type": "string"}},
                ]}),
            ),
            may(&["form"], one_of(&["array", "map"], &["array", "map"])),
        ],
        "object" => {
            let features = json!({
                "type": "array", "minItems": 1, "maxItems": 1000,
                "items": {"$ref": "#/$defs/feature"},
            });
            let relations = relations();
            let relation = |name: &'static [&'static str]| may(name, relations[name[0]].clone());
            vec![
                one(&["features"], features),
                may(
                    &["form"],
                    one_of(&["object", "array"], &["object", "array"]),
                ),
                relation(&["correlations"]),
                relation(&["order"]),
            ]
        }
        "variant" => {
            let variants = json!({
                "type": "array", "minItems": 1, "maxItems": 256,
                "items": {"$ref": "#/$defs/variant"},
            });
            let name = || json!({"type": ["string", "null"]});
            vec![
                one(&["variants"], variants),
                may(&["tag"], name()),
                may(&["content"], name()),
                may(&["untagged"], json!({"type": "boolean"})),
            ]
        }
        other => panic!("say here which parameters {other} has"),
    }
}

/// The name of another feature, or a path.
fn path() -> Value {
    json!({"type": "string", "pattern": r"\S"})
}

/// A number, the name of a feature, two bounds, or a distribution, which may have bounds that it
/// doesn't have elsewhere.
fn length() -> Value {
    let bound = || json!({"type": "integer", "minimum": 0, "maximum": 10_000});
    json!({"anyOf": [
        bound(),
        path(),
        {
            "type": "object",
            "properties": {"min": bound(), "max": bound()},
            "required": ["min", "max"],
            "additionalProperties": false,
        },
        {"type": "object", "properties": {"type": {"type": "string"}}, "required": ["type"]},
    ]})
}

pub(crate) fn weight() -> Parameter {
    one(&["weight"], json!({"type": "number", "minimum": 0}))
}

fn value(feature_type: FeatureType) -> Value {
    match feature_type {
        FeatureType::Float => number(),
        FeatureType::Integer => json!({"type": "integer"}),
        FeatureType::String => json!({"type": "string", "maxLength": 65_536}),
        FeatureType::Boolean => json!({"type": "boolean"}),
        FeatureType::DateTime => json!({"type": "string", "format": "date-time"}),
        FeatureType::Date => json!({"type": "string", "format": "date"}),
        // Up to four characters per byte.
        FeatureType::Bytes => json!({"type": "string", "maxLength": 4 * 65_536}),
        other => panic!("{other}"),
    }
}

fn number() -> Value {
    json!({"type": "number"})
}

fn integer() -> Value {
    json!({"type": "integer"})
}

fn positive() -> Value {
    json!({"type": "number", "exclusiveMinimum": 0})
}

/// A number above 0.
fn up_to(maximum: f64) -> Value {
    json!({"type": "number", "exclusiveMinimum": 0, "maximum": maximum})
}

pub(crate) fn between(minimum: f64, maximum: f64) -> Value {
    json!({"type": "number", "minimum": minimum, "maximum": maximum})
}
