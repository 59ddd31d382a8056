//! References to other features: `index(of = xs)`, `one_of(products.sku)`, `[any; n]`.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, Token};
use tdg_definition::distribution;
use tdg_definition::json::Value;

use super::members::Members;
use super::range;

/// The parameter that names the other feature.
pub(super) const OF: &str = "of";

/// Returns true if a path is next that needs no parameter name in this distribution.
pub(super) fn is_next(input: ParseStream<'_>, members: &Members) -> bool {
    let name = range::distribution_of(members);
    let refers = name.and_then(|name| distribution::parameters_left(name, |_| false));
    let refers = refers.is_some_and(|mut parameters| parameters.any(|it| it == OF));
    refers && input.peek(Ident::peek_any) && !input.peek2(Token![=])
}

/// Reads the path `products.sku` in the form of definitions: `products/sku`.
pub(super) fn read(input: ParseStream<'_>) -> syn::Result<(Value, TokenStream)> {
    let mut tokens = TokenStream::new();
    let mut path = String::new();
    loop {
        let name = input.call(Ident::parse_any).map_err(|error| {
            syn::Error::new(
                error.span(),
                "a feature is written as its name, or as a path of names: products.sku",
            )
        })?;
        path.push_str(&name.unraw().to_string());
        name.to_tokens(&mut tokens);
        if !input.peek(Token![.]) {
            return Ok((Value::from(path), tokens));
        }
        input.parse::<Token![.]>()?.to_tokens(&mut tokens);
        path.push('/');
    }
}
