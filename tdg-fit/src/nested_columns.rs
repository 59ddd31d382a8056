//! Fits columns of JSON: lists, objects and variants. Their contents are fitted like columns.

use std::collections::{BTreeMap, HashSet};

use tdg_definition::json::{self, Value};
use tdg_definition::limits::SIZES;
use tdg_definition::table::{NullMarks, TableCell};
use tdg_definition::{Definition, FeatureType};
use tdg_engine::Vectors;

use crate::categories::distinct;
use crate::document::Json;
use crate::error::FitError;
use crate::feature::{FittedFeature, definition};
use crate::infer::{TypedColumn, present};
use crate::math::shares;
use crate::names::NamedColumn;
use crate::quality::{self, FeatureMatch};

/// A column of lists, objects or variants. Rows without a value have a null.
#[derive(Debug)]
struct NestedColumn {
    name: String,
    position: usize,
    values: Vec<Value>,
}

/// The feature of a nested column.
#[derive(Debug)]
pub(crate) struct NestedFeature {
    /// The position of its column.
    pub(crate) position: usize,
    pub(crate) json: Json,
    /// The matches of its contents, by place.
    pub(crate) matches: Vec<FeatureMatch>,
}

/// The maximum number of names that count as variants of an enum.
const VARIANTS: usize = 64;

/// The members of a feature except its name.
type FeatureMembers = Vec<(&'static str, Json)>;

/// The kind of values at a place in nested values.
enum NestedShape {
    List,
    Object,
    Variant,
    Scalar,
}

/// Separates the columns of JSON from the others, and fits them. A column that only a text feature
/// can draw stays a column of texts and gets a note.
pub(crate) fn split<'t>(
    columns: Vec<NamedColumn<'t>>,
    nulls: &NullMarks,
    notes: &mut Vec<String>,
) -> (Vec<NamedColumn<'t>>, Vec<NestedFeature>) {
    let (mut flat, mut features) = (Vec::new(), Vec::new());
    for (position, column) in columns.into_iter().enumerate() {
        let nested = NestedColumn::parse(&column, position, nulls);
        match nested.map(|nested| nested.fitted()) {
            Some(Ok(feature)) => features.push(feature),
            Some(Err(error)) => {
                let name = &column.name;
                notes.push(format!(
                    "column {name:?} is read as texts, not as JSON: {error}"
                ));
                flat.push(column);
            }
            None => flat.push(column),
        }
    }
    (flat, features)
}

impl NestedColumn {
    /// Reads a column in which some values are JSON lists or objects, and all others could be names
    /// of variants.
    fn parse(column: &NamedColumn<'_>, position: usize, nulls: &NullMarks) -> Option<Self> {
        let is_nested = |cell: &TableCell<'_>| match cell {
            TableCell::Json(value) => value.as_array().is_some() || value.as_object().is_some(),
            cell => cell.field().trim_start().starts_with(['[', '{']),
        };
        // Most columns aren't nested, so they skip parsing JSON.
        if !column.cells.iter().any(is_nested) {
            return None;
        }
        let text = |cell: &TableCell<'_>| match present(cell, nulls) {
            Some(text) if text.starts_with(['[', '{']) => json::parse(text).ok(),
            Some(text) => Some(Value::from(text)),
            None => Some(Value::Null),
        };
        let value = |cell: &TableCell<'_>| match cell {
            TableCell::Json(value) => Some(value.clone()),
            TableCell::Null => Some(Value::Null),
            TableCell::Text(_) => text(cell),
        };
        let values: Vec<Value> = column.cells.iter().map(value).collect::<Option<_>>()?;
        let borrowed: Vec<&Value> = values.iter().collect();
        let is_nested = !matches!(shape(&borrowed), None | Some(NestedShape::Scalar));
        is_nested.then(|| Self {
            name: column.name.clone(),
            position,
            values,
        })
    }

    /// # Errors
    /// If no feature can draw such values.
    fn fitted(&self) -> Result<NestedFeature, FitError> {
        let mut matches = Vec::new();
        let values: Vec<&Value> = self.values.iter().collect();
        let mut members = described(&self.name, &values, &mut matches)?;
        members.insert(0, ("feature_name", Json::string(&self.name)));
        let json = Json::Object(members);
        match Definition::parse(&definition(vec![json.clone()]).inline()) {
            Ok(_) => Ok(NestedFeature {
                position: self.position,
                json,
                matches,
            }),
            Err(faults) => Err(
                FitError::new(format!("no feature can draw its values:\n{faults}"))
                    .caused_by(faults),
            ),
        }
    }
}

/// Returns the kind of values, or `None` if no type covers all of them.
fn shape(values: &[&Value]) -> Option<NestedShape> {
    let present = || values.iter().filter(|it| !it.is_null());
    let is_scalar = |it: &&&Value| it.as_array().is_none() && it.as_object().is_none();
    if present().all(|it| is_scalar(&it)) {
        return Some(NestedShape::Scalar);
    }
    if present().all(|it| it.as_array().is_some()) {
        return Some(NestedShape::List);
    }
    let names: Option<HashSet<&str>> = present().map(|it| variant(it).map(|it| it.0)).collect();
    match names {
        Some(names) if (2..=VARIANTS).contains(&names.len()) => Some(NestedShape::Variant),
        _ => present()
            .all(|it| it.as_object().is_some())
            .then_some(NestedShape::Object),
    }
}

/// Returns the name and the value of a variant in serde's notation, if the text can be a name.
fn variant(value: &Value) -> Option<(&str, Option<&Value>)> {
    let (name, content) = match (value.as_str(), value.as_object()) {
        (Some(name), _) => (name, None),
        (_, Some(object)) if object.len() == 1 => {
            let (name, content) = object.iter().next()?;
            (name.as_str(), Some(content))
        }
        _ => return None,
    };
    let is_name = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-');
    name.chars().all(is_name).then_some((name, content))
}

/// Fits the values at a place. Returns the feature's members.
fn described(
    place: &str,
    values: &[&Value],
    matches: &mut Vec<FeatureMatch>,
) -> Result<FeatureMembers, FitError> {
    let (feature_type, distribution) = match shape(values) {
        Some(NestedShape::Scalar) => return scalar(place, values, matches),
        Some(NestedShape::List) => (FeatureType::List, list(place, values, matches)?),
        Some(NestedShape::Object) => (FeatureType::Object, object(place, values, matches)?),
        Some(NestedShape::Variant) => (FeatureType::Variant, variants(place, values, matches)?),
        None => {
            return Err(FitError::new(format!(
                "{place} mixes lists, objects and single values, and no feature can have all of \
                 these"
            )));
        }
    };
    let mut members = vec![("type", Json::string(feature_type.name()))];
    let nulls = values.iter().filter(|it| it.is_null()).count();
    if nulls > 0 {
        let share = (nulls as f64 / values.len() as f64 * 1e6).round() / 1e6;
        members.push(("null_probability", Json::number(share)));
    }
    members.push(("distribution", distribution));
    Ok(members)
}

fn list(place: &str, values: &[&Value], matches: &mut Vec<FeatureMatch>) -> Result<Json, FitError> {
    let lists = || values.iter().filter_map(|it| it.as_array());
    let length = length(place, lists().map(<[Value]>::len), matches)?;
    let elements: Vec<&Value> = lists().flatten().collect();
    let element = described(&format!("{place}/*"), &elements, matches)?;
    Ok(Json::Object(vec![
        ("type", Json::string("list")),
        ("length", length),
        ("element", Json::Object(element)),
    ]))
}

/// Fits the distribution of lengths, bounded by the shortest and the longest.
fn length(
    place: &str,
    lengths: impl Iterator<Item = usize>,
    matches: &mut Vec<FeatureMatch>,
) -> Result<Json, FitError> {
    let lengths: Vec<u64> = lengths.map(|length| length as u64).collect();
    let values: Vec<Value> = lengths.iter().map(|length| Value::from(*length)).collect();
    let typed = TypedColumn::of_values(&format!("length of {place}"), values.iter());
    let ends = [lengths.iter().min(), lengths.iter().max()].map(|it| it.copied().unwrap_or(0));
    let bounded = |feature: &FittedFeature| {
        let mut distribution = feature.distribution.clone();
        let parameters = &mut distribution.parameters;
        for (name, end) in [("min", ends[0]), ("max", ends[1])] {
            if !feature.has_categories() && parameters.iter().all(|(key, _)| *key != name) {
                parameters.push((name, Json::integer(end as i64)));
            }
        }
        distribution.json()
    };
    let is_valid = |feature: &FittedFeature| {
        let element = r#"{"type": "BOOLEAN", "distribution": {"type": "any"}}"#;
        let length = bounded(feature).inline();
        is_feature(&format!(
            r#"{{"type": "LIST", "distribution": {{"type": "list", "length": {length}, "element": {element}}}}}"#
        ))
    };
    let feature = FittedFeature::of_element(&typed, is_valid)?;
    matches.push(matched(&feature, &typed)?);
    Ok(bounded(&feature))
}

fn object(
    place: &str,
    values: &[&Value],
    matches: &mut Vec<FeatureMatch>,
) -> Result<Json, FitError> {
    let objects = || values.iter().filter_map(|it| it.as_object());
    let mut names: Vec<&str> = Vec::new();
    let mut known = HashSet::new();
    for (name, _) in objects().flat_map(|it| it.iter()) {
        if known.insert(name.as_str()) {
            names.push(name);
        }
    }
    let mut features = Vec::new();
    for name in names {
        let members: Vec<&Value> = objects()
            .map(|it| it.get(name).unwrap_or(&Value::Null))
            .collect();
        let mut feature = described(&format!("{place}/{name}"), &members, matches)?;
        feature.insert(0, ("feature_name", Json::string(name)));
        features.push(Json::Object(feature));
    }
    Ok(Json::Object(vec![
        ("type", Json::string("object")),
        ("features", Json::Array(features)),
    ]))
}

fn variants(
    place: &str,
    values: &[&Value],
    matches: &mut Vec<FeatureMatch>,
) -> Result<Json, FitError> {
    let named = || values.iter().filter_map(|it| variant(it));
    let mut contents: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for (name, value) in named() {
        contents.entry(name).or_default().extend(value);
    }
    let counts = distinct(named().map(|(name, _)| name)).unwrap_or_default();
    let numbers: Vec<f64> = counts.iter().map(|(_, count)| *count).collect();
    let mut variants = Vec::new();
    for ((name, _), share) in counts.iter().zip(shares(&numbers)) {
        let mut variant = vec![
            ("variant", Json::string(name)),
            ("probability", Json::number(share)),
        ];
        if let Some(values) = contents.get(name).filter(|it| !it.is_empty()) {
            variant.extend(described(&format!("{place}/{name}"), values, matches)?);
        }
        variants.push(Json::Object(variant));
    }
    Ok(Json::Object(vec![
        ("type", Json::string("variant")),
        ("variants", Json::Array(variants)),
    ]))
}

/// Fits scalars. Strings of digits stay strings, because JSON distinguishes them from numbers.
fn scalar(
    place: &str,
    values: &[&Value],
    matches: &mut Vec<FeatureMatch>,
) -> Result<FeatureMembers, FitError> {
    let typed = TypedColumn::of_values(place, values.iter().copied());
    let is_valid = |feature: &FittedFeature| {
        let element = Json::Object(feature.members()).inline();
        is_feature(&format!(
            r#"{{"type": "LIST", "distribution": {{"type": "list", "length": 2, "element": {element}}}}}"#
        ))
    };
    let feature = FittedFeature::of_element(&typed, is_valid)?;
    matches.push(matched(&feature, &typed)?);
    Ok(feature.members())
}

fn is_feature(text: &str) -> bool {
    Definition::parse(&format!(r#"{{"features": [{text}]}}"#)).is_ok()
}

/// Draws values for the feature alone and compares them. A place isn't a valid feature name.
fn matched(feature: &FittedFeature, typed: &TypedColumn) -> Result<FeatureMatch, FitError> {
    let alone = definition(vec![Json::Object(feature.members())]).inline();
    let alone = Definition::parse(&alone).map_err(FitError::from_cause)?;
    let size = typed.column.cells().len().clamp(1, *SIZES.end());
    let drawn = Vectors::generate(&alone, 0, size);
    Ok(quality::compare(feature, &typed.column, drawn.column(0)))
}
