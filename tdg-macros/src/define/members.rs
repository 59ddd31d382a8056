//! The members of a JSON object, as they are read one after the other.

use quote::ToTokens;
use syn::Lit;
use tdg_definition::bytes;
use tdg_definition::json::Value;

use crate::literal;

pub(crate) use tdg_definition::json::Object as Members;

/// An example, for messages.
pub(crate) const MIXTURE: &str =
    "mixture(gaussian(mu = 0.0, sigma = 1.0) = 0.7, uniform(min = 0.0, max = 9.0) = 0.3)";

/// The list of that name, to which elements are added one by one.
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
            "there is a distribution already; keep one, mix them: {MIXTURE}; or draw a tuple: \
             (uniform(0..9), any)"
        )
    } else {
        format!("`{key}` is given twice; keep one")
    };
    Err(syn::Error::new_spanned(name, problem))
}

pub(crate) fn json(literal: &Lit) -> syn::Result<Value> {
    let value = match literal {
        Lit::Byte(byte) => Some(Value::from(i32::from(byte.value()))),
        Lit::ByteStr(bytes) => {
            let mut text = String::new();
            bytes::escape(&bytes.value(), &mut text);
            Some(Value::from(text))
        }
        _ => literal::json(literal),
    };
    value.ok_or_else(|| not_a_literal(&syn::Error::new_spanned(literal, "")))
}

pub(crate) fn not_a_literal(at: &syn::Error) -> syn::Error {
    syn::Error::new(
        at.span(),
        "a definition is checked while compiling, when the value of no name is known: \
         write a number, a string in quotes, `true` or `false`, or a list of them in brackets",
    )
}
