//! The distribution `any`, whose range is the Rust type's by default.

use syn::Type;
use tdg_definition::FeatureType;
use tdg_definition::distribution::parameter_name;
use tdg_definition::json::{Pointer, Value};

use super::components;
use super::members::Members;
use crate::types::{
    float_is_single, in_option, integers, is_address, is_character, is_signed_non_zero, text,
    wide_integers,
};

/// The default share of `None` in an `Option`.
const NULLS: f64 = 0.1;

/// Returns true if all values of the feature are `any`.
pub(crate) fn is_drawn(feature: &Members) -> bool {
    matches!(feature.get("distribution"), Some(Value::Object(members)) if is_any(members))
}

/// Returns true if `any` has no parameters.
pub(crate) fn is_alone(feature: &Members) -> bool {
    let distribution = feature.get("distribution").and_then(Value::as_object);
    is_drawn(feature) && distribution.is_some_and(|members| members.len() == 1)
}

fn is_any(distribution: &Members) -> bool {
    distribution.get("type").and_then(Value::as_str) == Some("any")
}

/// Makes some rows of an `Option` null.
pub(crate) fn settle_nulls(feature: &mut Members) {
    feature.get_or_insert_with("null_probability", || Value::from(NULLS));
}

/// Returns the problem if the type can hold only a small part of `any`.
pub(crate) fn too_wide(feature: &Members, kind: &Type) -> Option<String> {
    let stated = feature.get("type").and_then(Value::as_str);
    let distribution = feature.get("distribution")?;
    let name = text(in_option(kind).unwrap_or(kind));
    if stated == Some("STRING") && is_address(kind) && is_drawn(feature) {
        return Some(format!(
            "`any` draws all kinds of text, but few of them parse as `{name}`; write a pattern: \
             pattern(regex = \"10\\\\.0\\\\.[0-9]\\\\.[0-9]\"), or list the values: categorical(…)"
        ));
    }
    if stated != Some("INTEGER") || !is_unbounded(distribution) {
        return None;
    }
    if is_signed_non_zero(kind) {
        let (_, range) = integers(kind)?;
        let max = range.end();
        return Some(format!(
            "`any` draws 0, which `{name}` can't hold; state the numbers: any(1..={max})"
        ));
    }
    let (kind, range) = wide_integers(kind)?;
    let (min, max) = (range.start(), range.end());
    Some(format!(
        "`any` draws 64-bit integers, but `{kind}` holds more; state a range: any({min}..={max})"
    ))
}

/// Returns true if an `any`, directly or in components, lacks a bound.
fn is_unbounded(distribution: &Value) -> bool {
    let mut found = false;
    let visit = &mut |members: &mut Members, _: &Pointer| {
        found |= is_any(members) && ["min", "max"].iter().any(|bound| lacks(members, bound));
    };
    components::each(&mut distribution.clone(), &Pointer::root(), visit);
    found
}

fn lacks(distribution: &Members, bound: &str) -> bool {
    distribution.keys().all(|key| parameter_name(key) != bound)
}

/// Sets the missing bounds to the limits of the Rust type that takes the values.
pub(crate) fn settle(feature: &mut Members, kind: &Type) {
    let name = feature.get("type").and_then(Value::as_str);
    let Some(feature_type) = name.and_then(FeatureType::from_name) else {
        return;
    };
    let Some(distribution) = feature.get_mut("distribution") else {
        return;
    };
    components::each(distribution, &Pointer::root(), &mut |members, _| {
        if !is_any(members) {
            return;
        }
        for (name, bound) in bounds(feature_type, kind) {
            if lacks(members, name) {
                members.insert(name, bound);
            }
        }
    });
}

/// Returns the bounds of the type, if they differ from `any`'s.
fn bounds(feature_type: FeatureType, kind: &Type) -> Vec<(&'static str, Value)> {
    match feature_type {
        FeatureType::Integer => match integers(kind) {
            Some((_, range)) if *range.start() != i64::MIN.into() => vec![
                ("min", Value::from(*range.start())),
                ("max", Value::from(*range.end())),
            ],
            _ => Vec::new(),
        },
        FeatureType::Float if float_is_single(kind) => vec![
            ("min", Value::from(f64::from(f32::MIN))),
            ("max", Value::from(f64::from(f32::MAX))),
        ],
        FeatureType::String if is_character(kind) => {
            vec![
                ("min_length", Value::from(1)),
                ("max_length", Value::from(1)),
            ]
        }
        _ => Vec::new(),
    }
}
