//! How a row becomes the function's arguments.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::{Ident, Type};
use tdg_definition::nearest;

use crate::definition::Definition;
use crate::errors::Errors;
use crate::function::Function;
use crate::parameter::Parameter;
use crate::types::{is_row, is_scalar, last_word, ungroup};

pub(crate) enum Bindings {
    /// Each parameter takes one feature.
    Features(Vec<Feature>),
    /// The parameter is the whole row, read into its type.
    Row,
    /// The parameter is `&tdg::Row`.
    RowItself,
    /// The parameter is `Vec<T>`, all rows.
    Rows,
    /// The parameter is `&[T]`, all rows.
    RowSlice,
}

pub(crate) struct Feature {
    /// Its place among the definition's features.
    pub(crate) position: usize,
    pub(crate) name: String,
}

impl Bindings {
    /// Nothing where there were errors; those that don't depend on the definition are reported
    /// already.
    pub(crate) fn find(
        function: &Function,
        definition: &Definition,
        batch: Option<&Ident>,
        errors: &mut Errors,
    ) -> Option<Self> {
        let parameters = &function.parameters;
        let [first, more @ ..] = parameters.as_slice() else {
            errors.at(
                &function.name,
                format!(
                    "without parameters every row gives the same; take features by their names, \
                     or the whole row in one parameter\n  {}",
                    list(definition)
                ),
            );
            return None;
        };
        if more.is_empty() && first.mistake().is_some() {
            return None;
        }
        if batch.is_some() {
            return all_rows(first, more, definition, errors);
        }
        if more.is_empty() && first.renamed.is_none() && !names_a_feature(first, definition) {
            return whole_row(first, definition, errors);
        }
        let bound: Vec<Option<Feature>> = parameters
            .iter()
            .map(|parameter| bind(parameter, definition, errors))
            .collect();
        bound
            .into_iter()
            .collect::<Option<Vec<Feature>>>()
            .map(Bindings::Features)
    }
}

fn names_a_feature(parameter: &Parameter, definition: &Definition) -> bool {
    parameter
        .name()
        .is_some_and(|name| definition.features.contains(&name))
}

fn bind(parameter: &Parameter, definition: &Definition, errors: &mut Errors) -> Option<Feature> {
    if parameter.mistake().is_some() {
        return None;
    }
    let Some(name) = parameter.name() else {
        errors.at(
            &parameter.pattern,
            format!(
                "a pattern has no name to find its feature by; put #[feature(\"…\")] before it\n  {}",
                list(definition)
            ),
        );
        return None;
    };
    if let Some(position) = definition
        .features
        .iter()
        .position(|feature| *feature == name)
    {
        return Some(Feature { position, name });
    }
    let place = match &parameter.renamed {
        Some(renamed) => renamed.to_token_stream(),
        None => parameter.pattern.clone(),
    };
    errors.at(place, no_such_feature(&name, definition));
    None
}

fn whole_row(
    parameter: &Parameter,
    definition: &Definition,
    errors: &mut Errors,
) -> Option<Bindings> {
    let kind = parameter.kind.as_ref().map(ungroup);
    if kind.is_some_and(is_row) {
        return Some(Bindings::RowItself);
    }
    // A misspelt feature, most likely: a row of several values can't be read into a single one.
    if let Some(kind) = kind
        && is_scalar(kind)
        && definition.features.len() > 1
        && let Some(name) = parameter.name()
    {
        errors.at(&parameter.pattern, no_such_feature(&name, definition));
        return None;
    }
    Some(Bindings::Row)
}

fn all_rows(
    first: &Parameter,
    more: &[Parameter],
    definition: &Definition,
    errors: &mut Errors,
) -> Option<Bindings> {
    let mut wrong = |place: TokenStream, message: &str| {
        errors.at(
            place,
            format!("{message}: `rows: &[Order]` or `rows: Vec<Order>`"),
        );
        None
    };
    if let Some(second) = more.first() {
        return wrong(
            second.pattern.clone(),
            "with `batch` one parameter takes all rows",
        );
    }
    if let Some(renamed) = &first.renamed {
        return wrong(
            renamed.to_token_stream(),
            "with `batch` the parameter takes whole rows, not one feature",
        );
    }
    // Kept free for columns by name.
    if definition.features.len() > 1 && names_a_feature(first, definition) {
        return wrong(
            first.pattern.clone(),
            "with `batch` the parameter takes whole rows, but this is the name of one feature; name it otherwise",
        );
    }
    match first.kind.as_ref().map(ungroup) {
        Some(Type::Reference(reference))
            if reference.mutability.is_none()
                && matches!(ungroup(&reference.elem), Type::Slice(_)) =>
        {
            Some(Bindings::RowSlice)
        }
        Some(kind) if last_word(kind).is_some_and(|word| word == "Vec") => Some(Bindings::Rows),
        Some(kind) => wrong(
            kind.to_token_stream(),
            "with `batch` the parameter takes all rows",
        ),
        None => wrong(
            first.pattern.clone(),
            "with `batch` the parameter takes all rows",
        ),
    }
}

fn no_such_feature(name: &str, definition: &Definition) -> String {
    let mut lines = vec![format!(
        "`{name}` is no feature of {}",
        definition.path.value()
    )];
    let near = nearest(name, definition.features.iter().map(String::as_str));
    lines.extend(near.map(|feature| format!("did you mean `{feature}`?")));
    lines.push(list(definition));
    if near.is_some() {
        return lines.join("\n  ");
    }
    let is_identifier = |feature: &String| Ident::parse_any.parse_str(feature).is_ok();
    if let Some(other) = definition
        .features
        .iter()
        .find(|feature| !is_identifier(feature))
    {
        lines.push(format!("a name that is no identifier stands before its parameter: #[feature(\"{other}\")] value: …"));
    }
    lines.join("\n  ")
}

/// The names of the definition's features, as many as one can read.
fn list(definition: &Definition) -> String {
    const SHOWN: usize = 20;
    let names: Vec<_> = definition
        .features
        .iter()
        .take(SHOWN)
        .map(|name| format!("`{name}`"))
        .collect();
    let more = match definition.features.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("its features are {}{more}", names.join(", "))
}
