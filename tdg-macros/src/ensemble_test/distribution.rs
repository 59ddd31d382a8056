//! `distribution("/price", ks = 1e-6)`.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, LitStr, Token};

use super::tolerance::{end_of_item, number};

/// A distribution as written. The policy's validator knows the valid members.
pub(crate) struct DistributionOption {
    /// The JSON Pointer of the output's field; the whole output if absent.
    pub(crate) pointer: Option<LitStr>,
    pub(crate) members: Vec<(Ident, Expr)>,
}

impl Parse for DistributionOption {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let pointer = input.peek(LitStr).then(|| input.parse()).transpose()?;
        if pointer.is_some() {
            end_of_item(input)?;
        }
        let members = named_values(input, "ks = 1e-6")?;
        Ok(Self { pointer, members })
    }
}

impl DistributionOption {
    /// Returns the method of `tdg::EnsembleTest` for the option.
    pub(crate) fn setting(&self) -> TokenStream {
        let pointer = self
            .pointer
            .as_ref()
            .map_or_else(String::new, LitStr::value);
        let rates = self.members.iter().filter(|(name, _)| name == "ks");
        let rates = rates.map(|(_, rate)| number(rate));
        quote!(#(.distribution(#pointer, #rates))*)
    }
}

/// Reads `name = value, …`, each name once.
pub(super) fn named_values(
    input: ParseStream<'_>,
    example: &str,
) -> syn::Result<Vec<(Ident, Expr)>> {
    let mut values: Vec<(Ident, Expr)> = Vec::new();
    while !input.is_empty() {
        let name = input.call(Ident::parse_any)?;
        let problem = if values.iter().any(|(other, _)| *other == name) {
            format!("`{name}` is given twice; keep one")
        } else if !input.peek(Token![=]) {
            format!("`{name}` needs a number: {example}")
        } else {
            input.parse::<Token![=]>()?;
            values.push((name, input.parse()?));
            end_of_item(input)?;
            continue;
        };
        return Err(syn::Error::new(name.span(), problem));
    }
    Ok(values)
}
