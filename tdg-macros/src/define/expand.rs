//! The implementation of the trait. It reaches every name through the path of tdg, `core` too.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
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
    let composed = composed(definition, tdg);
    let of = defined_type(input, container);
    let members = quote!(#tdg::__private::members(#of, Self::DEFINITION));
    let stated = quote! {
        const DEFINITION: #tdg::__private::StatedDefinition<'static> = #composed;
    };
    let part = defined_part(input, container, &stated, &members);
    quote! {
        #[automatically_derived]
        impl #generics #tdg::Define for #name #arguments #conditions {
            const FEATURES: #option<&'static [#text]> = #option::Some(&[#(#names),*]);

            fn definition() -> #tdg::Definition {
                #tdg::__private::definition(<Self as #tdg::__private::DefinedPart>::DEFINITION)
            }
        }

        #part
    }
}

/// The definition as an expression.
pub(crate) fn definition(definition: &CodeDefinition, tdg: &Path) -> TokenStream {
    let composed = composed(definition, tdg);
    quote!(#tdg::__private::definition(#composed))
}

/// The definition as JSON without features, and the features.
fn composed(definition: &CodeDefinition, tdg: &Path) -> TokenStream {
    let members = Value::Object(definition.members.clone()).to_string();
    let feature = |feature: &CodeFeature| {
        let json = Value::Object(feature.members.clone()).to_string();
        let parts = parts(feature, tdg);
        quote!((#json, &[#(#parts),*]))
    };
    let features = definition.features.iter().map(feature);
    quote!((#members, &[#(#features),*]))
}

/// The parts of which their types say more, each with its pointer and the function that does.
fn parts<'a>(feature: &'a CodeFeature, tdg: &'a Path) -> impl Iterator<Item = TokenStream> + 'a {
    feature.parts.iter().map(move |part| {
        let (at, kind) = (part.at.to_string(), &part.kind);
        // A type without the trait is reported at its place.
        let there = Span::mixed_site().located_at(kind.span());
        let [of, function] = part.asked.map(|name| Ident::new(name, there));
        quote_spanned!(there=> (#at, <#kind as #tdg::__private::#of>::#function))
    })
}

/// The implementation of an enum, whose values are those of the feature.
pub(crate) fn part(
    input: &DeriveInput,
    container: &Container,
    feature: &CodeFeature,
) -> TokenStream {
    let tdg = &container.tdg;
    let json = Value::Object(feature.members.clone()).to_string();
    let parts = parts(feature, tdg);
    let of = defined_type(input, container);
    let members = quote!(#tdg::__private::part(#of, #json, &[#(#parts),*]));
    defined_part(input, container, &TokenStream::new(), &members)
}

/// What a definition knows of the type itself.
fn defined_type(input: &DeriveInput, container: &Container) -> TokenStream {
    let tdg = &container.tdg;
    let option = quote!(#tdg::__private::core::option::Option);
    let name = input.ident.unraw().to_string();
    let budget = match container.budget.is_empty() {
        true => quote!(#option::None),
        false => {
            let budget = Value::Object(container.budget.clone()).to_string();
            quote!(#option::Some(#budget))
        }
    };
    quote!(#tdg::__private::defined::<Self>(#name, #budget))
}

fn defined_part(
    input: &DeriveInput,
    container: &Container,
    stated: &TokenStream,
    members: &TokenStream,
) -> TokenStream {
    let (tdg, name) = (&container.tdg, &input.ident);
    let (generics, arguments, conditions) = input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #generics #tdg::__private::DefinedPart for #name #arguments #conditions {
            #stated

            fn members() -> #tdg::__private::PartMembers {
                #members
            }
        }
    }
}
