//! The members of a JSON object, which are read one by one.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Token};
use tdg_definition::json::Value;

use super::constant;
use crate::commas::until;
use crate::literal::json_of;
use crate::source_places::Places;

pub(crate) use tdg_definition::json::Object as Members;

/// An example, for messages.
pub(crate) const MIXTURE: &str =
    "mixture(gaussian(mu = 0.0, sigma = 1.0) = 0.7, uniform(min = 0.0, max = 9.0) = 0.3)";

/// Returns the list of that name, to add elements one by one.
pub(crate) fn elements_of<'a>(members: &'a mut Members, key: &str) -> Option<&'a mut Vec<Value>> {
    match members.get_or_insert_with(key, || Value::Array(Vec::new())) {
        Value::Array(elements) => Some(elements),
        _ => None,
    }
}

pub(crate) fn put(
    members: &mut Members,
    name: impl ToTokens,
    key: &str,
    value: Value,
) -> syn::Result<()> {
    if !members.contains_key(key) {
        members.insert(key, value);
        return Ok(());
    }
    let problem = if key == "distribution" {
        format!(
            "there is already a distribution; keep one, mix them: {MIXTURE}; or draw a tuple: \
             (uniform(0..9), any)"
        )
    } else {
        format!("`{key}` is given twice; keep one")
    };
    Err(syn::Error::new_spanned(name, problem))
}

/// Reads a literal, arithmetic with literals, or a named constant. Also returns its tokens.
pub(crate) fn value(
    input: ParseStream<'_>,
    places: &mut Places,
) -> syn::Result<(Value, TokenStream)> {
    // With its feature `full`, syn would continue into a range or an assignment.
    let tokens = until(&input.fork(), |input| {
        input.peek(Token![..]) || input.peek(Token![=]) || input.peek(Token![,])
    });
    let first = |input: ParseStream<'_>| {
        let expression: Expr = input.parse()?;
        let rest: TokenStream = input.parse()?;
        Ok((expression, rest.into_iter().count()))
    };
    let read = first.parse2(tokens.clone());
    let (expression, rest) = read.map_err(|_| not_a_value(&input.error("")))?;
    let Some(value) = value_of(&expression, places) else {
        return Err(not_a_value(&syn::Error::new_spanned(expression, "")));
    };
    for _ in rest..tokens.into_iter().count() {
        input.parse::<TokenTree>()?;
    }
    Ok((value, expression.into_token_stream()))
}

/// Returns the value of an expression, with a mark for a named constant.
pub(super) fn value_of(expression: &Expr, places: &mut Places) -> Option<Value> {
    json_of(expression).or_else(|| {
        let is_constant = constant::is_constant(expression);
        is_constant.then(|| constant::mark(places.add_constant(expression)))
    })
}

/// Returns true if a value is next.
pub(crate) fn is_value(input: ParseStream<'_>) -> bool {
    value(&input.fork(), &mut Places::default()).is_ok()
}

pub(crate) fn not_a_value(at: &syn::Error) -> syn::Error {
    syn::Error::new(
        at.span(),
        "write a number or arithmetic with numbers, a constant, whose name is in capitals \
         (`limits::MAX - 1`), a string in quotes, `true` or `false`, or a list of them in brackets",
    )
}
