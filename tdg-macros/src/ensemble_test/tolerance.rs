//! `tolerance("/price", rel = 1e-9, abs = 0.01, ulp = 4, integers)`.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Lit, LitStr, Token};
use tdg_definition::nearest;

use crate::literal::{checked_pointer, literal};

/// What a tolerance consists of.
const LIMITS: [&str; 4] = ["rel", "abs", "ulp", "integers"];

/// The pointer and all but one of the limits can be left out.
#[derive(Default)]
pub(crate) struct Tolerance {
    /// The JSON Pointer of the output's field; the whole output if absent.
    pub(crate) pointer: Option<LitStr>,
    rel: Option<TokenStream>,
    abs: Option<TokenStream>,
    ulp: Option<TokenStream>,
    integers: Option<Ident>,
}

impl Parse for Tolerance {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let start = input.span();
        let mut tolerance = Self::default();
        if input.peek(LitStr) {
            tolerance.pointer = Some(checked_pointer(input.parse()?)?);
            end_of_item(input)?;
        }
        while !input.is_empty() {
            let name = input.call(Ident::parse_any)?;
            tolerance.parse_limit(name, input)?;
            end_of_item(input)?;
        }
        tolerance.check(start)?;
        Ok(tolerance)
    }
}

impl Tolerance {
    fn parse_limit(&mut self, name: Ident, input: ParseStream<'_>) -> syn::Result<()> {
        let twice = || syn::Error::new(name.span(), format!("`{name}` is given twice; keep one"));
        let text = name.to_string();
        let slot = match text.as_str() {
            "rel" => &mut self.rel,
            "abs" => &mut self.abs,
            "ulp" => &mut self.ulp,
            "integers" if self.integers.is_some() => return Err(twice()),
            "integers" if input.peek(Token![=]) => {
                return Err(input
                    .error("`integers` takes no value: write `integers` alone, or leave it out"));
            }
            "integers" => {
                self.integers = Some(name);
                return Ok(());
            }
            other => return Err(unknown(&name, other)),
        };
        if slot.is_some() {
            return Err(twice());
        }
        let example = if text == "ulp" { "4" } else { "1e-9" };
        if !input.peek(Token![=]) {
            return Err(syn::Error::new(
                name.span(),
                format!("`{name}` needs a number: {name} = {example}"),
            ));
        }
        input.parse::<Token![=]>()?;
        let value = input.parse()?;
        *slot = Some(if text == "ulp" {
            whole_number(&name, value)?
        } else {
            number(&name, value)?
        });
        Ok(())
    }

    fn check(&self, start: Span) -> syn::Result<()> {
        let has_distance = self.rel.is_some() || self.abs.is_some();
        if let Some(integers) = self.integers.as_ref().filter(|_| !has_distance) {
            return Err(syn::Error::new(
                integers.span(),
                "how far may integers be apart? Give `rel` or `abs`: tolerance(\"/count\", abs = 1, integers)",
            ));
        }
        if !has_distance && self.ulp.is_none() {
            return Err(syn::Error::new(
                start,
                "how much is tolerated? Give `rel`, `abs` or `ulp`: tolerance(\"/price\", abs = 0.01)",
            ));
        }
        Ok(())
    }

    /// The value of the type `tdg::Tolerance`.
    pub(crate) fn value(&self, tdg: &syn::Path) -> TokenStream {
        let exact = |zero: Literal| zero.into_token_stream();
        let rel = self
            .rel
            .clone()
            .unwrap_or_else(|| exact(Literal::f64_suffixed(0.0)));
        let abs = self
            .abs
            .clone()
            .unwrap_or_else(|| exact(Literal::f64_suffixed(0.0)));
        let ulp = self
            .ulp
            .clone()
            .unwrap_or_else(|| exact(Literal::u64_suffixed(0)));
        let integers = self.integers.is_some();
        quote!(#tdg::Tolerance { rel: #rel, abs: #abs, ulp: #ulp, integers: #integers })
    }
}

fn unknown(name: &Ident, text: &str) -> syn::Error {
    let hint = nearest(text, LIMITS)
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default();
    syn::Error::new(
        name.span(),
        format!(
            "a tolerance has `rel`, `abs`, `ulp` and `integers`, but no `{text}`{hint}\n  \
             tolerance(rel = 1e-9, abs = 0.0), for one field tolerance(\"/price\", abs = 0.01)"
        ),
    )
}

fn end_of_item(input: ParseStream<'_>) -> syn::Result<()> {
    if !input.is_empty() {
        input.parse::<Token![,]>()?;
    }
    Ok(())
}

fn whole_number(name: &Ident, expression: Expr) -> syn::Result<TokenStream> {
    let Some((negative, literal)) = literal(&expression) else {
        return Ok(expression.into_token_stream());
    };
    match literal {
        Lit::Int(integer) if !negative && integer.base10_parse::<u64>().is_ok() => {
            Ok(expression.into_token_stream())
        }
        _ => Err(syn::Error::new_spanned(
            &expression,
            format!(
                "`{name}` counts floats, so it must be a whole number that is not negative, but is {}",
                expression.to_token_stream().to_string().replace(' ', "")
            ),
        )),
    }
}

/// A number that is not negative, as an `f64`.
pub(super) fn number(name: &Ident, expression: Expr) -> syn::Result<TokenStream> {
    let Some((negative, literal)) = literal(&expression) else {
        return Ok(expression.into_token_stream());
    };
    let digits = match literal {
        Lit::Float(float) => Some(float.base10_digits()),
        Lit::Int(integer) => Some(integer.base10_digits()),
        _ => None,
    };
    match digits.and_then(|digits| digits.parse::<f64>().ok()) {
        Some(number) if number.is_finite() && !(negative && number > 0.0) => {
            let mut number = Literal::f64_suffixed(number);
            number.set_span(literal.span());
            Ok(number.into_token_stream())
        }
        _ => Err(syn::Error::new_spanned(
            &expression,
            format!(
                "`{name}` must be a number that is not negative, but is {}",
                expression.to_token_stream().to_string().replace(' ', "")
            ),
        )),
    }
}
