//! `tolerance("/price", rel = 1e-9, abs = 0.01, ulp = 4, integers)`.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, LitStr, Token};

use crate::literal::{self, literal};

/// A tolerance as written. The policy's validator knows the valid members.
pub(crate) struct ToleranceOption {
    /// The JSON Pointer of the output's field; the whole output if absent.
    pub(crate) pointer: Option<LitStr>,
    /// The members; `integers` has no value.
    pub(crate) members: Vec<(Ident, Option<Expr>)>,
}

impl Parse for ToleranceOption {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut tolerance = Self {
            pointer: None,
            members: Vec::new(),
        };
        if input.peek(LitStr) {
            tolerance.pointer = Some(input.parse()?);
            end_of_item(input)?;
        }
        while !input.is_empty() {
            let name = input.call(Ident::parse_any).map_err(without_name)?;
            let value = value(&name, input)?;
            if tolerance.members.iter().any(|(other, _)| *other == name) {
                let problem = format!("`{name}` is given twice; keep one");
                return Err(syn::Error::new(name.span(), problem));
            }
            tolerance.members.push((name, value));
            end_of_item(input)?;
        }
        Ok(tolerance)
    }
}

impl ToleranceOption {
    /// Returns the value of the type `tdg::Tolerance`.
    pub(crate) fn value(&self, tdg: &syn::Path) -> TokenStream {
        let mut chain = TokenStream::new();
        let mut with_integers = TokenStream::new();
        for (name, value) in &self.members {
            let value = match value {
                None => {
                    with_integers = quote!(.with_integers());
                    continue;
                }
                Some(value) if name == "ulp" => value.to_token_stream(),
                Some(value) => number(value),
            };
            if chain.is_empty() {
                chain = quote!(#tdg::Tolerance::#name(#value));
            } else {
                let or = format_ident!("or_{name}", span = name.span());
                chain.extend(quote!(.#or(#value)));
            }
        }
        quote!(#chain #with_integers)
    }
}

fn without_name(error: syn::Error) -> syn::Error {
    syn::Error::new(
        error.span(),
        "say how it is measured: tolerance(rel = 0.1) or tolerance(abs = 0.1)",
    )
}

/// Reads the value after a member's name.
fn value(name: &Ident, input: ParseStream<'_>) -> syn::Result<Option<Expr>> {
    let has_value = input.peek(Token![=]);
    let problem = match name.to_string().as_str() {
        "integers" if has_value => {
            let problem = "`integers` takes no value: write `integers` alone, or leave it out";
            return Err(input.error(problem));
        }
        "rel" | "abs" if !has_value => format!("`{name}` needs a number: {name} = 1e-9"),
        "ulp" if !has_value => "`ulp` needs a number: ulp = 4".to_owned(),
        _ if !has_value => return Ok(None),
        _ => {
            input.parse::<Token![=]>()?;
            return input.parse().map(Some);
        }
    };
    Err(syn::Error::new(name.span(), problem))
}

/// Reads the comma after an item, unless it is the last.
pub(super) fn end_of_item(input: ParseStream<'_>) -> syn::Result<()> {
    if !input.is_empty() {
        input.parse::<Token![,]>()?;
    }
    Ok(())
}

/// Returns the expression of an `f64`. `abs = 1` needs no point.
pub(super) fn number(expression: &Expr) -> TokenStream {
    match (literal(expression), literal::number(expression)) {
        (Some(literal), Some(number)) => {
            let mut float = Literal::f64_suffixed(number.as_f64());
            float.set_span(literal.span());
            float.into_token_stream()
        }
        _ => expression.to_token_stream(),
    }
}
