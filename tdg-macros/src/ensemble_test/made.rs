//! The value of a parameter that is made of what is drawn.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;

use super::bindings::Bindings;
use super::fixture::Passing;
use super::parameter::TestedParameter;
use crate::define::Made;
use crate::hygiene::local;
use crate::types::with_any_lifetimes;

/// The argument: what is taken of the row, or the value that the parameter's maker makes of it.
pub(super) fn argument(
    parameter: &TestedParameter,
    bindings: &Bindings,
    position: usize,
    taken: TokenStream,
    place: Span,
    tdg: &syn::Path,
) -> TokenStream {
    let (Some(maker), Some(kind)) = (&parameter.maker, &parameter.kind) else {
        return taken;
    };
    let feature_type = match bindings {
        Bindings::Features(features) => features.get(position).and_then(|it| it.feature_type),
        _ => None,
    };
    // The parameter's lifetimes are not in scope here.
    let tokens = with_any_lifetimes(quote!(#kind));
    let kind = syn::parse2(tokens.clone()).unwrap_or(Type::Verbatim(tokens));
    let made = Made {
        maker,
        kind: &kind,
        name: parameter.pattern.to_string(),
        feature_type,
        place,
        tdg,
    };
    let refusal = local("refusal");
    let refused = quote!(return #tdg::__private::core::result::Result::Err(#refusal.into()));
    let value = made.value(&taken, &refusal, &refused);
    match Passing::of(Some(&kind)) {
        Passing::Value => value,
        Passing::Reference => quote_spanned!(place=> &#value),
        Passing::Mutable => quote_spanned!(place=> &mut #value),
    }
}
