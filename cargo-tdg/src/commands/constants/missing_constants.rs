//! Constants that no row has, by feature.

use std::collections::BTreeSet;

use tdg_definition::Definition;
use tdg_definition::bytes::escape;
use tdg_definition::json::{self, Value};

use super::definition_file::with_edge_cases;
use super::tested_functions::TestedCode;
use crate::error::{Context as _, Result};
use crate::sources::CodeConstants;

/// The maximum number of values listed per feature.
const MOST: usize = 40;
/// The range of shares: fewer rows would have little effect, and more would leave few others.
const SHARES: (f64, f64) = (0.05, 0.25);

/// Constants that a feature can have but that are in no row.
pub(super) struct MissingConstants {
    /// For example `lines/sku`.
    pub(super) path: String,
    /// The feature's place in the definition.
    pub(super) pointer: Vec<String>,
    pub(super) values: Vec<Value>,
    /// The edge cases in the benchmark's definition.
    pub(super) stated: Option<EdgeCases>,
    /// The edge cases with the constants added.
    pub(super) wanted: EdgeCases,
}

pub(super) struct EdgeCases {
    probability: f64,
    /// The share of the type's edge values, if it must be written.
    usual: Option<f64>,
    values: Vec<Value>,
}

/// A feature with single values, and its values in the rows.
struct DrawnFeature<'a> {
    path: String,
    pointer: Vec<String>,
    feature: &'a Value,
    values: Vec<&'a Value>,
}

pub(super) fn missing(
    definition: &str,
    rows: &[Value],
    code: &TestedCode,
) -> Result<Vec<MissingConstants>> {
    let parsed = json::parse(definition).context("the definition")?;
    let features = parsed.get("features").and_then(Value::as_array);
    let mut drawn = Vec::new();
    for (at, feature) in features.unwrap_or_default().iter().enumerate() {
        let cells = rows.iter().filter_map(|row| row.as_array()?.get(at));
        let pointer = vec!["features".to_owned(), at.to_string()];
        add(name(feature), pointer, feature, cells.collect(), &mut drawn);
    }
    let missing = drawn.into_iter().filter_map(|it| {
        let values: Vec<Value> = it.absent(code.constants_of(&it.path));
        let is_possible = |value: &Value| {
            if !code.can_be(&it.path, value) {
                return false;
            }
            let alone = it.missing(vec![value.clone()], rows.len());
            let with = with_edge_cases(definition, &it.pointer, &alone.wanted.json());
            with.is_some_and(|with| Definition::parse(&with).is_ok())
        };
        let possible = values.into_iter().filter(is_possible).take(MOST);
        let mut possible: Vec<Value> = possible.collect();
        let number = |it: &Value| it.as_f64().unwrap_or_default();
        possible.sort_by(|one, other| number(one).total_cmp(&number(other)));
        let missing = it.missing(possible, rows.len());
        (!missing.values.is_empty()).then_some(missing)
    });
    Ok(missing.collect())
}

fn name(feature: &Value) -> String {
    let name = feature.get("feature_name").and_then(Value::as_str);
    name.unwrap_or_default().to_owned()
}

/// Adds a feature or the features nested in it that have single values.
fn add<'a>(
    path: String,
    pointer: Vec<String>,
    feature: &'a Value,
    values: Vec<&'a Value>,
    drawn: &mut Vec<DrawnFeature<'a>>,
) {
    let distribution = feature.get("distribution");
    let part = |name: &str| distribution.and_then(|it| it.get(name));
    let within = |names: &[&str]| {
        let names = names.iter().map(|it| (*it).to_owned());
        pointer.iter().cloned().chain(names).collect::<Vec<_>>()
    };
    match feature.get("type").and_then(Value::as_str) {
        Some("LIST") => {
            let elements = values.iter().filter_map(|it| it.as_array()).flatten();
            if let Some(element) = part("element") {
                let pointer = within(&["distribution", "element"]);
                add(path, pointer, element, elements.collect(), drawn);
            }
        }
        Some("OBJECT") => {
            let features = part("features").and_then(Value::as_array);
            for (at, feature) in features.unwrap_or_default().iter().enumerate() {
                let name = name(feature);
                let member = |it: &&'a Value| match it {
                    Value::Array(members) => members.get(at),
                    object => object.get(&name),
                };
                let members = values.iter().filter_map(member).collect();
                let pointer = within(&["distribution", "features", &at.to_string()]);
                add(format!("{path}/{name}"), pointer, feature, members, drawn);
            }
        }
        Some("VARIANT") | None => {}
        Some(_) => drawn.push(DrawnFeature {
            path,
            pointer,
            feature,
            values,
        }),
    }
}

impl DrawnFeature<'_> {
    /// Returns the constants that no row has.
    fn absent(&self, constants: &CodeConstants) -> Vec<Value> {
        let of_numbers = |text: String| text.parse::<f64>().map_or(text, |it| it.to_string());
        let has: BTreeSet<String> = self
            .values
            .iter()
            .map(|it| of_numbers(it.to_string()))
            .collect();
        let candidates: Vec<Value> = match self.feature.get("type").and_then(Value::as_str) {
            Some("INTEGER") => {
                let integers = constants.integers(i64::MIN.into(), u64::MAX.into());
                integers.into_iter().map(Value::from).collect()
            }
            Some("FLOAT") => constants
                .floats("f64")
                .into_iter()
                .map(Value::from)
                .collect(),
            Some("BYTES") => {
                let bytes = constants.bytes().iter().map(|bytes| {
                    let mut text = String::new();
                    escape(bytes, &mut text);
                    Value::from(text)
                });
                bytes.collect()
            }
            Some("BOOLEAN") => Vec::new(),
            // Includes dates, which are texts.
            _ => constants.texts().into_iter().map(Value::from).collect(),
        };
        let absent = candidates.into_iter();
        absent
            .filter(|it| !has.contains(&of_numbers(it.to_string())))
            .collect()
    }

    /// Adds values to the feature's existing edge cases.
    fn missing(&self, values: Vec<Value>, rows: usize) -> MissingConstants {
        let stated = self.feature.get("edge_cases").map(EdgeCases::stated);
        let (listed, usual, least) = match &stated {
            None => (&[][..], None, 0.0),
            Some(it) if it.values.is_empty() => (&[][..], Some(it.probability), 0.0),
            Some(it) => (&it.values[..], it.usual, it.probability),
        };
        let distribution = self.feature.get("distribution");
        let default = match distribution.and_then(|it| it.get("type")?.as_str()) {
            Some("any") => 0.25,
            _ => 0.0,
        };
        // Each value occurs twice if that leaves enough other rows.
        let wanted = 2.0 * (listed.len() + values.len()) as f64 / rows.max(1) as f64;
        let wanted = (wanted * 100.0).ceil() / 100.0;
        MissingConstants {
            path: self.path.clone(),
            pointer: self.pointer.clone(),
            wanted: EdgeCases {
                probability: wanted.clamp(SHARES.0, SHARES.1).max(least),
                usual: usual.filter(|it| *it != default),
                values: [listed, &values].concat(),
            },
            values,
            stated,
        }
    }
}

impl EdgeCases {
    /// Reads the member `edge_cases` of a feature.
    fn stated(member: &Value) -> Self {
        let share = |name: &str| member.get(name).and_then(Value::as_f64);
        let values = member.get("values").and_then(Value::as_array);
        Self {
            probability: share("probability").unwrap_or_default(),
            usual: share("usual"),
            values: values.unwrap_or_default().to_vec(),
        }
    }

    /// Formats the edge cases for a definition file.
    pub(super) fn json(&self) -> String {
        let values: Vec<String> = self.values.iter().map(ToString::to_string).collect();
        let usual = self
            .usual
            .map_or_else(String::new, |it| format!(", \"usual\": {it}"));
        format!(
            "{{\"probability\": {}{usual}, \"values\": [{}]}}",
            self.probability,
            values.join(", ")
        )
    }

    /// Formats the edge cases for an attribute.
    pub(super) fn notation(&self) -> String {
        let values = self.values.iter().map(|value| match value {
            Value::String(text) => format!("{text:?}"),
            other => other.to_string(),
        });
        let values: Vec<String> = values.collect();
        let mut text = format!("edge_cases(probability = {}", self.probability);
        if let Some(usual) = self.usual {
            text += &format!(", usual = {usual}");
        }
        if !values.is_empty() {
            text += &format!(", values = [{}]", values.join(", "));
        }
        text + ")"
    }
}
