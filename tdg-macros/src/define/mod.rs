//! `#[derive(Define)]`, and the definition in a test's signature.
//!
//! The attributes become the equivalent JSON, with the place of every part. The JSON is checked
//! like a file, and each fault is reported at its place. Only `tdg_definition` knows the language,
//! so a distribution added there can be derived.

mod alias;
mod any;
mod budget;
mod bytes;
mod components;
mod constant;
mod container;
mod definition;
mod derive;
mod drawn_type;
mod json_part;
mod list;
mod maker;
mod map;
mod members;
mod notation;
mod origin;
mod parts;
mod range;
mod reference;
mod relations;
mod serde;
#[cfg(test)]
mod tests;
mod tuple;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DataStruct, DeriveInput};

use self::container::Container;
pub(crate) use self::container::member;
use self::definition::CodeFeature;
pub(crate) use self::definition::{CodeDefinition, example};
pub(crate) use self::derive::expand::definition as expand_definition;
pub(crate) use self::drawn_type::DrawnType;
pub(crate) use self::maker::Maker;
pub(crate) use self::maker::constructor::MadeValue;
pub(crate) use self::members::Members;
pub(crate) use self::origin::{FeatureOrigin, Written};
pub(crate) use self::parts::may_be_derived;
pub(crate) use self::relations::FeatureNames;
use crate::errors::Errors;
use derive::{categories, deserialize, enum_variants, expand, newtype, struct_fields};

pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut errors = Errors::default();
    errors.at_generics(&input.generics, |what, name| {
        format!(
            "the definition is checked at compile time, when the {what} `{name}` is unknown; \
             write a struct without it"
        )
    });
    if let Some(error) = errors.take() {
        return error.to_compile_error();
    }
    let container = Container::read(&input, &mut errors);
    let implementation = match &input.data {
        Data::Struct(data) => match newtype::field_of(data, &container) {
            Some(field) => {
                let feature = newtype::read(&input, field, &container, &mut errors);
                part(&input, &container, &feature, &mut errors)
            }
            None => definition(&input, data, &container, &mut errors),
        },
        Data::Enum(data) => {
            let feature = match enum_variants::are_next(data, &container) {
                true => enum_variants::read(&input, data, &container, &mut errors),
                false => categories::read(&input, data, &container, &mut errors),
            };
            part(&input, &container, &feature, &mut errors)
        }
        Data::Union(data) => {
            errors.at(
                data.union_token,
                "can't derive `Define` for a union; it is for structs with named \
                 fields, which are features, and for enums, whose variants are categories",
            );
            TokenStream::new()
        }
    };
    match errors.into_error() {
        // The implementation stays, so that its absence doesn't cause errors at every use.
        Some(error) => {
            let errors = error.to_compile_error();
            quote!(#errors #implementation)
        }
        None => implementation,
    }
}

/// Expands a struct whose fields are features.
fn definition(
    input: &DeriveInput,
    data: &DataStruct,
    container: &Container,
    errors: &mut Errors,
) -> TokenStream {
    let definition = struct_fields::read(input, data, container, errors);
    let read = deserialize::implementation(input, data, container, &definition, errors);
    let parts = definition
        .features
        .iter()
        .flat_map(CodeFeature::drawn_by_types);
    budget::check(input, &container.budget, parts, errors);
    let implementation = expand::define(input, container, &definition);
    quote!(#implementation #read)
}

/// Expands a type whose values are a feature's.
fn part(
    input: &DeriveInput,
    container: &Container,
    feature: &CodeFeature,
    errors: &mut Errors,
) -> TokenStream {
    budget::check(input, &container.budget, feature.drawn_by_types(), errors);
    expand::part(input, container, feature)
}
