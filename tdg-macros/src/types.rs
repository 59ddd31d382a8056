//! Types by their tokens. A macro sees names instead of types, so aliases hide them.

use std::ops::RangeInclusive;

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, Parser};
use syn::{GenericArgument, Ident, PathArguments, Type};
use tdg_definition::FeatureType;

/// Removes the wrappers of `macro_rules!` fragments and parentheses.
pub(crate) fn ungroup(kind: &Type) -> &Type {
    match kind {
        Type::Group(group) => ungroup(&group.elem),
        Type::Paren(paren) => ungroup(&paren.elem),
        other => other,
    }
}

/// Returns the last segment of a path, such as the `Vec` of `std::vec::Vec<f64>`.
pub(crate) fn last_word(kind: &Type) -> Option<&Ident> {
    match kind {
        Type::Path(path) => path.path.segments.last().map(|segment| &segment.ident),
        _ => None,
    }
}

/// Formats tokens as users write them: `Box<f64>`, `&'a str`, `[u8; 4]`.
pub(crate) fn text(tokens: &impl ToTokens) -> String {
    let tokens = tokens.to_token_stream().to_string();
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut text = String::new();
    for part in tokens.split(' ') {
        if text.ends_with([',', ';']) || text.ends_with(is_word) && part.starts_with(is_word) {
            text.push(' ');
        }
        text.push_str(part);
    }
    text
}

/// Returns true for `&Row` and `&tdg::Row<'_>`.
pub(crate) fn is_row(kind: &Type) -> bool {
    match kind {
        Type::Reference(reference) => {
            reference.mutability.is_none()
                && last_word(ungroup(&reference.elem)).is_some_and(|word| word == "Row")
        }
        _ => false,
    }
}

/// Returns true if the type can hold one value, but not a row of several.
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

/// Returns the `T` of `Option<T>`.
pub(crate) fn in_option(kind: &Type) -> Option<&Type> {
    last_word(kind).filter(|word| *word == "Option")?;
    only_argument(kind)
}

/// Returns true if the type, or the one in an `Option`, is written.
pub(crate) fn is_known(kind: &Type) -> bool {
    let kind = ungroup(kind);
    !matches!(in_option(kind).unwrap_or(kind), Type::Infer(_))
}

/// The address types of std, which serde reads from text.
const ADDRESSES: [&str; 6] = [
    "IpAddr",
    "Ipv4Addr",
    "Ipv6Addr",
    "SocketAddr",
    "SocketAddrV4",
    "SocketAddrV6",
];

/// Returns true if the type is, or holds, an address of std.
pub(crate) fn is_address(kind: &Type) -> bool {
    value_word(kind).is_some_and(|word| ADDRESSES.iter().any(|it| word == it))
}

/// Returns true if the type is, or holds, a signed integer that is never zero.
pub(crate) fn is_signed_non_zero(kind: &Type) -> bool {
    let kind = in_option(kind).unwrap_or(kind);
    let is_non_zero = last_word(kind).is_some_and(|it| it.to_string().starts_with("NonZero"));
    is_non_zero && integers(kind).is_some_and(|(_, range)| *range.start() < 0)
}

/// Returns the feature type for values of this type, if its name reveals it.
pub(crate) fn feature_type(kind: &Type) -> Option<FeatureType> {
    if let Type::Reference(reference) = kind {
        let lent = ungroup(&reference.elem);
        let path = last_word(lent).filter(|word| *word == "Path");
        let path = path.map(|_| FeatureType::String);
        return feature_type(lent)
            .or(path)
            .filter(|_| reference.mutability.is_none());
    }
    let word = last_word(kind)?.to_string();
    match word.as_str() {
        "f32" | "f64" => Some(FeatureType::Float),
        word if word.starts_with("NonZero") => integers(kind).map(|_| FeatureType::Integer),
        "PathBuf" => Some(FeatureType::String),
        word if ADDRESSES.contains(&word) => Some(FeatureType::String),
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128"
        | "usize" => Some(FeatureType::Integer),
        "bool" => Some(FeatureType::Boolean),
        "String" | "str" | "char" => Some(FeatureType::String),
        "Box" | "Cow" | "Rc" | "Arc" => only_argument(kind).and_then(feature_type),
        _ => None,
    }
}

/// Returns the name of an integer type, and the part of its range that features can have.
pub(crate) fn integers(kind: &Type) -> Option<(String, RangeInclusive<i128>)> {
    let kind = in_option(kind).unwrap_or(kind);
    if let Type::Reference(reference) = kind {
        return integers(ungroup(&reference.elem));
    }
    let word = last_word(kind)?.to_string();
    if let Some(of) = word.strip_prefix("NonZero") {
        let named = Type::parse.parse_str(&of.to_lowercase());
        let (_, range) = match only_argument(kind) {
            Some(kind) => integers(kind)?,
            None => integers(&named.ok()?)?,
        };
        let is_unsigned = *range.start() == 0;
        let start = if is_unsigned { 1 } else { *range.start() };
        return Some((text(kind), start..=*range.end()));
    }
    let range = match word.as_str() {
        "i8" => i8::MIN.into()..=i8::MAX.into(),
        "i16" => i16::MIN.into()..=i16::MAX.into(),
        "i32" => i32::MIN.into()..=i32::MAX.into(),
        "i64" | "isize" => i64::MIN.into()..=i64::MAX.into(),
        "u8" => 0..=u8::MAX.into(),
        "u16" => 0..=u16::MAX.into(),
        "u32" => 0..=u32::MAX.into(),
        "u64" | "u128" | "usize" => 0..=u64::MAX.into(),
        _ => return only_argument(kind).and_then(integers),
    };
    Some((word, range))
}

/// Returns the name of an integer type that is wider than features, and the range of features.
pub(crate) fn wide_integers(kind: &Type) -> Option<(&'static str, RangeInclusive<i128>)> {
    match value_word(in_option(kind).unwrap_or(kind))?
        .to_string()
        .as_str()
    {
        "u128" => Some(("u128", 0..=u64::MAX.into())),
        "i128" => Some(("i128", i64::MIN.into()..=i64::MAX.into())),
        _ => None,
    }
}

/// Returns true if the type is, or holds, an `f32`.
pub(crate) fn float_is_single(kind: &Type) -> bool {
    value_word(kind).is_some_and(|word| word == "f32")
}

/// Returns true if the type is, or holds, a `char`.
pub(crate) fn is_character(kind: &Type) -> bool {
    value_word(kind).is_some_and(|word| word == "char")
}

/// Returns the name of a single value's type, without wrappers.
fn value_word(kind: &Type) -> Option<&Ident> {
    match kind {
        Type::Reference(reference) => value_word(ungroup(&reference.elem)),
        _ => match only_argument(kind) {
            Some(inner) => value_word(inner),
            None => last_word(kind),
        },
    }
}

/// Returns the `T` of `Box<T>`, of `Vec<T>` and of `Cow<'_, T>`.
pub(crate) fn only_argument(kind: &Type) -> Option<&Type> {
    let mut types = type_arguments(kind)?;
    types.next().filter(|_| types.next().is_none())
}

/// Returns the types in the angle brackets of a type.
pub(crate) fn type_arguments(kind: &Type) -> Option<impl Iterator<Item = &Type>> {
    let Type::Path(path) = kind else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(kind) => Some(ungroup(kind)),
        _ => None,
    });
    Some(types)
}

/// Replaces each lifetime except `'static` with `'_`.
pub(crate) fn with_any_lifetimes(kind: TokenStream) -> TokenStream {
    let mut follows_quote = false;
    let any = |token: TokenTree| match token {
        TokenTree::Group(group) => {
            let inner = with_any_lifetimes(group.stream());
            let mut any = Group::new(group.delimiter(), inner);
            any.set_span(group.span());
            any.into()
        }
        TokenTree::Ident(ident) if follows_quote && ident != "static" => {
            follows_quote = false;
            Ident::new("_", ident.span()).into()
        }
        token => {
            follows_quote = matches!(&token, TokenTree::Punct(it) if it.as_char() == '\'');
            token
        }
    };
    kind.into_iter().map(any).collect()
}
