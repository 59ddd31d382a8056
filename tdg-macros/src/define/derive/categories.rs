//! Enums whose variants are categories.

use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{DataEnum, DeriveInput, Variant};
use tdg_definition::json::Value;

use crate::define::container::{Container, definers, distribution};
use crate::define::definition::CodeFeature;
use crate::define::json_part::JsonPart;
use crate::define::maker::Maker;
use crate::define::members::Members;
use crate::define::notation::{members, share_evenly};
use crate::define::serde::Serde;
use crate::errors::Errors;

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
        let mut part = JsonPart::new(pointer, &mut places, errors);
        categories.push(category(variant, name, &mut part));
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

fn category(variant: &Variant, name: String, part: &mut JsonPart<'_>) -> Value {
    part.add(&variant.ident);
    let mut found = members_of(variant, part);
    found.insert("value", Value::from(name));
    Value::Object(found)
}

/// Returns the members of a variant, without its name and its fields.
pub(super) fn members_of(variant: &Variant, part: &mut JsonPart<'_>) -> Members {
    let mut found = Members::new();
    let mut attributes = variant.attrs.clone();
    if let Some(maker) = Maker::take(&mut attributes, part.errors) {
        part.errors.at(
            maker.place(),
            format!(
                "serde builds a variant from its name; `{}` is for a parameter, or a field of a \
                 struct",
                maker.word()
            ),
        );
    }
    for attribute in definers(&attributes, part.errors) {
        let read = attribute.parse_args_with(|input: ParseStream<'_>| {
            members(input, &mut found, part);
            Ok(())
        });
        part.errors.keep(read);
    }
    for key in ["rename", "name", "value", "variant"] {
        if let Some(value) = found.remove(key) {
            part.errors.at(
                part.places.tokens(&part.pointer.child(key)),
                format!(
                    "serde reads rows into this enum, so variants have the names that it knows; \
                     write #[serde(rename = {value})]"
                ),
            );
        }
    }
    found
}
