//! Types by their tokens.

use quote::ToTokens;
use syn::{GenericArgument, PathArguments, Type};

use super::plain;

/// The `Vec` of `std::vec::Vec<f64>`.
pub(crate) fn last_word(kind: &Type) -> Option<String> {
    match kind {
        Type::Path(path) => path.path.segments.last().map(|it| plain(&it.ident)),
        _ => None,
    }
}

/// Without parentheses.
pub(crate) fn ungrouped(kind: &Type) -> &Type {
    match kind {
        Type::Group(group) => ungrouped(&group.elem),
        Type::Paren(paren) => ungrouped(&paren.elem),
        other => other,
    }
}

/// The types between the angle brackets.
pub(crate) fn arguments(kind: &Type) -> Vec<&Type> {
    let Type::Path(path) = kind else {
        return Vec::new();
    };
    match path.path.segments.last().map(|it| &it.arguments) {
        Some(PathArguments::AngleBracketed(arguments)) => {
            let arguments = arguments.args.iter();
            let types = arguments.filter_map(|argument| match argument {
                GenericArgument::Type(kind) => Some(ungrouped(kind)),
                _ => None,
            });
            types.collect()
        }
        _ => Vec::new(),
    }
}

/// Tokens of a type as they are written.
pub(crate) fn text(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (loose, tight) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ,", ","),
        (" ;", ";"),
        ("& ", "&"),
        (" (", "("),
    ] {
        text = text.replace(loose, tight);
    }
    text
}
