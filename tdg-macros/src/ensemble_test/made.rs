//! The value of a parameter that is made of what is drawn.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;
use tdg_definition::FeatureType;

use super::bindings::Bindings;
use super::fixture::ArgumentPassing;
use super::parameter::TestedParameter;
use crate::define::{DrawnType, MadeValue};
use crate::hygiene::local;
use crate::types::{is_row, is_scalar, last_word, ungroup, with_any_lifetimes};

/// What is taken of the row, or a reference to it where the row has nothing to refer to: lists and
/// structs are made for each call, bytes are lent unless each number is `drawn`.
fn lent(
    kind: &Type,
    drawn: &DrawnType,
    taken: TokenStream,
    place: Span,
    tdg: &syn::Path,
) -> TokenStream {
    let Type::Reference(reference) = ungroup(kind) else {
        return taken;
    };
    let owned = match ungroup(&reference.elem) {
        Type::Slice(slice)
            if drawn.kind == Some(FeatureType::List)
                || last_word(&slice.elem).is_none_or(|word| word != "u8") =>
        {
            let element = with_any_lifetimes(slice.elem.to_token_stream());
            quote_spanned!(place=> #tdg::__private::Vec<#element>)
        }
        Type::Slice(_) => return taken,
        kind if is_scalar(kind) || is_row(&Type::Reference(reference.clone())) => return taken,
        kind if ["Path", "CStr"]
            .iter()
            .any(|it| last_word(kind).is_some_and(|word| word == it)) =>
        {
            return taken;
        }
        kind => with_any_lifetimes(kind.to_token_stream()),
    };
    let (value, mutability) = (local("value"), &reference.mutability);
    quote_spanned!(place=> &#mutability { let #value: #owned = #taken; #value })
}

/// The argument: what is taken of the row, or the value that the parameter's maker makes of it.
pub(super) fn argument(
    parameter: &TestedParameter,
    bindings: &Bindings,
    position: usize,
    taken: TokenStream,
    place: Span,
    tdg: &syn::Path,
) -> TokenStream {
    let Some(kind) = &parameter.kind else {
        return taken;
    };
    let drawn = match bindings {
        Bindings::Features(features) => features.get(position).map(|it| it.drawn.clone()),
        _ => None,
    };
    let Some(maker) = &parameter.maker else {
        return match drawn {
            Some(drawn) => lent(kind, &drawn, taken, place, tdg),
            None => taken,
        };
    };
    // The parameter's lifetimes are not in scope here.
    let tokens = with_any_lifetimes(quote!(#kind));
    let kind = syn::parse2(tokens.clone()).unwrap_or(Type::Verbatim(tokens));
    let made = MadeValue {
        maker,
        kind: &kind,
        name: parameter.pattern.to_string(),
        drawn: drawn.unwrap_or_default(),
        is_part: false,
        place,
        tdg,
    };
    let refusal = local("refusal");
    let refused = quote!(return #tdg::__private::core::result::Result::Err(#refusal.into()));
    let value = made.value(&taken, &refusal, &refused);
    match ArgumentPassing::of(Some(&kind)) {
        ArgumentPassing::Value => value,
        ArgumentPassing::Reference => quote_spanned!(place=> &#value),
        ArgumentPassing::Mutable => quote_spanned!(place=> &mut #value),
    }
}
