//! Structs whose fields are features.

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{DataStruct, DeriveInput, Field, Fields, Ident};
use tdg_definition::json::Pointer;

use crate::define::container::{Container, definers};
use crate::define::definition::{CodeDefinition, CodeFeature};
use crate::define::json_part::JsonPart;
use crate::define::maker::Maker;
use crate::define::origin::{FeatureOrigin, Written};
use crate::define::serde::Serde;
use crate::errors::Errors;
use crate::source_places::Places;

pub(crate) fn read(
    input: &DeriveInput,
    data: &DataStruct,
    container: &Container,
    errors: &mut Errors,
) -> CodeDefinition {
    let name = input.ident.unraw().to_string();
    let mut definition = CodeDefinition::new(&name, container.members.clone());
    definition.is_part = true;
    let Fields::Named(fields) = &data.fields else {
        errors.at(
            &input.ident,
            "features have names, so the fields need names: struct Order { amount: f64 }",
        );
        return definition;
    };
    let mut places = container.places.clone();
    for field in &fields.named {
        let Some(name) = &field.ident else { continue };
        let serde = Serde::read(&field.attrs, errors);
        if is_read(field, &serde, errors) {
            let name = (name, container.serde.field_name(&serde, name));
            add(&mut definition, field, name, &mut places, errors);
        }
    }
    if definition.features.is_empty() {
        errors.at(
            &input.ident,
            "a definition needs at least one feature, but this has no fields",
        );
        places.silence(Pointer::root().child("features"));
    }
    definition.check(&input.ident, &places, errors);
    definition
}

/// Adds the feature of a field with these names, in the source and in rows.
fn add(
    definition: &mut CodeDefinition,
    field: &Field,
    (name, feature_name): (&Ident, String),
    places: &mut Places,
    errors: &mut Errors,
) {
    let mut attributes = field.attrs.clone();
    let mut mistakes = Errors::default();
    let maker = Maker::take(&mut attributes, &mut mistakes);
    let maker = maker.as_ref();
    if let Some(mistake) = mistakes.into_error() {
        errors.add(mistake);
        // Other mistakes in the feature may result from this one.
        places.silence(definition.next());
    }
    let origin = FeatureOrigin {
        place: name.to_token_stream(),
        kind: &maker.map_or_else(|| field.ty.clone(), |maker| maker.drawn(&field.ty)),
        maker,
        attributes: &attributes,
        written: Written::Field,
    };
    definition.add(feature_name, &origin, places, errors);
}

/// Returns true if serde reads the field from a row as one value.
pub(super) fn is_read(field: &Field, serde: &Serde, errors: &mut Errors) -> bool {
    if let Some(flatten) = &serde.flatten {
        errors.at(
            flatten,
            "this derive can't see the fields that `flatten` adds; write them here, or remove \
             `flatten`: the field is then an object in each row",
        );
        return false;
    }
    let Some(skip) = &serde.skip else { return true };
    for attribute in definers(&field.attrs, errors) {
        errors.at(
            attribute,
            format!(
                "serde skips this field, so it is not a feature; remove this or `{}`",
                skip.to_token_stream()
            ),
        );
    }
    false
}

/// Reads a field that is written as its bare value: of a variant, or the only one of a struct.
pub(super) fn read_value(field: &Field, name: String, mut part: JsonPart<'_>) -> CodeFeature {
    let mut attributes = field.attrs.clone();
    if let Some(maker) = Maker::take(&mut attributes, part.errors) {
        part.errors.at(
            maker.place(),
            format!(
                "serde reads this field itself; `{}` is for a parameter, or a field of a struct with \
                 names",
                maker.word()
            ),
        );
    }
    let place = match &field.ident {
        Some(name) => name.to_token_stream(),
        None => field.ty.to_token_stream(),
    };
    part.add(&place);
    let origin = FeatureOrigin {
        place,
        kind: &field.ty,
        maker: None,
        attributes: &attributes,
        written: Written::Field,
    };
    CodeFeature::read_part(name, &origin, part)
}
