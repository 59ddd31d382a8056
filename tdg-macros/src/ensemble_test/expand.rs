//! The test that replaces the function.
//!
//! Every name in it is reached through the path of tdg, `core` too: users shadow `std`, `Result` or
//! `env!`, and have crates named `core`.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{LitStr, Type};

use super::attributes::Attributes;
use super::bindings::{Bindings, Feature};
use super::definition::Definition;
use super::function::Function;
use super::options::Options;
use crate::define;
use crate::types::{ungroup, with_any_lifetimes};

pub(crate) fn test(
    function: &Function,
    attributes: &Attributes,
    options: &Options,
    definition: &Definition,
    bindings: &Bindings,
) -> TokenStream {
    let tdg = &options.tdg;
    let core = quote!(#tdg::__private::core);
    let Function {
        visibility, name, ..
    } = function;
    let (test_attributes, function_attributes) = (&attributes.test, &attributes.function);
    let user_function = function.definition();
    let site = site(function, tdg, &core);
    let checks = checks(definition, bindings, tdg);
    let takes = takes(function, bindings, tdg, &core);
    let definition = match definition {
        Definition::File { path, .. } => embedded(path, tdg, &core),
        Definition::Remote(id) => quote!(#tdg::DefinitionSource::remote(#id)),
        Definition::Type(kind) => {
            let derived = quote_spanned!(at(kind)=> <#kind as #tdg::Define>::definition());
            quote!(#tdg::__private::of_type(#derived))
        }
        Definition::Signature(definition) => {
            let composed = define::expand_definition(definition, tdg);
            quote!(#tdg::__private::in_signature(#composed))
        }
    };
    let settings = settings(options);
    let runtime = local("runtime");
    let start_runtime = function
        .asyncness
        .map(|_| quote!(let #runtime = #tdg::__private::runtime();));
    let test = quote! {
        #tdg::__private::test_at(#site, #takes)
            .definition(#definition)
            #settings
    };
    let run = run(function, bindings, test, tdg, &core);
    quote! {
        #(#test_attributes)*
        #[#core::prelude::v1::test]
        #visibility fn #name() {
            #(#function_attributes)*
            // The features dictate the parameters.
            #[allow(clippy::fn_params_excessive_bools, clippy::needless_pass_by_value, clippy::too_many_arguments)]
            #user_function
            #checks
            #start_runtime
            #run;
        }
    }
}

/// The features that the function takes, as far as its parameters say.
fn takes(
    function: &Function,
    bindings: &Bindings,
    tdg: &syn::Path,
    core: &TokenStream,
) -> TokenStream {
    let taken = quote!(#tdg::__private::Taken);
    let kind = function.parameters.first();
    let kind = kind.and_then(|parameter| parameter.kind.as_ref());
    // The parameter's lifetimes are not in scope here.
    let with_any_lifetimes = |kind: &Type| with_any_lifetimes(kind.to_token_stream());
    match (bindings, kind.map(ungroup)) {
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

/// A variable that neither sees nor is seen by the user's names.
fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

fn site(function: &Function, tdg: &syn::Path, core: &TokenStream) -> TokenStream {
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

/// `include_str!` makes the compiler rebuild the test when the file changes.
fn embedded(path: &LitStr, tdg: &syn::Path, core: &TokenStream) -> TokenStream {
    let from_root = LitStr::new(&format!("/{}", path.value()), path.span());
    quote! {
        #tdg::__private::embedded(
            #path,
            #core::include_str!(#core::concat!(#core::env!("CARGO_MANIFEST_DIR"), #from_root)),
        )
    }
}

/// Parameters that name no feature of a type are found by the compiler, which knows the type.
fn checks(definition: &Definition, bindings: &Bindings, tdg: &syn::Path) -> TokenStream {
    let (Definition::Type(kind), Bindings::Features(features)) = (definition, bindings) else {
        return TokenStream::new();
    };
    let check = |Feature { name, place, .. }: &Feature| {
        let kind_text = kind.to_token_stream().to_string().replace(' ', "");
        let message = format!("`{name}` is not a feature of `{kind_text}`");
        let check = quote! {
            #tdg::__private::check_feature(<#kind as #tdg::Define>::FEATURES, #name, #message)
        };
        let check = moved(check, place.span());
        quote!(const _: () = #check;)
    };
    features.iter().map(check).collect()
}

/// Makes the compiler report these tokens at that place; names keep their meaning.
fn moved(tokens: TokenStream, place: Span) -> TokenStream {
    let move_one = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), moved(group.stream(), place)).into();
        }
        token.set_span(token.span().located_at(place));
        token
    };
    tokens.into_iter().map(move_one).collect()
}

/// There, to the compiler's messages; a place of the macro's own, to the user's names.
fn at(place: &impl Spanned) -> Span {
    Span::mixed_site().located_at(place.span())
}

fn settings(options: &Options) -> TokenStream {
    let Options {
        tdg,
        name,
        size,
        seed,
        policy,
        threads,
        inputs,
        store,
        panics,
        keep,
        ..
    } = options;
    let name = name.iter();
    let size = size.iter();
    let seed = seed.iter();
    let threads = threads.iter();
    let inputs = inputs.iter();
    let store = store.iter();
    let panics = panics.iter();
    let keep = (!keep.is_empty()).then(|| quote!(.keep([#(#keep),*])));
    let policy = policy.settings(tdg);
    quote! {
        #(.name(#name))*
        #(.size(#size))*
        #(.seed(#seed))*
        #policy
        #(.threads(#threads))*
        #(.inputs(#inputs))*
        #(.store(#tdg::StoreKind::#store))*
        #(.panics(#tdg::Panics::#panics))*
        #keep
    }
}

/// The statement that runs the test.
fn run(
    function: &Function,
    bindings: &Bindings,
    test: TokenStream,
    tdg: &syn::Path,
    core: &TokenStream,
) -> TokenStream {
    let row = local("row");
    let vectors = local("vectors");
    // Traits that a parameter's type lacks are reported at the type.
    let type_of = |index: usize| {
        let kind = function
            .parameters
            .get(index)
            .and_then(|parameter| parameter.kind.as_ref());
        Span::mixed_site().located_at(kind.map_or_else(Span::call_site, Spanned::span))
    };
    let arguments = match bindings {
        Bindings::Features(features) => features
            .iter()
            .enumerate()
            .map(|(index, feature)| {
                let (position, name) = (feature.position, &feature.name);
                let bind = moved(quote!(#tdg::__private::bind), type_of(index));
                quote_spanned!(type_of(index)=> #bind(#row, #position, #name)?,)
            })
            .collect(),
        Bindings::FeatureOrRow(name) => {
            let bind = moved(quote!(#tdg::__private::feature_or_row), type_of(0));
            quote_spanned!(type_of(0)=> #bind(#row, #name)?)
        }
        Bindings::Row => {
            let bind = moved(quote!(#tdg::__private::whole_row), type_of(0));
            quote_spanned!(type_of(0)=> #bind(#row)?)
        }
        Bindings::RowItself => quote!(#row),
        Bindings::Rows => quote_spanned!(type_of(0)=> #vectors.bind()?),
        Bindings::RowSlice => quote_spanned!(type_of(0)=> &#vectors.bind()?),
    };
    let name = &function.name;
    let mut output = quote!(#name(#arguments));
    if function.asyncness.is_some() {
        let runtime = local("runtime");
        output = quote!(#tdg::__private::block_on(&#runtime, #output));
    }
    let ok = quote!(#core::result::Result::Ok);
    let probe = probe(function, tdg);
    let pass = local("pass");
    match bindings {
        Bindings::Rows | Bindings::RowSlice => {
            let outcomes = quote!(#ok(#tdg::__private::probe::outcomes(#output, #probe)));
            let pass = quote!(|#pass| #pass.vectors(|#vectors| #outcomes));
            quote!(#tdg::__private::run_vectors(#test, #pass))
        }
        _ => {
            let outcome = quote!(#ok(#tdg::__private::probe::outcome(#output, #probe)));
            let pass = quote!(|#pass| #pass.rows(|#row| #outcome));
            quote!(#tdg::__private::run_rows(#test, #pass))
        }
    }
}

/// From the returned value to its outcome. Traits that the returned type lacks are reported at it.
fn probe(function: &Function, tdg: &syn::Path) -> TokenStream {
    let returned = local("returned");
    let place = match function.output.clone().into_iter().nth(2) {
        Some(token) => Span::mixed_site().located_at(token.span()),
        None => Span::mixed_site(),
    };
    let path = quote!(#tdg::__private::probe);
    let argument = Ident::new("returned", place);
    let choice = quote_spanned!(place=> (&&&&#path::Probe::of(#argument)).tdg_outcome(#argument));
    quote! {
        |#returned| {
            use #path::*;
            #choice
        }
    }
}
