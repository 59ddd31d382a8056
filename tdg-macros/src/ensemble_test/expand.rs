//! The test that replaces the function.
//!
//! Every name in it is reached through the path of tdg, even `core`: users shadow `std`, `Result`
//! or `env!`, and have crates named `core`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{LitStr, Type};

use super::attributes::Attributes;
use super::bindings::{BindableFeature, Bindings};
use super::definition::BoundDefinition;
use super::function::TestedFunction;
use super::options::AttributeOptions;
use super::parameter::TestedParameter;
use super::row_pass::Callee;
use super::rows;
use crate::define;
use crate::hygiene::{at, local, moved};
use crate::types::{is_known, ungroup, with_any_lifetimes};

pub(crate) fn test(
    function: &TestedFunction,
    attributes: &Attributes,
    options: &AttributeOptions,
    definition: &BoundDefinition,
    bindings: &Bindings,
) -> TokenStream {
    let tdg = &options.tdg.0;
    let core = quote!(#tdg::__private::core);
    let TestedFunction {
        visibility, name, ..
    } = function;
    let (test_attributes, function_attributes) = (&attributes.test, &attributes.function);
    let user_function = function.definition(&TokenStream::new());
    let site = site(function, tdg, &core);
    let checks = checks(function, definition, bindings, tdg);
    let takes = takes(function, bindings, tdg, &core);
    let definition = source(definition, tdg, &core);
    let settings = options.settings();
    let tracked = rows::tracked(options);
    let runtime = local("runtime");
    let start_runtime = function
        .is_async(options)
        .then(|| quote!(let #runtime = #tdg::__private::runtime();));
    let test = quote! {
        #tdg::__private::test_at(#site, #takes)
            .definition(#definition)
            #settings
    };
    let run = run(function, options, bindings, test);
    quote! {
        #(#test_attributes)*
        #[#core::prelude::v1::test]
        #visibility fn #name() {
            #(#function_attributes)*
            // Features and fixtures dictate the parameters.
            #[allow(
                clippy::fn_params_excessive_bools,
                clippy::needless_pass_by_value,
                clippy::too_many_arguments,
                clippy::trivially_copy_pass_by_ref,
            )]
            #user_function
            #checks
            #tracked
            #start_runtime
            #run;
        }
    }
}

/// Returns the source of the test's definition.
fn source(definition: &BoundDefinition, tdg: &syn::Path, core: &TokenStream) -> TokenStream {
    match definition {
        BoundDefinition::File {
            path, canonical, ..
        } => embedded(path, canonical, tdg, core),
        BoundDefinition::Remote(id) => quote!(#tdg::DefinitionSource::remote(#id)),
        BoundDefinition::Type(kind) => {
            let derived = quote_spanned!(at(kind)=> <#kind as #tdg::Define>::definition());
            quote!(#tdg::__private::of_type(#derived))
        }
        BoundDefinition::Signature(definition) => {
            let composed = define::expand_definition(definition, tdg);
            quote!(#tdg::__private::in_signature(#composed))
        }
    }
}

/// Returns the features that the function takes, according to its parameters.
fn takes(
    function: &TestedFunction,
    bindings: &Bindings,
    tdg: &syn::Path,
    core: &TokenStream,
) -> TokenStream {
    let taken = quote!(#tdg::__private::Taken);
    let kind = function.of_row().next();
    let kind = kind.and_then(TestedParameter::drawn);
    let kind = kind.filter(is_known);
    // The parameter's lifetimes are not in scope in this expression.
    let with_any_lifetimes = |kind: &Type| with_any_lifetimes(kind.to_token_stream());
    match (bindings, kind.as_ref().map(ungroup)) {
        (Bindings::Features(features), _) => {
            let names = features.iter().map(|feature| &feature.name);
            quote!(#taken::features(&[#(#names),*]))
        }
        (Bindings::FeatureOrRow(name), Some(kind)) => {
            let row = with_any_lifetimes(kind);
            quote_spanned!(at(kind)=> #taken::feature_or_fields_of::<#row>(#name))
        }
        (Bindings::Row, Some(kind)) => {
            let row = with_any_lifetimes(kind);
            quote_spanned!(at(kind)=> #taken::fields_of::<#row>())
        }
        (Bindings::Rows, Some(kind)) => {
            let rows = with_any_lifetimes(kind);
            let marker = quote!(#core::marker::PhantomData::<#rows>);
            quote_spanned!(at(kind)=> #taken::fields_of_each(#marker))
        }
        (Bindings::RowSlice, Some(Type::Reference(reference))) => {
            let Type::Slice(slice) = ungroup(&reference.elem) else {
                return quote!(#taken::row());
            };
            let row = with_any_lifetimes(&slice.elem);
            quote_spanned!(at(slice)=> #taken::fields_of::<#row>())
        }
        (Bindings::RowItself | Bindings::RowSlice, _) | (_, None) => quote!(#taken::row()),
    }
}

fn site(function: &TestedFunction, tdg: &syn::Path, core: &TokenStream) -> TokenStream {
    let function = function.name.unraw().to_string();
    quote! {
        #tdg::__private::Site {
            package: #core::env!("CARGO_PKG_NAME"),
            manifest_dir: #core::env!("CARGO_MANIFEST_DIR"),
            file: #core::file!(),
            line: #core::line!(),
            module_path: #core::module_path!(),
            function: #function,
        }
    }
}

/// Embeds the file in its canonical form, so that runs don't have to compute it. `include_str!`
/// makes the compiler rebuild the test when the file changes.
fn embedded(path: &LitStr, canonical: &str, tdg: &syn::Path, core: &TokenStream) -> TokenStream {
    let from_root = LitStr::new(&format!("/{}", path.value()), path.span());
    quote! {{
        const _: &#core::primitive::str =
            #core::include_str!(#core::concat!(#core::env!("CARGO_MANIFEST_DIR"), #from_root));
        #tdg::__private::embedded(#path, #canonical)
    }}
}

/// Lets the compiler reject parameters that aren't features of a type, which only it knows.
fn checks(
    function: &TestedFunction,
    definition: &BoundDefinition,
    bindings: &Bindings,
    tdg: &syn::Path,
) -> TokenStream {
    let (BoundDefinition::Type(kind), Bindings::Features(features)) = (definition, bindings) else {
        return TokenStream::new();
    };
    let check =
        |(BindableFeature { name, place, .. }, parameter): (&BindableFeature, &TestedParameter)| {
            let kind_text = kind.to_token_stream().to_string().replace(' ', "");
            let fixture = parameter.hint_at_fixture();
            let message = format!("`{name}` is not a feature of `{kind_text}`{fixture}");
            let check = quote! {
                #tdg::__private::check_feature(<#kind as #tdg::Define>::FEATURES, #name, #message)
            };
            let check = moved(check, place.span());
            quote!(const _: () = #check;)
        };
    features.iter().zip(function.of_row()).map(check).collect()
}

/// Returns the statement that runs the test.
fn run(
    function: &TestedFunction,
    options: &AttributeOptions,
    bindings: &Bindings,
    test: TokenStream,
) -> TokenStream {
    let tdg = &options.tdg.0;
    let name = &function.name;
    // Missing traits of a parameter are reported at its type, and the output's at the output.
    let place_of = |parameter: &TestedParameter| {
        let kind = parameter.kind.as_ref();
        kind.map_or_else(Span::call_site, Spanned::span)
    };
    let output = function.output.clone().into_iter().nth(2);
    let own = Callee {
        path: quote!(#name),
        is_async: function.asyncness.is_some(),
        parameters: function.parameters.iter().map(place_of).collect(),
        output: output.map_or_else(Span::mixed_site, |token| token.span()),
    };
    let own = own.pass(function, options, bindings);
    let takes = match bindings {
        Bindings::Rows | Bindings::RowSlice => quote!(#tdg::__private::Function::Vectors),
        _ => quote!(#tdg::__private::Function::Rows),
    };
    let option = quote!(#tdg::__private::core::option::Option);
    let Some(against) = &options.against else {
        return quote!(#tdg::__private::run(#test, #takes(&#own), #option::None));
    };
    let path = &against.path;
    let place = path.span();
    let other = Callee {
        // In a block with the macro's span, so that the compiler suggests no arguments for it.
        path: quote_spanned!(at(path)=> { #path }),
        is_async: against.asyncness.is_some(),
        parameters: vec![place; function.parameters.len()],
        output: place,
    };
    let (name, other) = (against.name(), other.pass(function, options, bindings));
    let other = quote!(#tdg::__private::Other { name: #name, function: #takes(&#other) });
    quote!(#tdg::__private::run(#test, #takes(&#own), #option::Some(#other)))
}
