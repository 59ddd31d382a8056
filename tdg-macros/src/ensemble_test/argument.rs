//! The value of a parameter, from the value taken from the row.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;

use super::bindings::Bindings;
use super::conversion::{as_static, converted};
use super::fixture::ArgumentPassing;
use super::parameter::TestedParameter;
use crate::define::MadeValue;
use crate::hygiene::local;
use crate::types::with_any_lifetimes;

/// Returns the argument: the value `taken` from the row, or the one that the maker makes of it.
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
        return match bindings {
            Bindings::Rows | Bindings::RowSlice | Bindings::RowItself => taken,
            _ => converted(kind, drawn.as_ref(), taken, place, tdg),
        };
    };
    let taken = match parameter.drawn().filter(|_| maker.is_of_all()) {
        Some(kind) => converted(&kind, None, taken, place, tdg),
        None => taken,
    };
    // The parameter's lifetimes are not in scope in this expression.
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
    let core = quote!(#tdg::__private::core);
    let refusal = local("refusal");
    let refused = quote!(return #core::result::Result::Err(#core::convert::Into::into(#refusal)));
    let value = made.value(&taken, &refusal, &refused);
    match (as_static(&kind), ArgumentPassing::from_type(Some(&kind))) {
        (Some(lent), _) => quote_spanned!(place=> #tdg::__private::leaked::<_, #lent>(#value)),
        (None, ArgumentPassing::Value) => value,
        (None, ArgumentPassing::Reference) => quote_spanned!(place=> &#value),
        (None, ArgumentPassing::Mutable) => quote_spanned!(place=> &mut #value),
    }
}
