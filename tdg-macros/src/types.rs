//! Types by their tokens: a macro sees names, not types, so an alias hides them.

use quote::ToTokens;
use syn::{GenericArgument, Ident, PathArguments, Type};
use tdg_definition::FeatureType;

/// Without the wrappers of `macro_rules!` fragments and parentheses.
pub(crate) fn ungroup(kind: &Type) -> &Type {
    match kind {
        Type::Group(group) => ungroup(&group.elem),
        Type::Paren(paren) => ungroup(&paren.elem),
        other => other,
    }
}

/// The `Vec` of `std::vec::Vec<f64>`.
pub(crate) fn last_word(kind: &Type) -> Option<&Ident> {
    match kind {
        Type::Path(path) => path.path.segments.last().map(|segment| &segment.ident),
        _ => None,
    }
}

/// Tokens as they are written: `Box<f64>`, `&'a str`, `old::total`.
pub(crate) fn text(tokens: &impl ToTokens) -> String {
    let tokens = tokens.to_token_stream().to_string();
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut text = String::new();
    for part in tokens.split(' ') {
        if text.ends_with(is_word) && part.starts_with(is_word) {
            text.push(' ');
        }
        text.push_str(part);
    }
    text
}

/// `&Row`, `&tdg::Row<'_>`.
pub(crate) fn is_row(kind: &Type) -> bool {
    match kind {
        Type::Reference(reference) => {
            reference.mutability.is_none()
                && last_word(ungroup(&reference.elem)).is_some_and(|word| word == "Row")
        }
        _ => false,
    }
}

/// A type that can hold one value, but not a row of several.
pub(crate) fn is_scalar(kind: &Type) -> bool {
    const SCALARS: [&str; 17] = [
        "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
        "u128", "usize", "bool", "String", "str",
    ];
    match kind {
        Type::Reference(reference) => is_scalar(ungroup(&reference.elem)),
        _ => last_word(kind).is_some_and(|word| SCALARS.iter().any(|scalar| word == scalar)),
    }
}

/// The `T` of `Option<T>`.
pub(crate) fn in_option(kind: &Type) -> Option<&Type> {
    last_word(kind).filter(|word| *word == "Option")?;
    only_argument(kind)
}

/// The type of the feature whose values the type holds, if its name reveals it.
pub(crate) fn feature_type(kind: &Type) -> Option<FeatureType> {
    if let Type::Reference(reference) = kind {
        return feature_type(ungroup(&reference.elem)).filter(|_| reference.mutability.is_none());
    }
    let word = last_word(kind)?.to_string();
    match word.as_str() {
        "f32" | "f64" => Some(FeatureType::Float),
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128"
        | "usize" => Some(FeatureType::Integer),
        "bool" => Some(FeatureType::Boolean),
        "String" | "str" | "char" => Some(FeatureType::String),
        "Box" | "Cow" | "Rc" | "Arc" => only_argument(kind).and_then(feature_type),
        _ => None,
    }
}

/// The `T` of `Box<T>`, of `Vec<T>` and of `Cow<'_, T>`.
pub(crate) fn only_argument(kind: &Type) -> Option<&Type> {
    let Type::Path(path) = kind else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(kind) => Some(ungroup(kind)),
        _ => None,
    });
    types.next().filter(|_| types.next().is_none())
}
