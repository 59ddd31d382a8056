//! Enums whose variants are categories.

use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{DataEnum, DeriveInput, Variant};
use tdg_definition::json::{Pointer, Value};

use crate::define::container::{Container, definers, distribution};
use crate::define::definition::CodeFeature;
use crate::define::maker::Maker;
use crate::define::members::Members;
use crate::define::notation::{members, share_evenly};
use crate::define::serde::Serde;
use crate::errors::Errors;
use crate::source_places::Places;

/// Reads the feature of the enum's values.
pub(crate) fn read(
    input: &DeriveInput,
    data: &DataEnum,
    container: &Container,
    errors: &mut Errors,
) -> CodeFeature {
    let mut places = container.places.clone();
    let mut categories = Vec::new();
    for (variant, serde) in read_by_serde(data, errors) {
        let name = container.serde.variant_name(&serde, &variant.ident);
        let pointer = distribution()
            .child("categories")
            .child(categories.len().to_string());
        categories.push(category(variant, name, &pointer, &mut places, errors));
    }
    if categories.is_empty() {
        errors.at(&input.ident, "an enum without variants has no categories");
        places.silence(distribution());
    }
    share_evenly(&mut categories);
    let mut members = container.members.clone();
    members.insert("type", Value::from("categorical"));
    members.insert("categories", Value::Array(categories));
    let name = input.ident.unraw().to_string();
    let mut feature = CodeFeature::drawn(name, "STRING", members);
    feature.check(&input.ident, &places, errors);
    feature
}

/// Returns the variants that serde doesn't skip, with its attributes.
pub(super) fn read_by_serde<'a>(
    data: &'a DataEnum,
    errors: &mut Errors,
) -> Vec<(&'a Variant, Serde)> {
    let variants = data.variants.iter();
    let variants = variants.map(|variant| (variant, Serde::read(&variant.attrs, errors)));
    variants.filter(|(_, serde)| serde.skip.is_none()).collect()
}

fn category(
    variant: &Variant,
    name: String,
    pointer: &Pointer,
    places: &mut Places,
    errors: &mut Errors,
) -> Value {
    places.add(pointer.clone(), &variant.ident);
    let mut found = members_of(variant, pointer, places, errors);
    found.insert("value", Value::from(name));
    Value::Object(found)
}

/// Returns the members of a variant, without its name and its fields.
pub(super) fn members_of(
    variant: &Variant,
    pointer: &Pointer,
    places: &mut Places,
    errors: &mut Errors,
) -> Members {
    let mut found = Members::new();
    let mut attributes = variant.attrs.clone();
    if let Some(maker) = Maker::take(&mut attributes, errors) {
        errors.at(
            maker.place(),
            format!(
                "serde builds a variant from its name; `{}` is for a parameter, or a field of a \
                 struct",
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
    for key in ["rename", "name", "value", "variant"] {
        if let Some(value) = found.remove(key) {
            errors.at(
                places.tokens(&pointer.child(key)),
                format!(
                    "serde reads rows into this enum, so variants have the names that it knows; \
                     write #[serde(rename = {value})]"
                ),
            );
        }
    }
    found
}
