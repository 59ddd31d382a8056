//! Relations between features, which the attribute of a struct writes by the names of its fields.
//!
//! | written | JSON |
//! |---|---|
//! | `correlation(a, b, 0.7)` | `"correlations": [{"features": ["a", "b"], "correlation": 0.7}]` |
//! | `order(a, b)` | `"order": [["a", "b"]]` |
//! | `coverage(strength = 2)` | `"coverage": {"strength": 2}` |
//!
//! A string in quotes is a feature by the name that it has in the rows.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::token::{Bracket, Paren};
use syn::{DeriveInput, Ident, Lit, LitStr, Token, bracketed, parenthesized};
use tdg_definition::json::{Pointer, Value};
use tdg_definition::nearest;

use super::notation::{Members, item, json, list, put};
use super::serde::Serde;
use crate::commas;
use crate::errors::Errors;
use crate::places::Places;

/// The fields that are features: each as the struct names it, and as the rows do.
pub(crate) struct FieldNames(Vec<(String, String)>);

impl FieldNames {
    pub(crate) fn of(input: &DeriveInput, container: &Serde) -> Self {
        let mut names = Vec::new();
        if let syn::Data::Struct(data) = &input.data {
            for field in &data.fields {
                let Some(name) = &field.ident else { continue };
                // Its mistakes are reported when the field is read.
                let serde = Serde::read(&field.attrs, &mut Errors::default());
                if serde.skip.is_none() {
                    let feature = container.field_name(&serde, name);
                    names.push((name.unraw().to_string(), feature));
                }
            }
        }
        Self(names)
    }

    fn feature(&self, field: &Ident) -> syn::Result<Value> {
        let wanted = field.unraw().to_string();
        let found = self.0.iter().find(|(known, _)| *known == wanted);
        if let Some((_, feature)) = found {
            return Ok(Value::from(feature.as_str()));
        }
        let hint = match nearest(&wanted, self.0.iter().map(|(known, _)| &known[..])) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => String::new(),
        };
        Err(syn::Error::new_spanned(
            field,
            format!("no field that is a feature is named `{wanted}`{hint}"),
        ))
    }
}

/// Whether a relation is next that names fields.
pub(crate) fn is_next(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    let name = ahead.parse::<Ident>();
    name.is_ok_and(|name| name == "correlation" || name == "order" || name == "coverage")
        && ahead.peek(Paren)
}

/// Reads a relation into the members of the definition.
pub(crate) fn read(
    input: ParseStream<'_>,
    fields: &FieldNames,
    members: &mut Members,
    places: &mut Places,
    errors: &mut Errors,
) -> syn::Result<()> {
    let name: Ident = input.parse()?;
    let group: TokenStream = input.fork().parse::<TokenTree>()?.into();
    let content;
    parenthesized!(content in input);
    let tokens = quote!(#name #group);
    if name == "coverage" {
        let pointer = Pointer::root().child("coverage");
        places.add_named(pointer.clone(), tokens);
        let coverage = coverage(&content, &pointer, fields, places, errors);
        return put(members, &name, "coverage".to_owned(), coverage);
    }
    let key = if name == "order" {
        "order"
    } else {
        "correlations"
    };
    let list = list(members, key)
        .ok_or_else(|| syn::Error::new_spanned(&name, format!("`{key}` is given already")))?;
    let pointer = Pointer::root().child(key).child(list.len().to_string());
    places.add(pointer.clone(), tokens);
    list.push(if name == "order" {
        names(&content, &pointer, fields, places, errors)
    } else {
        correlation(&content, &pointer, fields, places, errors)
    });
    Ok(())
}

/// `height, weight, 0.7`.
fn correlation(
    input: ParseStream<'_>,
    pointer: &Pointer,
    fields: &FieldNames,
    places: &mut Places,
    errors: &mut Errors,
) -> Value {
    let mut members = Members::new();
    let mut features = Vec::new();
    let at = pointer.child("features");
    let all_well = commas::each(input, "items", errors, |input, _| {
        if input.peek(Lit) && !input.peek(LitStr) {
            let literal: Lit = input.parse()?;
            places.add(pointer.child("correlation"), &literal);
            return put(
                &mut members,
                &literal,
                "correlation".to_owned(),
                json(&literal)?,
            );
        }
        let at = at.child(features.len().to_string());
        features.push(feature(input, at, fields, places)?);
        Ok(())
    });
    if !all_well {
        places.silence(pointer.clone());
    }
    members.insert("features".to_owned(), Value::Array(features));
    Value::Object(members)
}

/// `strength = 2, features = [kind, coupon]`.
fn coverage(
    input: ParseStream<'_>,
    pointer: &Pointer,
    fields: &FieldNames,
    places: &mut Places,
    errors: &mut Errors,
) -> Value {
    let mut members = Members::new();
    let all_well = commas::each(input, "items", errors, |input, errors| {
        let ahead = input.fork();
        let is_list = ahead.parse::<Ident>().is_ok_and(|name| name == "features")
            && ahead.parse::<Token![=]>().is_ok()
            && ahead.peek(Bracket);
        if !is_list {
            return item(input, pointer, &mut members, places, errors);
        }
        let name: Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        let group: TokenStream = input.fork().parse::<TokenTree>()?.into();
        let content;
        bracketed!(content in input);
        let at = pointer.child("features");
        places.add_named(at.clone(), quote!(#name = #group));
        let list = names(&content, &at, fields, places, errors);
        put(&mut members, &name, "features".to_owned(), list)
    });
    if !all_well {
        places.silence(pointer.clone());
    }
    Value::Object(members)
}

/// `start, end`.
fn names(
    input: ParseStream<'_>,
    pointer: &Pointer,
    fields: &FieldNames,
    places: &mut Places,
    errors: &mut Errors,
) -> Value {
    let mut features = Vec::new();
    let all_well = commas::each(input, "fields", errors, |input, _| {
        let at = pointer.child(features.len().to_string());
        features.push(feature(input, at, fields, places)?);
        Ok(())
    });
    if !all_well {
        places.silence(pointer.clone());
    }
    Value::Array(features)
}

/// `height`, or `"Height in cm"` as the rows have it.
fn feature(
    input: ParseStream<'_>,
    pointer: Pointer,
    fields: &FieldNames,
    places: &mut Places,
) -> syn::Result<Value> {
    if input.peek(LitStr) {
        let name: LitStr = input.parse()?;
        places.add(pointer, &name);
        return Ok(Value::from(name.value()));
    }
    let name = input.call(Ident::parse_any).map_err(|error| {
        syn::Error::new(error.span(), "the name of a field is expected here: `correlation(height, weight, 0.7)`, `order(start, end)`")
    })?;
    places.add(pointer, name.to_token_stream());
    fields.feature(&name)
}
