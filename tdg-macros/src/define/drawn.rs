//! The type of what a distribution draws, where no Rust type tells it.

use proc_macro2::{TokenStream, TokenTree};
use syn::Lit;
use tdg_definition::json::Value;
use tdg_definition::{Definition, FeatureType};

use super::any;
use super::members::Members;

/// Whether values of that type can be drawn from the distribution.
pub(super) fn can_be(distribution: &Value, kind: FeatureType) -> bool {
    let feature = Value::object([
        ("type", Value::from(kind.name())),
        ("distribution", distribution.clone()),
    ]);
    let definition = Value::object([("features", Value::from(vec![feature]))]);
    Definition::from_value(&definition).is_ok()
}

/// The type that a distribution as it is `written` draws; a text if it can be one and `is_text`.
/// None if several are as likely.
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
    // What is wrong with the distribution is told for the type that it looks like.
    Some(found.unwrap_or(match () {
        () if has_text(written) => String,
        () => first,
    }))
}

/// Whether a number is written with a point or an exponent.
fn has_point(written: &TokenStream) -> bool {
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
