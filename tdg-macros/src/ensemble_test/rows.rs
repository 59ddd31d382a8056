//! `rows = "cases.csv"`: rows of a file, whose columns are known at compile time.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use syn::LitStr;
use tdg_definition::nearest;
use tdg_definition::table::{self, Table};

use super::bindings::{BindableFeature, Bindings};
use super::definition::BoundDefinition;
use super::function::TestedFunction;
use super::options::AttributeOptions;
use crate::errors::Errors;
use crate::types::{feature_type, in_option, text};

/// Reports features that are not columns of the file.
pub(super) fn check_columns(
    function: &TestedFunction,
    options: &AttributeOptions,
    definition: &BoundDefinition,
    bindings: Option<&Bindings>,
    package_root: Option<&Path>,
    errors: &mut Errors,
) {
    let (Some(path), Some(root)) = (&options.rows, package_root) else {
        return;
    };
    let Some(names) = errors.keep(columns(path, root)) else {
        return;
    };
    let shown = path.value();
    let missing = |name: &str| {
        let columns = || names.iter().map(String::as_str);
        if columns().any(|column| column == name) {
            return None;
        }
        let hint = match nearest(name, columns()) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("found: {}", columns().collect::<Vec<_>>().join(", ")),
        };
        Some(format!("`{name}` is not a column of `{shown}`\n  {hint}"))
    };
    let mut reported = Vec::new();
    if let Some(Bindings::Features(features)) = bindings {
        for BindableFeature { name, place, .. } in features {
            if let Some(mut problem) = missing(name) {
                if let BoundDefinition::Signature(_) = definition {
                    problem += &hint_at_row(function, name);
                }
                errors.at(place, problem);
                reported.push(name.as_str());
            }
        }
    }
    if let BoundDefinition::File { path, features, .. } = definition {
        let others = features.iter().map(|feature| feature.name());
        let others = others.filter(|name| !reported.contains(name));
        let mut others = others.filter_map(|name| Some((name, missing(name)?)));
        if let Some((_, mut problem)) = others.next() {
            let more: Vec<&str> = others.map(|(name, _)| name).collect();
            if !more.is_empty() {
                problem += &format!("\n  nor are `{}`", more.join("`, `"));
            }
            errors.add(syn::Error::new(path.span(), problem));
        }
    }
}

/// Returns the names of the file's columns.
fn columns(path: &LitStr, root: &Path) -> syn::Result<Vec<String>> {
    let shown = path.value();
    let wrong = |problem: String| syn::Error::new(path.span(), problem);
    let file = root.join(&shown);
    let bytes = std::fs::read(&file).map_err(|error| {
        let problem = match error.kind() {
            std::io::ErrorKind::NotFound => format!("can't find the file `{shown}`"),
            _ => format!("`{shown}` can't be read: {error}"),
        };
        wrong(format!(
            "{problem}\n  looked for: {}\n  \
             the path starts at the package's root, where Cargo.toml is",
            file.display()
        ))
    })?;
    let names = table::text(&shown, &bytes)
        .and_then(|text| Table::names_in(&text, table::delimiter(&shown)));
    names.map_err(|error| wrong(format!("`{shown}`: {error}")))
}

/// Adds a hint that a parameter with another type may take a whole row.
fn hint_at_row(function: &TestedFunction, name: &str) -> String {
    let parameter = function
        .of_row()
        .find(|it| it.name().as_deref() == Some(name));
    let kind = parameter.and_then(|parameter| parameter.kind.as_ref());
    match kind {
        Some(kind) if feature_type(in_option(kind).unwrap_or(kind)).is_none() => {
            let kind = text(kind);
            format!(
                "\n  if `{kind}` is a whole row, derive `Define` for it, and write definition = {kind}"
            )
        }
        _ => String::new(),
    }
}

/// Makes the compiler rebuild the test when the file changes, since its header was read.
pub(super) fn tracked(options: &AttributeOptions) -> Option<TokenStream> {
    let (tdg, path) = (&options.tdg, options.rows.as_ref()?);
    let core = quote!(#tdg::__private::core);
    let from_root = LitStr::new(&format!("/{}", path.value()), path.span());
    Some(quote! {
        const _: &[#core::primitive::u8] = #core::include_bytes!(
            #core::concat!(#core::env!("CARGO_MANIFEST_DIR"), #from_root)
        );
    })
}
