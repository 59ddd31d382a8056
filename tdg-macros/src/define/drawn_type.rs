//! The type of drawn values, if no Rust type shows it.

use proc_macro2::{TokenStream, TokenTree};
use syn::{Lit, LitByteStr};
use tdg_definition::distribution::Parts;
use tdg_definition::json::Value;
use tdg_definition::{Definition, Feature, FeatureType};

use super::any;
use super::constant;
use super::members::Members;

/// The known part of a drawn value's type.
#[derive(Clone, Default)]
pub(crate) struct DrawnType {
    pub(crate) kind: Option<FeatureType>,
    /// The types of a list's elements, or of a tuple's values.
    pub(crate) parts: Vec<DrawnType>,
}

impl DrawnType {
    pub(crate) fn of_feature(feature: &Feature) -> Self {
        let parts = match feature.parts() {
            Parts::Element(element) => std::slice::from_ref(element),
            Parts::Tuple(values) => values,
            _ => &[],
        };
        Self {
            kind: Some(feature.feature_type()),
            parts: parts.iter().map(Self::of_feature).collect(),
        }
    }

    /// Returns the type of a feature as written.
    pub(crate) fn of_members(feature: &Members) -> Self {
        let kind = feature.get("type").and_then(Value::as_str);
        let distribution = feature.get("distribution");
        let part = |name| distribution.and_then(|it| it.get(name));
        let is_tuple = part("form").and_then(Value::as_str) == Some("array");
        let values = part("features").filter(|_| is_tuple);
        let values = values.and_then(Value::as_array).unwrap_or_default();
        let parts = part("element").into_iter().chain(values);
        let parts = parts.filter_map(Value::as_object);
        Self {
            kind: kind.and_then(FeatureType::from_name),
            parts: parts.map(Self::of_members).collect(),
        }
    }

    /// Returns the number of a tuple's values.
    pub(super) fn values(&self) -> Option<usize> {
        let is_tuple = self.kind == Some(FeatureType::Object) && !self.parts.is_empty();
        is_tuple.then_some(self.parts.len())
    }

    pub(super) fn part(&self, position: usize) -> Self {
        self.parts.get(position).cloned().unwrap_or_default()
    }
}

/// Returns true if the distribution can draw values of that type, for some values of its constants.
pub(super) fn can_be(distribution: &Value, kind: FeatureType) -> bool {
    constant::standing_in(distribution).any(|distribution| {
        let feature = Value::object([
            ("type", Value::from(kind.name())),
            ("distribution", distribution),
        ]);
        let definition = Value::object([("features", Value::from(vec![feature]))]);
        Definition::from_value(&definition).is_ok()
    })
}

/// Returns the type that the `written` distribution draws, preferring text if `is_text`, or `None`
/// if several are equally likely.
pub(super) fn feature_type(
    distribution: &Value,
    written: &TokenStream,
    is_text: bool,
) -> Option<FeatureType> {
    use FeatureType::{Boolean, Date, DateTime, Float, Integer, String};
    let mut alone = Members::new();
    alone.insert("distribution", distribution.clone());
    if any::is_alone(&alone) {
        return is_text.then_some(String);
    }
    if byte_string(written).is_some() {
        return Some(FeatureType::Bytes);
    }
    let numbers = match has_point(written) {
        true => [Float, Integer],
        false => [Integer, Float],
    };
    let [first, second] = numbers;
    let all = match is_text {
        true => [String, Date, DateTime, first, second, Boolean],
        false => [Boolean, first, second, String, Date, DateTime],
    };
    let found = all.into_iter().find(|kind| can_be(distribution, *kind));
    // Mistakes are reported for the type that the distribution looks like.
    Some(found.unwrap_or(match () {
        () if has_text(written) => String,
        () => first,
    }))
}

/// Returns the first written `b"…"`.
pub(super) fn byte_string(written: &TokenStream) -> Option<LitByteStr> {
    literals(written).find_map(|literal| match literal {
        Lit::ByteStr(bytes) => Some(bytes),
        _ => None,
    })
}

/// Returns true if a number is written with a point or an exponent.
pub(super) fn has_point(written: &TokenStream) -> bool {
    literals(written).any(|literal| matches!(literal, Lit::Float(_)))
}

fn has_text(written: &TokenStream) -> bool {
    literals(written).any(|literal| matches!(literal, Lit::Str(_)))
}

fn literals(written: &TokenStream) -> Box<dyn Iterator<Item = Lit>> {
    Box::new(written.clone().into_iter().flat_map(|token| match token {
        TokenTree::Group(group) => literals(&group.stream()),
        TokenTree::Literal(literal) => Box::new(std::iter::once(Lit::new(literal))) as Box<_>,
        _ => Box::new(std::iter::empty()),
    }))
}
