//! Ranges, the notation for the bounds of distributions: `uniform(1..=20)`, `gaussian(…, 0.0..)`.
//!
//! A range becomes the members `min` and `max`, and its operator a place next to them. The operator
//! is checked against the feature's type once all members are read.

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, Token, Type};
use tdg_definition::json::{Number, Pointer, Value};
use tdg_definition::{FeatureType, distribution};

use super::drawn_type::has_point;
use super::json_part::JsonPart;
use super::members::{self, Members, put};
use super::{components, constant};
use crate::commas;
use crate::source_places::Places;
use crate::types::integers;

/// The operators, each as a last pointer segment that no member can have.
const EXCLUSIVE: &str = "..";
const INCLUSIVE: &str = "..=";

/// Returns true if the next item of a list is a range.
pub(crate) fn is_next(input: ParseStream<'_>) -> bool {
    if input.peek(Ident::peek_any) && input.peek2(Token![=]) {
        return false;
    }
    let mut tokens = commas::item(&input.fork()).into_iter().peekable();
    let is_dot = |token: &TokenTree| matches!(token, TokenTree::Punct(it) if it.as_char() == '.');
    while let Some(token) = tokens.next() {
        if is_dot(&token) && tokens.peek().is_some_and(is_dot) {
            return true;
        }
    }
    false
}

/// Reads a range into a distribution.
pub(crate) fn read(
    input: ParseStream<'_>,
    members: &mut Members,
    part: &mut JsonPart<'_>,
) -> syn::Result<()> {
    let written = commas::item(&input.fork());
    let min = bound(input, part.places)?;
    let operator = if input.peek(Token![..=]) {
        input.parse::<Token![..=]>()?;
        INCLUSIVE
    } else {
        input.parse::<Token![..]>()?;
        EXCLUSIVE
    };
    let max = match bound(input, part.places)? {
        None if operator == INCLUSIVE => {
            return Err(syn::Error::new_spanned(
                written,
                "`..=` needs an end; without one, write `..`",
            ));
        }
        max => max,
    };
    check_place(members, &written)?;
    if max.is_some() {
        part.child(operator).add(&written);
    }
    for (key, bound) in [("min", min), ("max", max)] {
        if let Some((value, tokens)) = bound {
            part.add_member(key, &tokens);
            put(members, &tokens, key, value)?;
        }
    }
    Ok(())
}

/// Rejects a range outside a distribution with bounds.
fn check_place(members: &Members, written: &TokenStream) -> syn::Result<()> {
    let range = text(written);
    let problem = match distribution_of(members) {
        None if members.contains_key("distribution") => format!(
            "a range belongs in a distribution, as in uniform({range}), or is the length of a \
             list, after a semicolon: [any; {range}]"
        ),
        None => format!("a range belongs to a distribution: write uniform({range})"),
        Some(name) => {
            let parameters = distribution::parameters_left(name, |_| false);
            let parameters: Vec<_> = parameters.into_iter().flatten().collect();
            // A misspelt distribution has no known parameters, and is reported elsewhere.
            if parameters.is_empty() || parameters.contains(&"min") {
                return Ok(());
            }
            format!(
                "`{name}` takes no range, only {}; uniform draws all values of a range alike",
                parameters.join(", ")
            )
        }
    };
    Err(syn::Error::new_spanned(written, problem))
}

/// Returns the name of the distribution with these members. A feature's members also have a type.
pub(super) fn distribution_of(members: &Members) -> Option<&str> {
    let name = members.get("type").and_then(Value::as_str);
    name.filter(|name| FeatureType::from_name(name).is_none())
}

/// Reads a value, or nothing before the operator or the end.
fn bound(input: ParseStream<'_>, places: &mut Places) -> syn::Result<Option<(Value, TokenStream)>> {
    if input.is_empty() || input.peek(Token![,]) || input.peek(Token![..]) {
        return Ok(None);
    }
    members::value(input, places).map(Some)
}

/// Resolves the ranges of a feature whose members are all known, and checks its bounds against the
/// Rust type that takes the values.
pub(crate) fn settle(feature: &mut Members, kind: &Type, part: &mut JsonPart<'_>) {
    let name = feature.get("type").and_then(Value::as_str);
    let Some(feature_type) = name.and_then(FeatureType::from_name) else {
        return;
    };
    let Some(distribution) = feature.get_mut("distribution") else {
        return;
    };
    let mut part = part.child("distribution");
    settle_each(distribution, feature_type, &mut part);
    if feature_type == FeatureType::Integer
        && let Some((kind, range)) = integers(kind)
    {
        let check = |number: Number, pointer: &Pointer| {
            if number.as_i128().is_some_and(|it| !range.contains(&it)) {
                let (min, max) = (range.start(), range.end());
                part.errors.at(
                    part.places.tokens(pointer),
                    format!("`{kind}` holds the integers from {min} to {max}, not {number}"),
                );
            }
        };
        each_value(distribution, &part.pointer, &mut { check });
    }
}

/// Resolves the range of a list's length.
pub(crate) fn settle_length(list: &mut Members, part: &mut JsonPart<'_>) {
    if let Some(length) = list.get_mut("length") {
        settle_each(length, FeatureType::Integer, &mut part.child("length"));
    }
}

/// Checks the operator of each range, directly or in components.
fn settle_each(distribution: &mut Value, kind: FeatureType, part: &mut JsonPart<'_>) {
    components::each(distribution, &part.pointer.clone(), &mut |members, at| {
        for operator in [EXCLUSIVE, INCLUSIVE] {
            if !part.places.tokens(&at.child(operator)).is_empty() {
                settle_end(operator, members, kind, &mut part.at(at.clone()));
            }
        }
    });
}

/// Checks that operator of a range, and excludes the end of a range of integers if needed.
fn settle_end(operator: &str, members: &mut Members, kind: FeatureType, part: &mut JsonPart<'_>) {
    use FeatureType::{Date, DateTime, Float, Integer};
    if !matches!(kind, Date | DateTime | Float | Integer) {
        // The definition's validator reports types without ranges.
        return;
    }
    let written = part.places.tokens(&part.pointer.child(operator));
    let is_exclusive = operator == EXCLUSIVE;
    let name = members
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if let Some(problem) = only_truncates(name, members) {
        part.errors.at(written, problem);
        return part.places.silence(part.pointer.clone());
    }
    let bound = |key| part.places.tokens(&part.pointer.child(key));
    let (min, max) = (bound("min"), bound("max"));
    let reaches_max = distribution::reaches_max(name, kind);
    if kind == Integer && is_exclusive {
        match of_floats(name, members, &min, &max) {
            Some(problem) => part.errors.at(written, problem),
            None => exclude_max(members),
        }
    } else if reaches_max == is_exclusive {
        let other = if is_exclusive { INCLUSIVE } else { EXCLUSIVE };
        let fix = text(&min) + other + &text(&max);
        let reaches = if reaches_max {
            "can reach"
        } else {
            "stays below"
        };
        part.errors.at(
            written,
            format!("`{name}` {reaches} the end of a range of {kind} values; write {fix}"),
        );
    }
}

fn exclude_max(members: &mut Members) {
    let Some(end) = members.get_mut("max") else {
        return;
    };
    match end.as_number().and_then(Number::as_i128) {
        Some(known) => *end = Value::from(known.saturating_sub(1)),
        None => constant::exclude(end),
    }
}

/// Explains the mistake in `uniform(0.0..9.0)` of integers.
fn of_floats(
    name: &str,
    members: &Members,
    min: &TokenStream,
    max: &TokenStream,
) -> Option<String> {
    let integer = |key, bound: &TokenStream| match bound.is_empty() {
        true => Some(String::new()),
        false => Some(members.get(key)?.as_number()?.as_i128()?.to_string()),
    };
    if !has_point(min) && !has_point(max) {
        return None;
    }
    let (min, max) = (integer("min", min)?, integer("max", max)?);
    Some(format!(
        "a range of floats ends below {max}, but the values are integers; write \
         {name}({min}..={max}), or {name}({min}..{max}) without {max}"
    ))
}

/// Explains the mistake in `gaussian(0.0..=1.0)`, whose range doesn't set its spread.
fn only_truncates(name: &str, members: &Members) -> Option<String> {
    let is_given = |parameter: &str| members.contains_key(parameter);
    let left: Vec<_> = distribution::parameters_left(name, is_given)?.collect();
    (name != "uniform" && left.contains(&"sigma")).then(|| {
        format!(
            "a range only truncates `{name}`, which needs {}; uniform draws all values of a range \
             alike",
            left.join(" and ")
        )
    })
}

/// Visits the numbers that are values of the feature: bounds, categories, a constant.
fn each_value(json: &Value, pointer: &Pointer, check: &mut impl FnMut(Number, &Pointer)) {
    match json {
        Value::Object(members) => {
            for (key, value) in members.iter() {
                let pointer = pointer.child(key);
                match (distribution::parameter_name(key), value) {
                    ("min" | "max" | "value", Value::Number(number)) => check(*number, &pointer),
                    _ => each_value(value, &pointer, check),
                }
            }
        }
        Value::Array(elements) => {
            for (position, element) in elements.iter().enumerate() {
                each_value(element, &pointer.child(position.to_string()), check);
            }
        }
        _ => {}
    }
}

/// Returns the text of a range as written: `1..=20`.
pub(crate) fn text(tokens: &TokenStream) -> String {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let add = |mut text: String, token: TokenTree| {
        let token = token.to_string();
        if text.ends_with(is_word) && token.starts_with(is_word) {
            text.push(' ');
        }
        text + &token
    };
    tokens.clone().into_iter().fold(String::new(), add)
}
