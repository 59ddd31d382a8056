//! The expansion of a wrong attribute: the errors, and the user's function as it is, so that
//! editors keep working and nothing else seems to be missing.

use proc_macro2::TokenStream;
use quote::quote;

use super::attributes::Attributes;
use super::function::TestedFunction;

pub(crate) fn function(
    function: &TestedFunction,
    attributes: &Attributes,
    error: Option<&syn::Error>,
) -> TokenStream {
    let errors = error.map(syn::Error::to_compile_error);
    // It only means something on a test.
    let kept = attributes
        .test
        .iter()
        .chain(&attributes.function)
        .filter(|attribute| !attribute.path().is_ident("ignore"));
    let visibility = &function.visibility;
    let definition = function.definition();
    quote! {
        #errors
        #(#kept)*
        #[allow(unused)]
        #visibility #definition
    }
}

/// For an item that is not a function.
pub(crate) fn item(item: &TokenStream, error: Option<&syn::Error>) -> TokenStream {
    let errors = error.map(syn::Error::to_compile_error);
    quote!(#errors #item)
}
