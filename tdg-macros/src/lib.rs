//! `#[ensemble_test]`, the attribute of [tdg](https://docs.rs/tdg), where it is documented.
//!
//! One phase, one file: the options and the function are parsed, the definition is read, the
//! parameters are bound to its features, and the test is written. All errors on the way are
//! reported together.

mod attributes;
mod bindings;
mod definition;
mod errors;
mod expand;
mod fallback;
mod function;
mod literal;
mod options;
mod parameter;
#[cfg(test)]
mod tests;
mod tolerance;
mod types;

use std::path::Path;

use proc_macro2::TokenStream;

use crate::attributes::Attributes;
use crate::bindings::Bindings;
use crate::definition::Definition;
use crate::errors::Errors;
use crate::function::Function;
use crate::options::Options;

// Documented where it is re-exported: as `tdg::ensemble_test`.
#[allow(missing_docs)]
#[proc_macro_attribute]
pub fn ensemble_test(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let package_root = definition::package_root();
    expand(arguments.into(), item.into(), package_root.as_deref()).into()
}

fn expand(arguments: TokenStream, item: TokenStream, package_root: Option<&Path>) -> TokenStream {
    let mut errors = Errors::default();
    let options = Options::parse(arguments, &mut errors);
    let function: Function = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            errors.add(error);
            return fallback::item(&item, errors.into_error().as_ref());
        }
    };
    let attributes = Attributes::sort(&function.attributes, &mut errors);
    function.check(&options, &mut errors);
    let definition = options
        .definition
        .as_ref()
        .and_then(|path| errors.keep(Definition::read(path, package_root)));
    let bindings = definition.as_ref().and_then(|definition| {
        Bindings::find(&function, definition, options.batch.as_ref(), &mut errors)
    });
    match (definition, bindings, errors.into_error()) {
        (Some(definition), Some(bindings), None) => {
            expand::test(&function, &attributes, &options, &definition, &bindings)
        }
        (.., error) => fallback::function(&function, &attributes, error.as_ref()),
    }
}
