//! The implementation of the trait. It reaches every name through the path of tdg, `core` too.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Path};
use tdg_definition::json::Value;

use super::container::Container;
use super::definition::{CodeDefinition, CodeFeature};

pub(crate) fn define(
    input: &DeriveInput,
    container: &Container,
    definition: &CodeDefinition,
) -> TokenStream {
    let tdg = &container.tdg;
    let core = quote!(#tdg::__private::core);
    let option = quote!(#core::option::Option);
    let text = quote!(&'static #core::primitive::str);
    let name = &input.ident;
    let (generics, arguments, conditions) = input.generics.split_for_impl();
    let names = definition.features.iter().map(|feature| &feature.name);
    let composed = self::definition(definition, tdg);
    quote! {
        #[automatically_derived]
        impl #generics #tdg::Define for #name #arguments #conditions {
            const FEATURES: #option<&'static [#text]> = #option::Some(&[#(#names),*]);

            fn definition() -> #tdg::Definition {
                #composed
            }
        }
    }
}

/// The definition as an expression.
pub(crate) fn definition(definition: &CodeDefinition, tdg: &Path) -> TokenStream {
    let option = quote!(#tdg::__private::core::option::Option);
    let members = Value::Object(definition.members.clone()).to_string();
    let feature = |feature: &CodeFeature| {
        let json = Value::Object(feature.members.clone()).to_string();
        match &feature.categories {
            // A type that is not such an enum is reported at its place.
            Some(kind) => {
                let there = Span::mixed_site().located_at(kind.span());
                quote_spanned!(there=> (#json, #option::Some(<#kind as #tdg::__private::Categories>::DISTRIBUTION)))
            }
            None => quote!((#json, #option::None)),
        }
    };
    let features = definition.features.iter().map(feature);
    quote!(#tdg::__private::definition(#members, &[#(#features),*]))
}

pub(crate) fn categories(
    input: &DeriveInput,
    container: &Container,
    distribution: &Value,
) -> TokenStream {
    let tdg = &container.tdg;
    let name = &input.ident;
    let (generics, arguments, conditions) = input.generics.split_for_impl();
    let distribution = distribution.to_string();
    quote! {
        #[automatically_derived]
        impl #generics #tdg::__private::Categories for #name #arguments #conditions {
            const DISTRIBUTION: &'static #tdg::__private::core::primitive::str = #distribution;
        }
    }
}
