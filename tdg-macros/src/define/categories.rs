//! An enum, whose variants are categories.

use syn::parse::ParseStream;
use syn::{DataEnum, DeriveInput, Variant};
use tdg_definition::Definition;
use tdg_definition::json::{Pointer, Value};

use super::container::{Container, definers, distribution};
use super::maker::Maker;
use super::members::Members;
use super::notation::{members, share_evenly};
use super::serde::Serde;
use crate::errors::Errors;
use crate::places::Places;

/// The distribution, as JSON.
pub(crate) fn read(
    input: &DeriveInput,
    data: &DataEnum,
    container: &Container,
    errors: &mut Errors,
) -> Value {
    for reshaping in &container.serde.reshapes {
        errors.at(
            reshaping,
            "with this serde reads the enum from an object; a category is a string, \
             from which serde reads a variant by its name",
        );
    }
    let mut places = container.places.clone();
    let mut categories = Vec::new();
    for variant in &data.variants {
        let serde = Serde::read(&variant.attrs, errors);
        if serde.skip.is_none() {
            let name = container.serde.variant_name(&serde, &variant.ident);
            let pointer = distribution()
                .child("categories")
                .child(categories.len().to_string());
            categories.push(category(variant, name, &pointer, &mut places, errors));
        }
    }
    if categories.is_empty() {
        errors.at(&input.ident, "an enum without variants has no categories");
        places.silence(distribution());
    }
    share_evenly(&mut categories);
    let mut members = container.members.clone();
    members.insert("type".to_owned(), Value::from("categorical"));
    members.insert("categories".to_owned(), Value::Array(categories));
    let distribution = Value::Object(members);
    check(&distribution, input, &places, errors);
    distribution
}

fn category(
    variant: &Variant,
    name: String,
    pointer: &Pointer,
    places: &mut Places,
    errors: &mut Errors,
) -> Value {
    if !variant.fields.is_empty() {
        errors.at(
            &variant.fields,
            "a category is a name alone, so a variant can't have fields; \
             make the value in the test, of single parameters",
        );
    }
    places.add(pointer.clone(), &variant.ident);
    let mut found = Members::new();
    let mut attributes = variant.attrs.clone();
    if let Some(maker) = Maker::take(&mut attributes, errors) {
        errors.at(
            maker.place(),
            format!(
                "serde makes a variant of its name; `{}` is for a parameter, or a field of a struct",
                maker.word()
            ),
        );
    }
    for attribute in definers(&attributes, errors) {
        let read = attribute.parse_args_with(|input: ParseStream<'_>| {
            members(input, pointer, &mut found, places, errors);
            Ok(())
        });
        errors.keep(read);
    }
    for key in ["rename", "name", "value"] {
        if let Some(value) = found.remove(key) {
            errors.at(
                places.tokens(&pointer.child(key)),
                format!(
                    "rows are read into this enum by serde, and categories have the names that it \
                     knows; write #[serde(rename = {value})]"
                ),
            );
        }
    }
    found.insert("value".to_owned(), Value::from(name));
    Value::Object(found)
}

fn check(distribution: &Value, input: &DeriveInput, places: &Places, errors: &mut Errors) {
    let feature = Value::object([
        ("type", Value::from("STRING")),
        ("distribution", distribution.clone()),
    ]);
    let definition = Value::object([("features", Value::from(vec![feature]))]);
    if let Err(faults) = Definition::from_value(&definition) {
        places.report(&faults, &input.ident, errors);
    }
}
