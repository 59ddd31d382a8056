//! Tuples: `(uniform(0..8), any)` says how each of its values is drawn.

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::token::{Bracket, Paren};
use syn::{Ident, Token, Type, TypeTuple, parenthesized};
use tdg_definition::FeatureType;
use tdg_definition::json::{Pointer, Value};

use super::any;
use super::definition::{CodeFeature, FeatureReader, example};
use super::list::names_a_type;
use super::members::{Members, put};
use super::notation;
use crate::commas;
use crate::errors::Errors;
use crate::places::Places;
use crate::types::{feature_type, last_word, only_argument, text, ungroup};

/// The tuple that is a value of that type, or to which it refers.
pub(super) fn of(kind: &Type) -> Option<&TypeTuple> {
    match ungroup(kind) {
        Type::Tuple(tuple) if !tuple.elems.is_empty() => Some(tuple),
        Type::Reference(reference) => of(&reference.elem),
        kind if last_word(kind)? == "Box" => of(only_argument(kind)?),
        _ => None,
    }
}

/// Reads a tuple into the feature at `pointer`. A modifier is of the value before it.
pub(super) fn read(
    input: ParseStream<'_>,
    pointer: &Pointer,
    members: &mut Members,
    places: &mut Places,
    errors: &mut Errors,
) -> syn::Result<()> {
    let tokens: TokenStream = input.fork().parse::<TokenTree>()?.into();
    let content;
    parenthesized!(content in input);
    let at = pointer.child("distribution");
    let mut values: Vec<Members> = Vec::new();
    let mut position = Position::default();
    let all_well = commas::each(&content, "values", errors, |input, errors| {
        let position = position.of_next(input);
        values.resize_with(values.len().max(position + 1), Members::new);
        if names_a_type(&commas::item(&input.fork())) {
            commas::skip_to_comma(input);
            return Ok(());
        }
        let Some(value) = values.last_mut() else {
            return Ok(());
        };
        let place = at.child("features").child(position.to_string());
        notation::item(input, &place, value, places, errors)
    });
    if !all_well {
        places.silence(at.clone());
    }
    let tuple = distribution(values);
    places.add(at, &tokens);
    put(members, &tokens, "distribution".to_owned(), tuple)
}

/// Which of a tuple's values an item is of.
#[derive(Default)]
pub(super) struct Position {
    begun: usize,
    /// Whether the last value is told how it is drawn.
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

/// Whether a distribution is next, and no modifier.
fn is_distribution(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    let is_named = |word: Ident| notation::is_distribution(&word) && !ahead.peek(Token![=]);
    input.peek(Paren) || input.peek(Bracket) || ahead.call(Ident::parse_any).is_ok_and(is_named)
}

fn distribution(values: Vec<Members>) -> Value {
    let values: Vec<Value> = values.into_iter().map(Value::Object).collect();
    Value::object([
        ("type", Value::from("object")),
        ("form", Value::from("array")),
        ("features", Value::from(values)),
    ])
}

impl FeatureReader<'_> {
    /// Finds the types of a tuple's values, and checks how they are drawn.
    pub(super) fn find_values(&mut self, tuple: &TypeTuple, feature: &mut CodeFeature) {
        let count = tuple.elems.len();
        let kinds: Vec<&Type> = tuple.elems.iter().map(ungroup).collect();
        let is_stated = feature.members.contains_key("distribution");
        let values = values_of(feature, count);
        let each: Vec<String> = kinds.iter().copied().map(example_of).collect();
        let each = each.join(", ");
        let at = self.pointer.child("distribution");
        if !is_stated && kinds.iter().any(|kind| feature_type(kind).is_some()) {
            let name = &self.origin.place;
            let via = self.origin.maker.map_or("", |_| ", via = …");
            let problem =
                format!("`{name}` has no distribution; state one: #[define(({each}){via})]");
            return self.refuse(name, problem);
        }
        if values.len() != count {
            if !self.places.is_silent(&at) {
                let (kind, written) = (text(tuple), self.places.tokens(&at));
                let problem = match self.origin.maker {
                    Some(_) => format!(
                        "the closure has {count} parameters, so as many values are drawn for it: \
                         #[define(({each}), via = …)]"
                    ),
                    None => format!(
                        "`{kind}` has {count} values, each drawn on its own: #[define(({each}))]"
                    ),
                };
                self.refuse(written, problem);
            }
            return self.places.silence(self.pointer.clone());
        }
        let mut found = Vec::with_capacity(count);
        for (kind, members) in kinds.into_iter().zip(values) {
            let position = found.len().to_string();
            let path = ["distribution", "features", &position];
            found.push(self.find_part(kind, &path, members, feature));
        }
        feature.members.insert("type", Value::from("OBJECT"));
        feature.members.insert("distribution", distribution(found));
    }
}

/// How a value of that type may be drawn, for messages.
fn example_of(kind: &Type) -> String {
    match feature_type(kind) {
        Some(known) => example(Some(known)).to_owned(),
        None if matches!(kind, Type::Infer(_)) => example(Some(FeatureType::Integer)).to_owned(),
        None => text(kind),
    }
}

/// What is said of each of so many values; `any` alone is said of all of them.
fn values_of(feature: &mut CodeFeature, count: usize) -> Vec<Members> {
    let is_any = any::is_alone(&feature.members);
    let Some(drawn) = feature.members.remove("distribution") else {
        return vec![Members::new(); count];
    };
    if is_any {
        let mut each = Members::new();
        each.insert("distribution", drawn);
        return vec![each; count];
    }
    let is_tuple = drawn.get("form") == Some(&Value::from("array"));
    let values = drawn.get("features").and_then(Value::as_array);
    let members = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let values = values.unwrap_or_default().iter().filter(|_| is_tuple);
    values.map(members).collect()
}
