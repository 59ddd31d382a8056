//! Tuples: `(uniform(0..8), any)` states how each of its values is drawn.

use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::token::{Brace, Bracket, Paren};
use syn::{Ident, Token, Type, TypeTuple};
use tdg_definition::json::Value;

use super::json_part::JsonPart;
use super::list::names_a_type;
use super::members::Members;
use super::notation;
use crate::commas;
use crate::types::{last_word, only_argument, ungroup};

/// Returns the tuple that is a value of that type, or that it refers to.
pub(super) fn tuple_type(kind: &Type) -> Option<&TypeTuple> {
    match ungroup(kind) {
        Type::Tuple(tuple) if !tuple.elems.is_empty() => Some(tuple),
        Type::Reference(reference) => tuple_type(&reference.elem),
        kind if last_word(kind)? == "Box" => tuple_type(only_argument(kind)?),
        _ => None,
    }
}

/// Reads the content of a tuple's parentheses. A modifier applies to the value before it.
pub(super) fn read(input: ParseStream<'_>, part: &mut JsonPart<'_>) -> syn::Result<Value> {
    let mut values: Vec<Members> = Vec::new();
    let mut position = Position::default();
    part.each(input, "values", |input, part| {
        let position = position.of_next(input);
        values.resize_with(values.len().max(position + 1), Members::new);
        if names_a_type(&commas::item(&input.fork())) {
            commas::skip_to_comma(input);
            return Ok(());
        }
        let Some(value) = values.last_mut() else {
            return Ok(());
        };
        let at = part.pointer.child("features").child(position.to_string());
        notation::item(input, value, &mut part.at(at))
    });
    Ok(distribution(values))
}

/// The position of the tuple's value that an item belongs to.
#[derive(Default)]
pub(super) struct Position {
    begun: usize,
    /// True if the last value already has a distribution.
    is_told: bool,
}

impl Position {
    pub(super) fn of_next(&mut self, input: ParseStream<'_>) -> usize {
        let is_type = names_a_type(&commas::item(&input.fork()));
        let is_value = is_type || is_distribution(input);
        let begins = is_value || input.peek(Token![type]);
        if self.begun == 0 || self.is_told && begins {
            (self.begun, self.is_told) = (self.begun + 1, false);
        }
        self.is_told |= is_value;
        self.begun - 1
    }
}

/// Returns true if a distribution is next, rather than a modifier.
fn is_distribution(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    let is_named = |word: Ident| notation::is_distribution(&word) && !ahead.peek(Token![=]);
    let is_group = input.peek(Paren) || input.peek(Bracket) || input.peek(Brace);
    is_group || ahead.call(Ident::parse_any).is_ok_and(is_named)
}

pub(super) fn distribution(values: Vec<Members>) -> Value {
    let values: Vec<Value> = values.into_iter().map(Value::Object).collect();
    Value::object([
        ("type", Value::from("object")),
        ("form", Value::from("array")),
        ("features", Value::from(values)),
    ])
}
