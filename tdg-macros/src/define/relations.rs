//! Relations between features, written with the names of their fields or parameters.
//!
//! | written | JSON |
//! |---|---|
//! | `correlation(a, b, 0.7)` | `"correlations": [{"features": ["a", "b"], "correlation": 0.7}]` |
//! | `order(a, b)` | `"order": [["a", "b"]]` |
//! | `coverage(strength = 2)` | `"coverage": {"strength": 2}` |
//!
//! A string in quotes is the feature's name in the rows.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::token::{Bracket, Paren};
use syn::{DeriveInput, Ident, LitStr, Token, bracketed, parenthesized};
use tdg_definition::json::{Pointer, Value};
use tdg_definition::nearest;

use super::members::{self, Members, elements_of, is_value, put};
use super::notation::item;
use super::origin::Written;
use super::serde::Serde;
use crate::errors::Errors;
use crate::source_places::Places;

/// The fields or parameters that are features: each with its name in the source and in the rows.
pub(crate) struct FeatureNames {
    names: Vec<(String, String)>,
    written: Written,
}

impl FeatureNames {
    pub(crate) fn of_parameters(names: Vec<(String, String)>) -> Self {
        Self {
            names,
            written: Written::Parameter,
        }
    }

    pub(crate) fn of_fields(input: &DeriveInput, container: &Serde) -> Self {
        let mut names = Vec::new();
        if let syn::Data::Struct(data) = &input.data {
            for field in &data.fields {
                let Some(name) = &field.ident else { continue };
                // Mistakes are reported when the field is read.
                let serde = Serde::read(&field.attrs, &mut Errors::default());
                if serde.skip.is_none() {
                    let feature = container.field_name(&serde, name);
                    names.push((name.unraw().to_string(), feature));
                }
            }
        }
        Self {
            names,
            written: Written::Field,
        }
    }

    /// Returns true if a known name is next.
    fn is_next(&self, input: ParseStream<'_>) -> bool {
        let name = input.fork().call(Ident::parse_any);
        name.is_ok_and(|name| self.feature(&name).is_ok())
    }

    fn feature(&self, name: &Ident) -> syn::Result<Value> {
        let wanted = name.unraw().to_string();
        let found = self.names.iter().find(|(known, _)| *known == wanted);
        if let Some((_, feature)) = found {
            return Ok(Value::from(feature.as_str()));
        }
        let hint = match nearest(&wanted, self.names.iter().map(|(known, _)| &known[..])) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => String::new(),
        };
        let what = match self.written {
            Written::Field => "field",
            Written::Parameter => "parameter",
        };
        Err(syn::Error::new_spanned(
            name,
            format!("no {what} named `{wanted}` is a feature{hint}"),
        ))
    }
}

/// Returns true if a relation is next that names fields.
pub(crate) fn is_next(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    let name = ahead.parse::<Ident>();
    name.is_ok_and(|name| name == "correlation" || name == "order" || name == "coverage")
        && ahead.peek(Paren)
}

/// Reads a relation into the members of the definition.
pub(crate) fn read(
    input: ParseStream<'_>,
    known: &FeatureNames,
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
        let coverage = coverage(&content, &pointer, known, places, errors);
        return put(members, &name, "coverage", coverage);
    }
    let key = if name == "order" {
        "order"
    } else {
        "correlations"
    };
    let list = elements_of(members, key)
        .ok_or_else(|| syn::Error::new_spanned(&name, format!("`{key}` is already given")))?;
    let pointer = Pointer::root().child(key).child(list.len().to_string());
    places.add(pointer.clone(), tokens);
    list.push(if name == "order" {
        names(&content, &pointer, known, places, errors)
    } else {
        correlation(&content, &pointer, known, places, errors)
    });
    Ok(())
}

/// Reads `height, weight, 0.7`.
fn correlation(
    input: ParseStream<'_>,
    pointer: &Pointer,
    known: &FeatureNames,
    places: &mut Places,
    errors: &mut Errors,
) -> Value {
    let mut members = Members::new();
    let mut features = Vec::new();
    let at = pointer.child("features");
    places.of_each(pointer, input, "items", errors, |input, places, _| {
        if is_value(input) && !input.peek(LitStr) && !known.is_next(input) {
            let (value, tokens) = members::value(input, places)?;
            places.add(pointer.child("correlation"), &tokens);
            return put(&mut members, &tokens, "correlation", value);
        }
        let at = at.child(features.len().to_string());
        features.push(feature(input, at, known, places)?);
        Ok(())
    });
    members.insert("features", Value::Array(features));
    Value::Object(members)
}

/// Reads `strength = 2, features = [kind, coupon]`.
fn coverage(
    input: ParseStream<'_>,
    pointer: &Pointer,
    known: &FeatureNames,
    places: &mut Places,
    errors: &mut Errors,
) -> Value {
    let mut members = Members::new();
    places.of_each(pointer, input, "items", errors, |input, places, errors| {
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
        let list = names(&content, &at, known, places, errors);
        put(&mut members, &name, "features", list)
    });
    Value::Object(members)
}

/// Reads `start, end`.
fn names(
    input: ParseStream<'_>,
    pointer: &Pointer,
    known: &FeatureNames,
    places: &mut Places,
    errors: &mut Errors,
) -> Value {
    let mut features = Vec::new();
    places.of_each(pointer, input, "names", errors, |input, places, _| {
        let at = pointer.child(features.len().to_string());
        features.push(feature(input, at, known, places)?);
        Ok(())
    });
    Value::Array(features)
}

/// Reads `height`, or the name in the rows, `"Height in cm"`.
fn feature(
    input: ParseStream<'_>,
    pointer: Pointer,
    known: &FeatureNames,
    places: &mut Places,
) -> syn::Result<Value> {
    if input.peek(LitStr) {
        let name: LitStr = input.parse()?;
        places.add(pointer, &name);
        return Ok(Value::from(name.value()));
    }
    let name = input.call(Ident::parse_any).map_err(|error| {
        syn::Error::new(
            error.span(),
            "expected the name of a feature: `correlation(height, \
             weight, 0.7)`, `order(start, end)`",
        )
    })?;
    if input.peek(Paren) {
        let problem = "a list is in order by its length: write its name alone, order(n, xs)";
        return Err(syn::Error::new_spanned(name, problem));
    }
    places.add(pointer, name.to_token_stream());
    known.feature(&name)
}
