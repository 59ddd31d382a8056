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
use tdg_definition::json::Value;
use tdg_definition::nearest;

use super::json_part::JsonPart;
use super::members::{self, Members, elements_of, is_value, put};
use super::notation::item;
use super::origin::Written;
use super::serde::Serde;
use crate::errors::Errors;

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
    root: &mut JsonPart<'_>,
) -> syn::Result<()> {
    let name: Ident = input.parse()?;
    let group: TokenStream = input.fork().parse::<TokenTree>()?.into();
    let content;
    parenthesized!(content in input);
    let tokens = quote!(#name #group);
    if name == "coverage" {
        root.add_member("coverage", tokens);
        let coverage = coverage(&content, known, &mut root.child("coverage"));
        return put(members, &name, "coverage", coverage);
    }
    let key = if name == "order" {
        "order"
    } else {
        "correlations"
    };
    let list = elements_of(members, key)
        .ok_or_else(|| syn::Error::new_spanned(&name, format!("`{key}` is already given")))?;
    let at = root.pointer.child(key).child(list.len().to_string());
    let mut part = root.at(at);
    part.add(tokens);
    list.push(if name == "order" {
        names(&content, known, &mut part)
    } else {
        correlation(&content, known, &mut part)
    });
    Ok(())
}

/// Reads `height, weight, 0.7`.
fn correlation(input: ParseStream<'_>, known: &FeatureNames, part: &mut JsonPart<'_>) -> Value {
    let mut members = Members::new();
    let mut features = Vec::new();
    part.each(input, "items", |input, part| {
        if is_value(input) && !input.peek(LitStr) && !known.is_next(input) {
            let (value, tokens) = members::value(input, part.places)?;
            part.child("correlation").add(&tokens);
            return put(&mut members, &tokens, "correlation", value);
        }
        let at = part.pointer.child("features");
        let at = at.child(features.len().to_string());
        features.push(feature(input, known, &mut part.at(at))?);
        Ok(())
    });
    members.insert("features", Value::Array(features));
    Value::Object(members)
}

/// Reads `strength = 2, features = [kind, coupon]`.
fn coverage(input: ParseStream<'_>, known: &FeatureNames, part: &mut JsonPart<'_>) -> Value {
    let mut members = Members::new();
    part.each(input, "items", |input, part| {
        let ahead = input.fork();
        let is_list = ahead.parse::<Ident>().is_ok_and(|name| name == "features")
            && ahead.parse::<Token![=]>().is_ok()
            && ahead.peek(Bracket);
        if !is_list {
            return item(input, &mut members, part);
        }
        let name: Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        let group: TokenStream = input.fork().parse::<TokenTree>()?.into();
        let content;
        bracketed!(content in input);
        part.add_member("features", quote!(#name = #group));
        let list = names(&content, known, &mut part.child("features"));
        put(&mut members, &name, "features", list)
    });
    Value::Object(members)
}

/// Reads `start, end`.
fn names(input: ParseStream<'_>, known: &FeatureNames, part: &mut JsonPart<'_>) -> Value {
    let mut features = Vec::new();
    part.each(input, "names", |input, part| {
        let mut part = part.child(features.len().to_string());
        features.push(feature(input, known, &mut part)?);
        Ok(())
    });
    Value::Array(features)
}

/// Reads `height`, or the name in the rows, `"Height in cm"`.
fn feature(
    input: ParseStream<'_>,
    known: &FeatureNames,
    part: &mut JsonPart<'_>,
) -> syn::Result<Value> {
    if input.peek(LitStr) {
        let name: LitStr = input.parse()?;
        part.add(&name);
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
    part.add(name.to_token_stream());
    known.feature(&name)
}
