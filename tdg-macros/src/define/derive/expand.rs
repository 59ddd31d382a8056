//! The implementation of the trait. It reaches every name through the path of tdg, even `core`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{DeriveInput, Path};
use tdg_definition::json::Value;

use crate::define::alias::TypedPart;
use crate::define::constant::NamedConstant;
use crate::define::container::Container;
use crate::define::definition::{CodeDefinition, CodeFeature};
use crate::define::members::Members;

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

/// Returns the definition as an expression.
pub(crate) fn definition(definition: &CodeDefinition, tdg: &Path) -> TokenStream {
    let composed = composed(definition, tdg);
    quote!(#tdg::__private::definition(#composed))
}

/// Returns the JSON of the definition without features, and the features.
fn composed(definition: &CodeDefinition, tdg: &Path) -> TokenStream {
    let members = stated(&definition.members, &[], &definition.constants, tdg);
    let feature = |feature: &CodeFeature| of_feature(feature, tdg);
    let features = definition.features.iter().map(feature);
    quote!((#members, &[#(#features),*]))
}

fn of_feature(feature: &CodeFeature, tdg: &Path) -> TokenStream {
    stated(&feature.members, &feature.parts, &feature.constants, tdg)
}

/// Returns JSON, with the parts that types and constants state: each by its pointer, with the
/// function that states it.
fn stated(
    members: &Members,
    parts: &[TypedPart],
    constants: &[NamedConstant],
    tdg: &Path,
) -> TokenStream {
    let json = Value::Object(members.clone()).to_string();
    let types = parts.iter().map(|part| {
        let (at, kind) = (part.at.to_string(), &part.kind);
        // A missing trait is reported at the type.
        let there = Span::mixed_site().located_at(kind.span());
        let [of, function] = part.asked.map(|name| Ident::new(name, there));
        quote_spanned!(there=> (#at, <#kind as #tdg::__private::#of>::#function))
    });
    let parts = types.chain(constants.iter().map(|constant| constant.part(tdg)));
    quote!((#json, &[#(#parts),*]))
}

/// Returns the implementation for an enum, whose values are the feature's.
pub(crate) fn part(
    input: &DeriveInput,
    container: &Container,
    feature: &CodeFeature,
) -> TokenStream {
    let tdg = &container.tdg;
    let feature = of_feature(feature, tdg);
    let of = defined_type(input, container);
    let members = quote!(#tdg::__private::part(#of, #feature));
    defined_part(input, container, &TokenStream::new(), &members)
}

/// Returns the facts about the type that a definition needs.
fn defined_type(input: &DeriveInput, container: &Container) -> TokenStream {
    let tdg = &container.tdg;
    let option = quote!(#tdg::__private::core::option::Option);
    let name = input.ident.unraw().to_string();
    let budget = match container.budget.is_empty() {
        true => quote!(#option::None),
        false => {
            let budget = stated(&container.budget, &[], &container.budget_constants, tdg);
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
