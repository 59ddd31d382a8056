//! `tolerance("/price", rel = 1e-9, abs = 0.01)`.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Lit, LitStr, Token};

use crate::literal::{checked_pointer, literal};

/// The pointer and one of the numbers can be left out.
pub(crate) struct Tolerance {
    /// The JSON Pointer of the output's field; the whole output if absent.
    pub(crate) pointer: Option<LitStr>,
    pub(crate) rel: TokenStream,
    pub(crate) abs: TokenStream,
}

impl Parse for Tolerance {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let start = input.span();
        let pointer = if input.peek(LitStr) {
            let pointer = checked_pointer(input.parse()?)?;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
            Some(pointer)
        } else {
            None
        };
        let (mut rel, mut abs) = (None, None);
        while !input.is_empty() {
            let name = input.call(Ident::parse_any)?;
            let slot = match name.to_string().as_str() {
                "rel" => &mut rel,
                "abs" => &mut abs,
                other => {
                    return Err(syn::Error::new(
                        name.span(),
                        format!(
                            "a tolerance has `rel` and `abs`, but no `{other}`: \
                         tolerance(rel = 1e-9, abs = 0.0), for one field tolerance(\"/price\", abs = 0.01)"
                        ),
                    ));
                }
            };
            if slot.is_some() {
                return Err(syn::Error::new(
                    name.span(),
                    format!("`{name}` is given twice; keep one"),
                ));
            }
            if !input.peek(Token![=]) {
                return Err(syn::Error::new(
                    name.span(),
                    format!("`{name}` needs a number: {name} = 1e-9"),
                ));
            }
            input.parse::<Token![=]>()?;
            *slot = Some(number(&name, input.parse()?)?);
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        if rel.is_none() && abs.is_none() {
            return Err(syn::Error::new(
                start,
                "how much is tolerated? Give `rel`, `abs` or both: tolerance(\"/price\", abs = 0.01)",
            ));
        }
        let exact = || quote!(0f64);
        Ok(Self {
            pointer,
            rel: rel.unwrap_or_else(exact),
            abs: abs.unwrap_or_else(exact),
        })
    }
}

fn number(name: &Ident, expression: Expr) -> syn::Result<TokenStream> {
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
