//! The expansion of a wrong attribute: the errors and the unchanged function, so that editors keep
//! working and nothing else seems to be missing.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Path, Type};

use super::attributes::Attributes;
use super::definition::BoundDefinition;
use super::function::TestedFunction;
use super::options::AttributeOptions;
use crate::define::Maker;
use crate::types::ungroup;

pub(crate) fn function(
    function: &TestedFunction,
    attributes: &Attributes,
    options: &AttributeOptions,
    definition: Option<&BoundDefinition>,
    error: Option<&syn::Error>,
) -> TokenStream {
    let errors = error.map(syn::Error::to_compile_error);
    // `ignore` only has a meaning on a test.
    let kept = attributes
        .test
        .iter()
        .chain(&attributes.function)
        .filter(|attribute| !attribute.path().is_ident("ignore"));
    let visibility = &function.visibility;
    let definition = function.definition(&uses(function, options, definition));
    quote! {
        #errors
        #(#kept)*
        #[allow(unused)]
        #visibility #definition
    }
}

/// Uses the names in the attribute, so that their imports aren't reported as unused.
fn uses(
    function: &TestedFunction,
    options: &AttributeOptions,
    definition: Option<&BoundDefinition>,
) -> TokenStream {
    let against = options.against.as_ref().map(|it| &it.path);
    let makers = function.parameters.iter().flat_map(|it| &it.maker);
    let functions = against.into_iter().chain(makers.filter_map(Maker::path));
    let functions = functions.filter(|path| path.qself.is_none());
    let (row, constants) = match definition {
        Some(BoundDefinition::Type(kind)) => (path_of(kind), Vec::new()),
        Some(BoundDefinition::Signature(definition)) => (None, definition.constants().collect()),
        _ => (None, Vec::new()),
    };
    let names = functions
        .map(|it| &it.path)
        .chain(row)
        .filter_map(first_name);
    let options = options.expressions();
    quote! {
        #(#[allow(unused_imports)] use #names as _;)*
        #(let _ = || #constants;)*
        #(let _ = || #options;)*
    }
}

fn path_of(kind: &Type) -> Option<&Path> {
    match ungroup(kind) {
        Type::Path(it) if it.qself.is_none() => Some(&it.path),
        _ => None,
    }
}

/// Returns the first name of a path, if it may be imported.
fn first_name(path: &Path) -> Option<&Ident> {
    let name = &path.segments.first()?.ident;
    let mut roots = ["crate", "self", "super", "Self"].iter();
    let is_root = path.leading_colon.is_some() || roots.any(|root| name == root);
    (!is_root).then_some(name)
}

/// Expands an item that isn't a function.
pub(crate) fn item(item: &TokenStream, error: Option<&syn::Error>) -> TokenStream {
    let errors = error.map(syn::Error::to_compile_error);
    quote!(#errors #item)
}
