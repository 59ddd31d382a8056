//! Bindings of a row to the function's arguments.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::{Ident, LitStr, Type};
use tdg_definition::{Feature, nearest};

use super::definition::BoundDefinition;
use super::function::TestedFunction;
use super::parameter::TestedParameter;
use crate::define::{self, DrawnType};
use crate::errors::Errors;
use crate::types::{feature_type, is_row, is_scalar, last_word, only_argument, text, ungroup};

pub(crate) enum Bindings {
    /// Each parameter takes one feature.
    Features(Vec<BindableFeature>),
    /// The parameter takes the feature of that name if it exists, or else the whole row. The test
    /// finds out at run time.
    FeatureOrRow(String),
    /// The parameter is the whole row, read into its type.
    Row,
    /// The parameter is `&tdg::Row`.
    RowItself,
    /// The parameter is `Vec<T>`, all rows.
    Rows,
    /// The parameter is `&[T]`, all rows.
    RowSlice,
}

pub(crate) struct BindableFeature {
    pub(crate) name: String,
    /// The tokens that name the feature.
    pub(crate) place: TokenStream,
    pub(crate) drawn: DrawnType,
}

impl Bindings {
    /// Returns `None` after errors. Errors independent of the definition are already reported.
    pub(crate) fn find(
        function: &TestedFunction,
        definition: &BoundDefinition,
        batch: Option<&Ident>,
        errors: &mut Errors,
    ) -> Option<Self> {
        if let BoundDefinition::Signature(definition) = definition {
            return Some(of_signature(function, definition));
        }
        let parameters: Vec<&TestedParameter> = function.of_row().collect();
        let [first, more @ ..] = parameters.as_slice() else {
            errors.at(
                &function.name,
                format!(
                    "without parameters, every row gives the same output; take features by their \
                     names, or the whole row in one parameter{}",
                    list(definition)
                ),
            );
            return None;
        };
        if more.is_empty() && first.mistake().is_some() {
            return None;
        }
        if batch.is_some() {
            let rows = all_rows(first, more, definition, errors);
            return errors.keep(rows);
        }
        if more.is_empty() && first.renamed.is_none() && !names_a_feature(first, definition) {
            return whole_row(first, definition, errors);
        }
        let bound: Vec<Option<BindableFeature>> = parameters
            .iter()
            .map(|parameter| bind(parameter, definition, errors))
            .collect();
        bound
            .into_iter()
            .collect::<Option<Vec<BindableFeature>>>()
            .map(Bindings::Features)
    }
}

/// Returns true if a parameter names a known feature.
fn names_a_feature(parameter: &TestedParameter, definition: &BoundDefinition) -> bool {
    match definition {
        BoundDefinition::File { features, .. } => parameter
            .name()
            .is_some_and(|name| features.iter().any(|feature| feature.name() == name)),
        _ => false,
    }
}

fn bind(
    parameter: &TestedParameter,
    definition: &BoundDefinition,
    errors: &mut Errors,
) -> Option<BindableFeature> {
    if parameter.mistake().is_some() {
        return None;
    }
    let Some(name) = parameter.name() else {
        errors.at(
            &parameter.pattern,
            format!(
                "a pattern has no name to find its feature by; put #[feature(\"…\")] before it{}",
                list(definition)
            ),
        );
        return None;
    };
    let place = match &parameter.renamed {
        Some(renamed) => renamed.to_token_stream(),
        None => parameter.pattern.clone(),
    };
    let mut drawn = DrawnType::default();
    if let BoundDefinition::File { path, features, .. } = definition {
        let Some(feature) = features.iter().find(|feature| feature.name() == name) else {
            let fixture = parameter.hint_at_fixture();
            let message = no_such_feature(&name, path, features);
            errors.at(&place, format!("{message}{fixture}"));
            return None;
        };
        check_nulls(feature, parameter.drawn().as_ref(), path, errors);
        drawn = DrawnType::of_feature(feature);
    }
    Some(BindableFeature { name, place, drawn })
}

fn whole_row(
    parameter: &TestedParameter,
    definition: &BoundDefinition,
    errors: &mut Errors,
) -> Option<Bindings> {
    let drawn = parameter.drawn();
    let kind = drawn.as_ref().map(ungroup);
    if kind.is_some_and(is_row) {
        return Some(Bindings::RowItself);
    }
    match (definition, parameter.name()) {
        (BoundDefinition::Remote(_) | BoundDefinition::Type(_), Some(name)) => {
            Some(Bindings::FeatureOrRow(name))
        }
        // Probably a misspelt feature, since several values can't be read into a single one.
        (BoundDefinition::File { path, features, .. }, Some(name))
            if kind.is_some_and(is_scalar) && features.len() > 1 =>
        {
            errors.at(&parameter.pattern, no_such_feature(&name, path, features));
            None
        }
        _ => {
            check_nulls_of_row(kind, definition, errors);
            Some(Bindings::Row)
        }
    }
}

/// Rejects a null that the type can't hold, which otherwise only a run would find.
fn check_nulls(feature: &Feature, kind: Option<&Type>, path: &LitStr, errors: &mut Errors) {
    let Some(kind) = kind.map(ungroup) else {
        return;
    };
    if feature.null_probability() == 0.0 || feature_type(kind).is_none() {
        return;
    }
    let (name, path, written) = (feature.name(), path.value(), text(kind));
    errors.at(
        kind,
        format!(
            "`{name}` of {path} can be null, which `{written}` can't hold; write `Option<{written}>`"
        ),
    );
}

/// Rejects nulls in a whole row whose type shows the features: a tuple, or the only feature.
fn check_nulls_of_row(kind: Option<&Type>, definition: &BoundDefinition, errors: &mut Errors) {
    let (BoundDefinition::File { path, features, .. }, Some(kind)) =
        (definition, kind.map(ungroup))
    else {
        return;
    };
    match (kind, features.as_slice()) {
        (Type::Tuple(tuple), _) if tuple.elems.len() == features.len() => {
            for (feature, kind) in features.iter().zip(&tuple.elems) {
                check_nulls(feature, Some(kind), path, errors);
            }
        }
        (kind, [feature]) => check_nulls(feature, Some(kind), path, errors),
        _ => {}
    }
}

fn all_rows(
    first: &TestedParameter,
    more: &[&TestedParameter],
    definition: &BoundDefinition,
    errors: &mut Errors,
) -> syn::Result<Bindings> {
    let wrong = |(place, message): (TokenStream, &str)| {
        let problem = format!("with `batch` {message}: `rows: &[Order]` or `rows: Vec<Order>`");
        Err(syn::Error::new_spanned(place, problem))
    };
    // Reserved for columns by name.
    let is_one_of_several = names_a_feature(first, definition)
        && matches!(definition, BoundDefinition::File { features, .. } if features.len() > 1);
    let mistake = match (more.first(), &first.maker, &first.renamed) {
        (Some(second), ..) => Some((second.pattern.clone(), "one parameter takes all rows")),
        (_, Some(maker), _) => Some((
            maker.place(),
            "the parameter takes whole rows; only their fields can have this",
        )),
        (.., Some(renamed)) => Some((
            renamed.to_token_stream(),
            "the parameter takes whole rows, not one feature",
        )),
        _ => is_one_of_several.then(|| (
            first.pattern.clone(),
            "the parameter takes whole rows, but this is the name of one feature; give it another name",
        )),
    };
    if let Some(mistake) = mistake {
        return wrong(mistake);
    }
    let kind = first.kind.as_ref().map(ungroup);
    if let Some(Type::Reference(reference)) = kind
        && reference.mutability.is_none()
        && let Type::Slice(rows) = ungroup(&reference.elem)
    {
        check_nulls_of_row(Some(&rows.elem), definition, errors);
        return Ok(Bindings::RowSlice);
    }
    if let Some(kind) = kind
        && last_word(kind).is_some_and(|word| word == "Vec")
    {
        check_nulls_of_row(only_argument(kind), definition, errors);
        return Ok(Bindings::Rows);
    }
    let place = kind.map_or_else(|| first.pattern.clone(), ToTokens::to_token_stream);
    wrong((place, "the parameter takes all rows"))
}

fn no_such_feature(name: &str, path: &LitStr, features: &[Feature]) -> String {
    let mut message = format!("`{name}` is not a feature of {}", path.value());
    let near = nearest(name, features.iter().map(Feature::name));
    if let Some(feature) = near {
        message += &format!("\n  did you mean `{feature}`?");
    }
    message += &list_of(features);
    let is_identifier = |name: &&str| Ident::parse_any.parse_str(name).is_ok();
    let mut names = features.iter().map(Feature::name);
    if near.is_none()
        && let Some(other) = names.find(|name| !is_identifier(name))
    {
        message += &format!(
            "\n  a name that is not an identifier goes before its parameter: #[feature(\"{other}\")] value: …"
        );
    }
    message
}

/// Returns a line with the names of the definition's features, if they are known.
fn list(definition: &BoundDefinition) -> String {
    match definition {
        BoundDefinition::File { features, .. } => list_of(features),
        _ => String::new(),
    }
}

/// Lists a readable number of features.
fn list_of(features: &[Feature]) -> String {
    const SHOWN: usize = 20;
    let names: Vec<_> = features
        .iter()
        .take(SHOWN)
        .map(|feature| format!("`{}`", feature.name()))
        .collect();
    let more = match features.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("\n  its features are {}{more}", names.join(", "))
}

/// Binds each parameter to the feature that it defines.
fn of_signature(function: &TestedFunction, definition: &define::CodeDefinition) -> Bindings {
    let features = definition.features.iter().zip(function.of_row());
    let bound = features.map(|(feature, parameter)| BindableFeature {
        name: feature.name.clone(),
        place: parameter.pattern.clone(),
        drawn: DrawnType::of_members(&feature.members),
    });
    Bindings::Features(bound.collect())
}
