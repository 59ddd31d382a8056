//! Maps: `{pattern(regex = "[a-z]{1,4}") => uniform(0..9); 0..=5}` says how keys and values are
//! drawn, and how many there are.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::{GenericArgument, PathArguments, Token, Type, braced};
use tdg_definition::json::{Pointer, Value};

use super::list::{length, names_a_type};
use super::members::{Members, put};
use super::notation;
use crate::errors::Errors;
use crate::places::Places;
use crate::types::{last_word, only_argument, ungroup};

/// The types of the keys and of the values.
pub(super) fn of(kind: &Type) -> Option<(&Type, &Type)> {
    if let Type::Reference(reference) = ungroup(kind) {
        return of(&reference.elem);
    }
    let kind = ungroup(kind);
    match last_word(kind)?.to_string().as_str() {
        "HashMap" | "BTreeMap" | "IndexMap" => {}
        "Box" => return of(only_argument(kind)?),
        _ => return None,
    }
    let Type::Path(path) = kind else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    let mut kinds = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(kind) => Some(ungroup(kind)),
        _ => None,
    });
    Some((kinds.next()?, kinds.next()?))
}

/// Where the key and the value of an entry are in the feature.
pub(super) const KEY: [&str; 5] = ["distribution", "element", "distribution", "features", "0"];
pub(super) const VALUE: [&str; 5] = ["distribution", "element", "distribution", "features", "1"];

pub(super) fn within(pointer: &Pointer, path: &[&str]) -> Pointer {
    path.iter()
        .fold(pointer.clone(), |place, segment| place.child(*segment))
}

/// Reads a map into the feature at `pointer`.
pub(super) fn read(
    input: ParseStream<'_>,
    pointer: &Pointer,
    members: &mut Members,
    places: &mut Places,
    errors: &mut Errors,
) -> syn::Result<()> {
    let tokens: TokenStream = input.fork().parse::<TokenTree>()?.into();
    let content;
    braced!(content in input);
    let at = pointer.child("distribution");
    let key = until(&content, |input| input.peek(Token![=>]));
    if content.parse::<Option<Token![=>]>>()?.is_none() {
        let problem = "a map has keys and values: {any => any; 0..=5}";
        return Err(syn::Error::new_spanned(tokens, problem));
    }
    let value = until(&content, |input| input.peek(Token![;]));
    let mut entry = Vec::new();
    for (written, path) in [(key, KEY), (value, VALUE)] {
        let mut part = Members::new();
        if !names_a_type(&written) {
            let all = |input: ParseStream<'_>| {
                notation::members(input, &within(pointer, &path), &mut part, places, errors);
                Ok(())
            };
            all.parse2(written)?;
        }
        entry.push(part);
    }
    let length = match content.parse::<Option<Token![;]>>()? {
        Some(_) => Some(length(&content, &at.child("length"), places, errors)?),
        None => None,
    };
    places.add(at, &tokens);
    let map = distribution(entry, length);
    put(
        members,
        &tokens,
        "distribution".to_owned(),
        Value::Object(map),
    )
}

fn until(input: ParseStream<'_>, is_end: impl Fn(ParseStream<'_>) -> bool) -> TokenStream {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !is_end(input) {
        tokens.extend(input.parse::<TokenTree>());
    }
    tokens
}

/// A list of these entries, each a key and a value.
pub(super) fn distribution(entry: Vec<Members>, length: Option<Value>) -> Members {
    let named = ["key", "value"].into_iter().zip(entry);
    let features = named.map(|(name, mut part)| {
        part.insert("feature_name", Value::from(name));
        if name == "key" {
            part.insert("unique", Value::from(true));
        }
        Value::Object(part)
    });
    let object = Value::object([
        ("type", Value::from("object")),
        ("features", Value::from(features.collect::<Vec<_>>())),
    ]);
    let element = Value::object([("type", Value::from("OBJECT")), ("distribution", object)]);
    let mut list = Members::new();
    list.insert("type", Value::from("list"));
    list.insert("form", Value::from("map"));
    list.insert("element", element);
    length.and_then(|length| list.insert("length", length));
    list
}
