//! Lists: `[uniform(0..100); 0..=12]` says how each element is drawn, and how many there are.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::token::Paren;
use syn::{Expr, ExprLit, Ident, Lit, Token, Type, bracketed};
use tdg_definition::json::{Pointer, Value};
use tdg_definition::{FeatureType, distribution};

use super::members::{Members, json, put};
use super::{drawn, notation, range, reference};
use crate::errors::Errors;
use crate::places::Places;
use crate::types::{last_word, only_argument, ungroup};

/// A type that holds any number of values, each drawn alike.
pub(crate) struct ListType<'a> {
    pub(crate) element: &'a Type,
    /// The length of an array, as it is written.
    pub(crate) length: Option<&'a Expr>,
    /// Whether it has no value twice.
    pub(crate) is_set: bool,
}

impl<'a> ListType<'a> {
    /// The list that is a value of that type, or to which it refers.
    pub(crate) fn of(kind: &'a Type) -> Option<Self> {
        let list = |element, length| Self {
            element: ungroup(element),
            length,
            is_set: false,
        };
        match ungroup(kind) {
            Type::Reference(reference) => Self::of(&reference.elem),
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
                    "Box" | "Rc" | "Arc" => Self::of(element),
                    _ => None,
                }
            }
        }
    }

    /// The length of an array that is a number.
    pub(crate) fn stated_length(&self) -> Option<Value> {
        match self.length? {
            Expr::Lit(ExprLit { lit, .. }) => json(lit).ok(),
            _ => None,
        }
    }
}

/// No element twice, where there are values enough; what derived types draw isn't known.
pub(crate) fn make_unique(list: &mut Members, is_known: bool) {
    let mut unique = list.clone();
    if let Some(Value::Object(element)) = unique.get_mut("element") {
        element.get_or_insert_with("unique", || Value::from(true));
    }
    if is_known && drawn::can_be(&Value::Object(unique.clone()), FeatureType::List) {
        *list = unique;
    }
}

/// Whether a list is next, and not values in brackets.
pub(crate) fn is_next(input: ParseStream<'_>) -> bool {
    let Ok(TokenTree::Group(group)) = input.fork().parse::<TokenTree>() else {
        return false;
    };
    let first = group.stream().into_iter().next();
    !matches!(first, None | Some(TokenTree::Literal(_)))
}

/// Reads a list into the feature at `pointer`.
pub(crate) fn read(
    input: ParseStream<'_>,
    pointer: &Pointer,
    members: &mut Members,
    places: &mut Places,
    errors: &mut Errors,
) -> syn::Result<()> {
    let tokens: TokenStream = input.fork().parse::<TokenTree>()?.into();
    let content;
    bracketed!(content in input);
    let at = pointer.child("distribution");
    let mut element = Members::new();
    let written = until_semicolon(&content);
    if !names_a_type(&written) {
        let all = |input: ParseStream<'_>| {
            notation::members(input, &at.child("element"), &mut element, places, errors);
            Ok(())
        };
        all.parse2(written)?;
    }
    let mut list = Members::new();
    list.insert("type", Value::from("list"));
    list.insert("element", Value::Object(element));
    if content.parse::<Option<Token![;]>>()?.is_some() {
        let length = length(&content, &at.child("length"), places, errors)?;
        list.insert("length", length);
    }
    places.add(at, &tokens);
    put(
        members,
        &tokens,
        "distribution".to_owned(),
        Value::Object(list),
    )
}

/// `0..=12`, `3`, `poisson(rate = 2.0, max = 9)`, or the name of another feature.
pub(crate) fn length(
    input: ParseStream<'_>,
    pointer: &Pointer,
    places: &mut Places,
    errors: &mut Errors,
) -> syn::Result<Value> {
    if range::is_next(input) {
        let mut members = Members::new();
        members.insert("type", Value::from("uniform"));
        range::read(input, pointer, &mut members, places)?;
        members.get_or_insert_with("min", || Value::from(0));
        return Ok(Value::Object(members));
    }
    if input.peek(Lit) {
        let literal: Lit = input.parse()?;
        places.add_named(pointer.clone(), &literal);
        return json(&literal);
    }
    let ahead = input.fork();
    let word = ahead.call(Ident::parse_any).map_err(|error| {
        let problem = "the length of a list is a range, a number, a distribution, or the name of \
                       another feature: [any; 0..=12]";
        syn::Error::new(error.span(), problem)
    })?;
    if ahead.peek(Paren) || distribution::names().any(|(name, _)| word == name) {
        let word = input.call(Ident::parse_any)?;
        let (length, _) = notation::typed(&word, input, pointer, places, errors)?;
        return Ok(length);
    }
    let (path, tokens) = reference::read(input)?;
    places.add_named(pointer.clone(), &tokens);
    Ok(path)
}

fn until_semicolon(input: ParseStream<'_>) -> TokenStream {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![;]) {
        tokens.extend(input.parse::<TokenTree>());
    }
    tokens
}

/// Whether it is the element's type, which the signature has too: `[Line; 1..=5]`.
pub(super) fn names_a_type(element: &TokenStream) -> bool {
    let path = syn::parse2::<syn::Path>(element.clone());
    let last = path.ok().and_then(|path| path.segments.last().cloned());
    last.is_some_and(|word| {
        let word = word.ident.to_token_stream().to_string();
        word.starts_with(char::is_uppercase)
    })
}
