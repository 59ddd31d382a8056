//! Definitions in the signature: each parameter is a feature, with its distribution before it.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Type, parse_quote};

use super::function::TestedFunction;
use super::options::AttributeOptions;
use super::parameter::TestedParameter;
use crate::commas;
use crate::define::{self, CodeDefinition, FeatureNames, FeatureOrigin, Members, Written};
use crate::errors::Errors;
use crate::source_places::Places;
use crate::types::{feature_type, in_option, text, with_any_lifetimes};

/// Reads the definition, or returns `None` if the function doesn't take features one by one.
pub(crate) fn read(
    function: &TestedFunction,
    options: &AttributeOptions,
    errors: &mut Errors,
) -> Option<CodeDefinition> {
    if let Some(batch) = &options.batch {
        errors.at(
            batch,
            "with `batch` one parameter takes whole rows, and a row's type states how it is drawn: \
             derive `Define` for it, and write definition = Order",
        );
        return None;
    }
    let (mut members, mut places) = (Members::new(), Places::default());
    let names = FeatureNames::of_parameters(names(function));
    for (_, relations) in &options.relations {
        let all = |input: ParseStream<'_>| {
            commas::each(input, "options", errors, |input, errors| {
                define::member(input, &names, &mut members, &mut places, errors)
            });
            Ok(())
        };
        let read = all.parse2(relations.clone());
        errors.keep(read);
    }
    let mut definition = CodeDefinition::new(&function.name.unraw().to_string(), members);
    for parameter in function.of_row() {
        let any = options.given("rows").is_some() && parameter.definers.is_empty();
        let any = any.then(|| parse_quote!(#[define(any)]));
        add(
            &mut definition,
            parameter,
            any.as_slice(),
            &mut places,
            errors,
        );
    }
    definition.check(&function.name, &places, errors);
    Some(definition)
}

/// Returns the names of the parameters, each with its feature's name.
fn names(function: &TestedFunction) -> Vec<(String, String)> {
    let name = |parameter: &TestedParameter| {
        let variable = parameter.variable()?.unraw().to_string();
        Some((variable, parameter.name()?))
    };
    function.of_row().filter_map(name).collect()
}

fn add(
    definition: &mut CodeDefinition,
    parameter: &TestedParameter,
    unless_stated: &[Attribute],
    places: &mut Places,
    errors: &mut Errors,
) {
    if parameter.name().is_none() && parameter.mistake().is_none() {
        errors.at(
            &parameter.pattern,
            "a feature has the name of its parameter, and a pattern has none; \
             put #[feature(\"…\")] before it",
        );
    }
    let mut follow_up = Errors::default();
    let mut errors = errors;
    if parameter.name().is_none() || parameter.mistake().is_some() {
        // Other mistakes in the feature may result from the reported one.
        places.silence(definition.next());
        errors = &mut follow_up;
    }
    let name = parameter.name().unwrap_or_default();
    let place = match parameter.variable() {
        Some(variable) => variable.into_token_stream(),
        None => parameter.pattern.clone(),
    };
    let kind = with_any_lifetimes(parameter.type_tokens.clone());
    let kind = syn::parse2(kind.clone()).unwrap_or(Type::Verbatim(kind));
    let maker = parameter.maker.as_ref();
    let origin = FeatureOrigin {
        place,
        kind: &maker.map_or_else(|| kind.clone(), |maker| maker.drawn(&kind)),
        maker,
        attributes: match parameter.definers.as_slice() {
            [] => unless_stated,
            stated => stated,
        },
        written: Written::Parameter,
    };
    definition.add(name, &origin, places, errors);
}

/// Returns the error for a missing definition, at the attribute or at relations without features.
pub(crate) fn missing(function: &TestedFunction, relations: Option<&Ident>) -> syn::Error {
    let mut parameters = function.of_row().filter_map(example);
    let example = parameters.next();
    let example = example.unwrap_or_else(|| "#[define(uniform(1..=20))] quantity: u32".to_owned());
    if let Some(relations) = relations {
        let problem = format!(
            "`define` relates parameters that are features, but none is; put a distribution before \
             each: {example}"
        );
        return syn::Error::new(relations.span(), problem);
    }
    syn::Error::new(
        Span::call_site(),
        format!(
            "the test has no definition of its rows; state how each parameter is drawn: {example}\n  \
             or name a file, by its path from the package's root: \
             #[ensemble_test(definition = \"definitions/orders.json\")]\n  \
             or a type that derives `Define`: #[ensemble_test(definition = Order)]"
        ),
    )
}

/// Returns the parameter with a distribution for its type, if it is a plain value.
fn example(parameter: &TestedParameter) -> Option<String> {
    let (name, kind) = (parameter.variable()?, parameter.kind.as_ref()?);
    let value = feature_type(in_option(kind).unwrap_or(kind))?;
    let distribution = define::example(Some(value));
    Some(format!("#[define({distribution})] {name}: {}", text(kind)))
}
