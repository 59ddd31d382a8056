//! Maps: `{pattern(regex = "[a-z]{1,4}") => uniform(0..9); 0..=5}` states how keys and values are
//! drawn, and their number.

use syn::parse::ParseStream;
use syn::{Token, Type};
use tdg_definition::json::{Pointer, Value};

use super::json_part::JsonPart;
use super::list::{length_after, members_of};
use super::members::Members;
use crate::commas::until;
use crate::types::{last_word, only_argument, type_arguments, ungroup};

/// Returns the types of the keys and of the values.
pub(super) fn entry_types(kind: &Type) -> Option<(&Type, &Type)> {
    if let Type::Reference(reference) = ungroup(kind) {
        return entry_types(&reference.elem);
    }
    let kind = ungroup(kind);
    match last_word(kind)?.to_string().as_str() {
        "HashMap" | "BTreeMap" | "IndexMap" => {}
        "Box" => return entry_types(only_argument(kind)?),
        _ => return None,
    }
    let mut kinds = type_arguments(kind)?;
    Some((kinds.next()?, kinds.next()?))
}

/// The paths of an entry's key and value in the feature.
pub(super) const KEY: [&str; 5] = ["distribution", "element", "distribution", "features", "0"];
pub(super) const VALUE: [&str; 5] = ["distribution", "element", "distribution", "features", "1"];

pub(super) fn within(pointer: &Pointer, path: &[&str]) -> Pointer {
    pointer.segments().chain(path.iter().copied()).collect()
}

/// Reads the content of a map's braces.
pub(super) fn read(input: ParseStream<'_>, part: &mut JsonPart<'_>) -> syn::Result<Value> {
    let key = until(input, |input| input.peek(Token![=>]));
    if input.parse::<Option<Token![=>]>>()?.is_none() {
        let problem = "a map has keys and values: {any => any; 0..=5}";
        return Err(syn::Error::new_spanned(key, problem));
    }
    let value = until(input, |input| input.peek(Token![;]));
    let [key_at, value_at] = [KEY, VALUE].map(|path| within(&part.pointer, &path[1..]));
    let key = members_of(key, &mut part.at(key_at))?;
    let value = members_of(value, &mut part.at(value_at))?;
    let length = length_after(input, part)?;
    Ok(Value::Object(distribution(vec![key, value], length)))
}

/// Returns a list of entries with a key and a value.
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
