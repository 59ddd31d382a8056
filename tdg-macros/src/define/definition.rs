//! A struct, whose fields are features.

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{DataStruct, DeriveInput, Field, Fields, Ident, Type};
use tdg_definition::FeatureType;
use tdg_definition::json::{Pointer, Value};

use super::container::{Container, definers, is_feature};
use super::notation::{Members, members};
use super::serde::Serde;
use crate::errors::Errors;
use crate::places::Places;
use crate::types::{feature_type, in_option, text, ungroup};

pub(crate) struct Definition {
    /// The definition without its features.
    pub(crate) members: Members,
    pub(crate) features: Vec<Feature>,
}

pub(crate) struct Feature {
    pub(crate) name: String,
    /// As JSON; without a distribution where an enum has it.
    pub(crate) members: Members,
    /// The enum whose variants are the categories.
    pub(crate) categories: Option<Type>,
}

pub(crate) fn read(
    input: &DeriveInput,
    data: &DataStruct,
    container: &Container,
    errors: &mut Errors,
) -> Definition {
    let mut definition = Definition {
        members: container.members.clone(),
        features: Vec::new(),
    };
    let name = input.ident.unraw().to_string();
    let named = &mut definition.members;
    named.get_or_insert_with("definition_name", || Value::from(name));
    let Fields::Named(fields) = &data.fields else {
        errors.at(
            &input.ident,
            "features have names, and so must the fields: struct Order { amount: f64 }",
        );
        return definition;
    };
    let mut places = container.places.clone();
    for field in &fields.named {
        let Some(name) = &field.ident else { continue };
        let serde = Serde::read(&field.attrs, errors);
        if is_read(field, &serde, errors) {
            let position = definition.features.len();
            let pointer = Pointer::root()
                .child("features")
                .child(position.to_string());
            places.add(pointer.clone(), name);
            let feature_name = container.serde.field_name(&serde, name);
            if definition.has(&feature_name) {
                errors.at(
                    name,
                    format!(
                        "another feature is named `{feature_name}` already; rows are read by names"
                    ),
                );
                places.silence(pointer.child("feature_name"));
            }
            let mut reader = Reader {
                field,
                name,
                pointer,
                places: &mut places,
                errors,
            };
            let feature = reader.read(feature_name);
            definition.features.push(feature);
        }
    }
    if definition.features.is_empty() {
        errors.at(
            &input.ident,
            "a definition has at least one feature, and this has no field",
        );
        places.silence(Pointer::root().child("features"));
    }
    definition.check(input, &places, errors);
    definition
}

impl Definition {
    fn has(&self, name: &str) -> bool {
        self.features.iter().any(|feature| feature.name == name)
    }

    fn check(&self, input: &DeriveInput, places: &Places, errors: &mut Errors) {
        let mut whole = self.members.clone();
        let features = self.features.iter().map(Feature::standing_in).collect();
        whole.insert("features".to_owned(), Value::Array(features));
        if let Err(faults) = tdg_definition::Definition::from_value(&Value::Object(whole)) {
            places.report(&faults, &input.ident, errors);
        }
    }
}

impl Feature {
    /// With stand-ins for categories that are not known yet; two, as one leaves nothing to relate.
    fn standing_in(&self) -> Value {
        let mut members = self.members.clone();
        if self.categories.is_some() {
            let category = |value: &str| {
                Value::object([
                    ("value", Value::from(value)),
                    ("probability", Value::from(0.5)),
                ])
            };
            let distribution = Value::object([
                ("type", Value::from("categorical")),
                (
                    "categories",
                    Value::from(vec![category("one"), category("other")]),
                ),
            ]);
            members.insert("distribution".to_owned(), distribution);
        }
        Value::Object(members)
    }
}

/// Whether serde reads the field from a row, as one value.
fn is_read(field: &Field, serde: &Serde, errors: &mut Errors) -> bool {
    if let Some(flatten) = serde.reshapes.iter().find(|path| path.is_ident("flatten")) {
        errors.at(
            flatten,
            "a definition is one flat list of features; write the fields of the inner struct here",
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

/// The type by which the distribution draws dates or times, if it can't draw other text.
fn calendar_type(members: &Members) -> Option<(FeatureType, &'static str)> {
    let distribution = members.get("distribution")?;
    let is_drawn = |kind: FeatureType| {
        let feature = Value::object([
            ("type", Value::from(kind.name())),
            ("distribution", distribution.clone()),
        ]);
        let definition = Value::object([("features", Value::from(vec![feature]))]);
        tdg_definition::Definition::from_value(&definition).is_ok()
    };
    let kinds = [
        (FeatureType::Date, "dates"),
        (FeatureType::DateTime, "times"),
    ];
    kinds
        .into_iter()
        .find(|(kind, _)| is_drawn(*kind) && !is_drawn(FeatureType::String))
}

struct Reader<'a> {
    field: &'a Field,
    name: &'a Ident,
    pointer: Pointer,
    places: &'a mut Places,
    errors: &'a mut Errors,
}

impl Reader<'_> {
    fn read(&mut self, feature_name: String) -> Feature {
        let mut feature = Feature {
            members: self.members(),
            name: feature_name,
            categories: None,
        };
        self.refuse_names(&mut feature.members);
        self.find_type(&mut feature);
        let name = Value::from(feature.name.as_str());
        feature.members.insert("feature_name".to_owned(), name);
        feature
    }

    fn members(&mut self) -> Members {
        let mut found = Members::new();
        for attribute in definers(&self.field.attrs, self.errors) {
            let read = attribute.parse_args_with(|input: ParseStream<'_>| {
                members(input, &self.pointer, &mut found, self.places, self.errors);
                Ok(())
            });
            self.errors.keep(read);
        }
        found
    }

    fn refuse_names(&mut self, members: &mut Members) {
        for key in ["rename", "name", "feature_name"] {
            if let Some(name) = members.remove(key) {
                let at = self.pointer.child(key);
                let place = self.places.tokens(&at);
                self.errors.at(
                    place,
                    format!(
                        "rows are read into this struct by serde, and features have the names that \
                         it knows; write #[serde(rename = {name})]"
                    ),
                );
            }
        }
    }

    /// From `type = …`, else from the field's own type; a type with an unknown name is an enum.
    fn find_type(&mut self, feature: &mut Feature) {
        let kind = ungroup(&self.field.ty);
        let is_stated = feature.members.contains_key("type");
        let has_distribution = feature.members.contains_key("distribution");
        if !is_stated && in_option(kind).is_none() {
            self.refuse_null(kind, &feature.members);
        }
        let value = in_option(kind).unwrap_or(kind);
        let inferred = feature_type(value);
        if !is_stated
            && inferred == Some(FeatureType::String)
            && let Some((calendar, what)) = calendar_type(&feature.members)
        {
            let place = self.places.tokens(&self.pointer.child("distribution"));
            self.refuse(
                place,
                format!(
                    "a STRING can't be drawn from this distribution, but these are {what}: write \
                     #[define(type = {calendar}, …)]"
                ),
            );
            return;
        }
        match inferred {
            _ if is_stated => {}
            Some(inferred) => {
                let name = Value::from(inferred.name());
                feature.members.insert("type".to_owned(), name);
                self.places.add(self.pointer.child("type"), value);
            }
            None if has_distribution => self.refuse(
                value,
                format!(
                    "the type of the values of `{}` is unknown; write #[define(type = FLOAT, …)], \
                 or another of {}",
                    self.name,
                    FeatureType::ALL.map(FeatureType::name).join(", "),
                ),
            ),
            None if matches!(value, Type::Path(_)) => {
                feature
                    .members
                    .insert("type".to_owned(), Value::from("STRING"));
                self.places.silence(self.pointer.child("distribution"));
                feature.categories = Some(value.clone());
                return;
            }
            None => {
                self.refuse(
                    value,
                    "a feature is one value: a number, a `bool`, a `String`, an `Option` of these, or an \
                     enum that derives `Define`; leave out other fields with #[serde(skip)]"
                        .to_owned(),
                );
                return;
            }
        }
        if self
            .field
            .attrs
            .iter()
            .any(|attribute| is_feature(&attribute))
        {
            self.places.silence(self.pointer.clone());
        } else if !has_distribution {
            let example = match inferred {
                Some(FeatureType::Integer) => "uniform(min = 1, max = 20)",
                Some(FeatureType::Boolean) => "bernoulli(p = 0.5)",
                Some(FeatureType::String) => "categorical(\"a\" = 0.2, \"b\" = 0.8)",
                _ => "gaussian(mu = 10.0, sigma = 2.0)",
            };
            self.refuse(
                self.name,
                format!(
                    "`{}` has no distribution; state one: #[define({example})]",
                    self.name
                ),
            );
        }
    }

    /// A value that the type can't hold would only be found by the test.
    fn refuse_null(&mut self, kind: &Type, members: &Members) {
        let probability = members.get("null_probability").and_then(Value::as_f64);
        if probability.is_some_and(|probability| probability > 0.0) {
            let kind = text(kind);
            let place = self.places.tokens(&self.pointer.child("null_probability"));
            self.errors.at(
                place,
                format!("a row of this feature can be null, which `{kind}` can't hold; write `Option<{kind}>`"),
            );
        }
    }

    fn refuse(&mut self, place: impl ToTokens, problem: String) {
        self.errors.at(place, problem);
        // All its other faults follow from this one.
        self.places.silence(self.pointer.clone());
    }
}
