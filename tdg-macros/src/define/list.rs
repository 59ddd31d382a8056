//! Lists: `[uniform(0..100); 0..=12]` states how each element is drawn, and their number.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::token::Paren;
use syn::{Expr, Ident, Token, Type};
use tdg_definition::json::Value;
use tdg_definition::{FeatureType, distribution};

use super::constant::is_in_capitals;
use super::json_part::JsonPart;
use super::members::{self, Members, is_value};
use super::{drawn_type, notation, range, reference};
use crate::commas::until;
use crate::source_places::Places;
use crate::types::{last_word, only_argument, ungroup};

/// A type that holds any number of values, which are all drawn in the same way.
pub(crate) struct ListType<'a> {
    pub(crate) element: &'a Type,
    /// The length of an array, as written.
    pub(crate) length: Option<&'a Expr>,
    /// True if values are unique.
    pub(crate) is_set: bool,
}

impl<'a> ListType<'a> {
    /// Creates a list with any number of these elements.
    pub(crate) fn alone(element: &'a Type) -> Self {
        Self {
            element: ungroup(element),
            length: None,
            is_set: false,
        }
    }

    /// Returns the list that is a value of that type, or that it refers to.
    pub(crate) fn from_type(kind: &'a Type) -> Option<Self> {
        let list = |element, length| Self {
            length,
            ..Self::alone(element)
        };
        match ungroup(kind) {
            Type::Reference(reference) => Self::from_type(&reference.elem),
            Type::Slice(slice) => Some(list(&slice.elem, None)),
            Type::Array(array) => Some(list(&array.elem, Some(&array.len))),
            kind => {
                let word = last_word(kind)?.to_string();
                let element = only_argument(kind)?;
                match word.as_str() {
                    "Vec" | "VecDeque" => Some(list(element, None)),
                    "HashSet" | "BTreeSet" => Some(Self {
                        is_set: true,
                        ..list(element, None)
                    }),
                    "Box" | "Rc" | "Arc" => Self::from_type(element),
                    _ => None,
                }
            }
        }
    }

    /// Returns the length of an array if it is a number or a named constant.
    pub(crate) fn stated_length(&self, places: &mut Places) -> Option<Value> {
        self.length
            .and_then(|length| members::value_of(length, places))
    }
}

/// Makes elements unique, if there are enough values.
pub(super) fn make_unique(list: &mut Members) {
    let mut unique = list.clone();
    if let Some(Value::Object(element)) = unique.get_mut("element") {
        element.get_or_insert_with("unique", || Value::from(true));
    }
    if drawn_type::can_be(&Value::Object(unique.clone()), FeatureType::List) {
        *list = unique;
    }
}

/// Returns true if a list is next, rather than values in brackets.
pub(crate) fn is_next(input: ParseStream<'_>) -> bool {
    let Ok(TokenTree::Group(group)) = input.fork().parse::<TokenTree>() else {
        return false;
    };
    let mut tokens = group.stream().into_iter();
    let first = tokens.next();
    let is_followed = matches!(tokens.next(), Some(TokenTree::Punct(it)) if it.as_char() == ',');
    match first {
        None | Some(TokenTree::Literal(_)) => false,
        Some(TokenTree::Ident(name)) => !(is_followed && is_in_capitals(&name)),
        _ => true,
    }
}

/// Reads the content of a list's brackets.
pub(crate) fn read(input: ParseStream<'_>, part: &mut JsonPart<'_>) -> syn::Result<Value> {
    let written = until(input, |input| {
        input.peek(Token![;]) || input.peek(Token![=>])
    });
    if input.peek(Token![=>]) {
        let problem = "write keys and values in braces: {any => any; 0..=5}";
        return Err(input.error(problem));
    }
    let element = members_of(written, &mut part.child("element"))?;
    let mut list = Members::new();
    list.insert("type", Value::from("list"));
    list.insert("element", Value::Object(element));
    let length = length_after(input, part)?;
    length.and_then(|length| list.insert("length", length));
    Ok(Value::Object(list))
}

/// Reads the members of an element, a key or a value. A type has none.
pub(super) fn members_of(written: TokenStream, part: &mut JsonPart<'_>) -> syn::Result<Members> {
    let mut members = Members::new();
    if !names_a_type(&written) {
        let all = |input: ParseStream<'_>| {
            notation::members(input, &mut members, part);
            Ok(())
        };
        all.parse2(written)?;
    }
    Ok(members)
}

/// Reads the length of a list after a semicolon, if there is one.
pub(super) fn length_after(
    input: ParseStream<'_>,
    part: &mut JsonPart<'_>,
) -> syn::Result<Option<Value>> {
    match input.parse::<Option<Token![;]>>()? {
        Some(_) => length(input, &mut part.child("length")).map(Some),
        None => Ok(None),
    }
}

/// Reads all of the input as a length.
pub(crate) fn length(input: ParseStream<'_>, part: &mut JsonPart<'_>) -> syn::Result<Value> {
    let length = one_length(input, part)?;
    if input.is_empty() {
        return Ok(length);
    }
    let problem = "nothing can follow a length, and it can't be an expression; write what applies \
                   to each element before the `;`, and what applies to the list after the brackets";
    Err(syn::Error::new_spanned(
        input.parse::<TokenStream>()?,
        problem,
    ))
}

/// Reads `0..=12`, `3`, `poisson(rate = 2.0, max = 9)`, or the name of another feature.
fn one_length(input: ParseStream<'_>, part: &mut JsonPart<'_>) -> syn::Result<Value> {
    if range::is_next(input) {
        let mut members = Members::new();
        members.insert("type", Value::from("uniform"));
        range::read(input, &mut members, part)?;
        members.get_or_insert_with("min", || Value::from(0));
        return Ok(Value::Object(members));
    }
    if is_value(input) {
        let (length, tokens) = members::value(input, part.places)?;
        part.places.add_named(part.pointer.clone(), tokens);
        return Ok(length);
    }
    let ahead = input.fork();
    let word = ahead.call(Ident::parse_any).map_err(|error| {
        let problem = "the length of a list is a range, a number, a distribution, or the name of \
                       another feature: [any; 0..=12]";
        syn::Error::new(error.span(), problem)
    })?;
    if ahead.peek(Paren) || distribution::names().any(|(name, _)| word == name) {
        let word = input.call(Ident::parse_any)?;
        let (length, _) = notation::typed(&word, input, part)?;
        return Ok(length);
    }
    let (path, tokens) = reference::read(input)?;
    part.places.add_named(part.pointer.clone(), &tokens);
    Ok(path)
}

/// Returns true if it is the element's type, which the signature also has: `[Line; 1..=5]`.
pub(super) fn names_a_type(element: &TokenStream) -> bool {
    let path = syn::parse2::<syn::Path>(element.clone());
    let last = path.ok().and_then(|path| path.segments.last().cloned());
    last.is_some_and(|word| {
        let word = word.ident.to_token_stream().to_string();
        word.starts_with(char::is_uppercase)
    })
}
