//! Enums with data: each variant with the values of its fields.

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{DataEnum, DeriveInput, Field, Fields, Variant};
use tdg_definition::json::{Pointer, Value};

use super::categories;
use super::struct_fields::{is_read, read_value};
use crate::define::alias::TypedPart;
use crate::define::container::{Container, distribution};
use crate::define::definition::CodeFeature;
use crate::define::json_part::JsonPart;
use crate::define::members::Members;
use crate::define::serde::Serde;
use crate::errors::Errors;
use crate::source_places::Places;
use crate::types::text;

/// Returns true if a variant has data, or if serde writes the enum in another form.
pub(crate) fn are_next(data: &DataEnum, container: &Container) -> bool {
    let mut variants = data.variants.iter();
    container.serde.form().next().is_some() || variants.any(|it| !matches!(it.fields, Fields::Unit))
}

/// Reads the feature of the enum's values.
pub(crate) fn read(
    input: &DeriveInput,
    data: &DataEnum,
    container: &Container,
    errors: &mut Errors,
) -> CodeFeature {
    let found = categories::read_by_serde(data, errors);
    let mut reader = VariantReader {
        container,
        places: container.places.clone(),
        errors,
        parts: Vec::new(),
    };
    let list = distribution().child("variants");
    let variants = found.iter().enumerate().map(|(number, (variant, serde))| {
        reader.variant(variant, serde, list.child(number.to_string()))
    });
    let variants: Vec<Value> = variants.collect();
    let VariantReader {
        mut places, parts, ..
    } = reader;
    if variants.is_empty() {
        errors.at(&input.ident, "an enum without variants has no values");
        places.silence(distribution());
    }
    let mut drawn = container.members.clone();
    drawn.insert("type", Value::from("variant"));
    drawn.insert("variants", Value::Array(variants));
    let name = input.ident.unraw().to_string();
    // The form is only checked against a derived type when the type is drawn.
    let mut drawn_by_types = parts.iter().filter(|it| it.is_drawn);
    let is_derived = drawn_by_types.any(|it| it.at.depth() == VARIANT_DEPTH);
    let mut feature = CodeFeature::drawn(name, "VARIANT", drawn);
    feature.parts = parts;
    if is_derived {
        feature.check(&input.ident, &places, errors);
    }
    if let Some(Value::Object(drawn)) = feature.members.get_mut("distribution") {
        for (member, value, tokens) in container.serde.form() {
            places.add(distribution().child(member), tokens);
            drawn.insert(member, value);
        }
    }
    if !is_derived {
        feature.check(&input.ident, &places, errors);
    }
    feature
}

/// The depth of the place `/distribution/variants/0`.
const VARIANT_DEPTH: usize = 3;

struct VariantReader<'a> {
    container: &'a Container,
    places: Places,
    errors: &'a mut Errors,
    parts: Vec<TypedPart>,
}

impl VariantReader<'_> {
    /// Returns the variant as JSON. The pointer is its place in the definition.
    fn variant(&mut self, variant: &Variant, serde: &Serde, pointer: Pointer) -> Value {
        let mut part = JsonPart::new(pointer.clone(), &mut self.places, self.errors);
        part.add(&variant.ident);
        let stated = categories::members_of(variant, &mut part);
        let mut members = match &variant.fields {
            _ if self.draws(variant, &stated, &pointer) => Members::new(),
            Fields::Unit => Members::new(),
            fields if fields.is_empty() => {
                let (name, brackets) = (&variant.ident, text(fields));
                let problem = format!("`{name}` has no fields, so write it without `{brackets}`");
                self.errors.at(fields, problem);
                Members::new()
            }
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                self.field(&fields.unnamed[0], &pointer, String::new())
            }
            fields => self.fields(fields, serde, &pointer),
        };
        for (name, value) in stated {
            members.insert(name, value);
        }
        let name = self.container.serde.variant_name(serde, &variant.ident);
        members.insert("variant", Value::from(name));
        Value::Object(members)
    }

    /// Returns true if the variant itself has a distribution, instead of its fields.
    fn draws(&mut self, variant: &Variant, stated: &Members, pointer: &Pointer) -> bool {
        let mut names = ["distribution", "type", "null_probability"].into_iter();
        let Some(name) = names.find(|name| stated.contains_key(name)) else {
            return false;
        };
        let written = self.places.tokens(&pointer.child(name));
        let place = match written.is_empty() {
            true => variant.ident.to_token_stream(),
            false => written,
        };
        self.errors.at(
            place,
            "write how a value is drawn before its field, `Push(#[define(any)] i64)`, and the \
             `probability` before the variant",
        );
        self.places.silence(pointer.clone());
        true
    }

    /// Reads several fields: an object, or a tuple if they are unnamed.
    fn fields(&mut self, fields: &Fields, variant: &Serde, pointer: &Pointer) -> Members {
        let mut features = Vec::new();
        for field in fields {
            let serde = Serde::read(&field.attrs, self.errors);
            if !is_read(field, &serde, self.errors) {
                continue;
            }
            let at = pointer.child("distribution").child("features");
            let at = at.child(features.len().to_string());
            let container = &self.container.serde;
            let name = field.ident.as_ref();
            let name = name.map(|name| container.field_of_variant(variant, &serde, name));
            let mut feature = self.field(field, &at, name.clone().unwrap_or_default());
            if let Some(name) = name {
                feature.insert("feature_name", Value::from(name));
            }
            features.push(Value::Object(feature));
        }
        if features.is_empty() {
            self.places.silence(pointer.clone());
        }
        let mut object = Members::new();
        object.insert("type", Value::from("object"));
        object.insert("features", Value::Array(features));
        if let Fields::Unnamed(_) = fields {
            object.insert("form", Value::from("array"));
        }
        let mut members = Members::new();
        members.insert("type", Value::from("OBJECT"));
        members.insert("distribution", Value::Object(object));
        members
    }

    fn field(&mut self, field: &Field, pointer: &Pointer, name: String) -> Members {
        let part = JsonPart::new(pointer.clone(), &mut self.places, self.errors);
        let mut feature = read_value(field, name, part);
        self.parts.append(&mut feature.parts);
        feature.members.remove("feature_name");
        feature.members
    }
}
