//! `#[ensemble_test]`.
//!
//! The macro parses the options and the function, reads the definition from a file or the
//! signature, binds the parameters to its features, and generates the test.

mod against;
mod argument;
mod attributes;
mod bindings;
mod checks;
mod conversion;
mod definition;
mod distribution;
mod expand;
mod fallback;
mod fixture;
mod fixtures;
mod function;
mod options;
mod output;
mod parameter;
mod policy;
mod require;
mod row_pass;
mod rows;
mod signature;
mod source;
#[cfg(test)]
mod tests;
mod tolerance;
mod values;

use std::path::Path;

use proc_macro2::TokenStream;

use self::attributes::Attributes;
use self::bindings::Bindings;
use self::definition::BoundDefinition;
use self::function::TestedFunction;
use self::options::AttributeOptions;
use crate::errors::Errors;

pub(crate) fn expand(
    arguments: TokenStream,
    item: TokenStream,
    package_root: Option<&Path>,
) -> TokenStream {
    let mut errors = Errors::default();
    let options = AttributeOptions::parse(arguments, &mut errors);
    let function: TestedFunction = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            errors.add(error);
            return fallback::item(&item, errors.into_error().as_ref());
        }
    };
    let attributes = Attributes::sort(&function.attributes, &mut errors);
    checks::check(&function, &options, &mut errors);
    checks::check_rows(&options, &mut errors);
    let definition = BoundDefinition::find(&function, &options, package_root, &mut errors);
    if let Some(definition) = &definition {
        definition.check_rows(&options.keep, &mut errors);
    }
    let bindings = definition.as_ref().and_then(|definition| {
        Bindings::find(&function, definition, options.batch.as_ref(), &mut errors)
    });
    if let Some(definition) = &definition {
        let bindings = bindings.as_ref();
        rows::check_columns(
            &function,
            &options,
            definition,
            bindings,
            package_root,
            &mut errors,
        );
    }
    match (definition, bindings, errors.into_error()) {
        (Some(definition), Some(bindings), None) => {
            expand::test(&function, &attributes, &options, &definition, &bindings)
        }
        (definition, _, error) => {
            let (definition, error) = (definition.as_ref(), error.as_ref());
            fallback::function(&function, &attributes, &options, definition, error)
        }
    }
}
