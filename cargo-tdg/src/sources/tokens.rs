//! Types as tokens.

use std::collections::BTreeSet;

use proc_macro2::{Group, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Expr, ExprLit, GenericArgument, Item, Lit, PathArguments, PathSegment, Type, TypeArray,
    TypeReference,
};

use super::plain;

/// Returns the `Vec` of `std::vec::Vec<f64>`.
pub(crate) fn last_word(kind: &Type) -> Option<String> {
    last_segment(kind).map(|it| plain(&it.ident))
}

fn last_segment(kind: &Type) -> Option<&PathSegment> {
    match kind {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// Removes parentheses.
pub(crate) fn ungrouped(kind: &Type) -> &Type {
    match kind {
        Type::Group(group) => ungrouped(&group.elem),
        Type::Paren(paren) => ungrouped(&paren.elem),
        other => other,
    }
}

/// Returns the types between the angle brackets.
pub(crate) fn arguments(kind: &Type) -> Vec<&Type> {
    let last = last_segment(kind);
    last.map_or_else(Vec::new, |last| types_in(&last.arguments).collect())
}

/// Returns the types and numbers between the angle brackets.
pub(crate) fn type_arguments(kind: &Type) -> Vec<&GenericArgument> {
    let arguments = last_segment(kind).map(|it| bracketed(&it.arguments));
    let arguments = arguments.into_iter().flatten();
    let is_argument =
        |it: &&GenericArgument| matches!(it, GenericArgument::Type(_) | GenericArgument::Const(_));
    arguments.filter(is_argument).collect()
}

/// Returns the types between the angle brackets.
pub(crate) fn types_in(arguments: &PathArguments) -> impl Iterator<Item = &Type> {
    bracketed(arguments).filter_map(|argument| match argument {
        GenericArgument::Type(kind) => Some(ungrouped(kind)),
        _ => None,
    })
}

fn bracketed(arguments: &PathArguments) -> impl Iterator<Item = &GenericArgument> {
    let arguments = match arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    };
    arguments.into_iter().flatten()
}

pub(crate) fn is_str(kind: &Type) -> bool {
    last_word(kind).as_deref() == Some("str")
}

/// Returns true for unsized types of std.
pub(crate) fn is_unsized(kind: &Type) -> bool {
    matches!(kind, Type::Slice(_))
        || matches!(last_word(kind).as_deref(), Some("str" | "Path" | "OsStr"))
}

/// Returns true if the type is unsized because its last field is.
pub(crate) fn has_no_size(item: &Item) -> bool {
    let Item::Struct(item) = item else {
        return false;
    };
    item.fields
        .iter()
        .next_back()
        .is_some_and(|it| is_unsized(&it.ty))
}

/// Returns the length of an array if it is a literal.
pub(crate) fn length(array: &TypeArray) -> Option<usize> {
    match &array.len {
        Expr::Lit(ExprLit {
            lit: Lit::Int(length),
            ..
        }) => length.base10_parse().ok(),
        _ => None,
    }
}

/// Returns the reference in `Option<&T>`.
pub(crate) fn optional_reference(kind: &Type) -> Option<&TypeReference> {
    match arguments(kind).as_slice() {
        [Type::Reference(inner)] if last_word(kind).as_deref() == Some("Option") => Some(inner),
        _ => None,
    }
}

/// Returns true if a name is among the tokens.
pub(crate) fn names(tokens: &impl ToTokens, name: &str) -> bool {
    let mut is_there = false;
    each(tokens.to_token_stream(), &mut |tokens, at| {
        is_there |= matches!(&tokens[at], TokenTree::Ident(it) if it == name);
        !is_there
    });
    is_there
}

/// Returns the names in code.
pub(crate) fn identifiers(code: TokenStream) -> BTreeSet<String> {
    identifiers_where(code, |_, _| true)
}

/// Returns the names in code at certain positions among their siblings.
pub(crate) fn identifiers_where(
    code: TokenStream,
    is_meant: impl Fn(&[TokenTree], usize) -> bool,
) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    each(code, &mut |tokens, at| {
        if let TokenTree::Ident(name) = &tokens[at]
            && is_meant(tokens, at)
        {
            names.insert(plain(name));
        }
        true
    });
    names
}

/// Visits each token as a position among its siblings. Groups are entered if `see` returns true.
pub(crate) fn each(tokens: TokenStream, see: &mut dyn FnMut(&[TokenTree], usize) -> bool) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        if let (true, TokenTree::Group(group)) = (see(&tokens, at), token) {
            each(group.stream(), see);
        }
    }
}

/// Returns true if the token is this punctuation.
pub(crate) fn is_punct(tokens: &[TokenTree], at: Option<usize>, letter: char) -> bool {
    let token = at.and_then(|at| tokens.get(at));
    matches!(token, Some(TokenTree::Punct(it)) if it.as_char() == letter)
}

/// Returns the first segments of the paths among the tokens.
pub(crate) fn path_roots(tokens: &impl ToTokens) -> Vec<String> {
    let mut roots = Vec::new();
    each(tokens.to_token_stream(), &mut |tokens, at| {
        if let TokenTree::Ident(name) = &tokens[at]
            && is_punct(tokens, Some(at + 1), ':')
            && is_punct(tokens, Some(at + 2), ':')
            && !is_punct(tokens, at.checked_sub(1), ':')
        {
            roots.push(name.to_string());
        }
        true
    });
    roots
}

/// Formats the tokens of a type as they are usually written.
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
        (" :", ":"),
        ("& ", "&"),
        (" (", "("),
    ] {
        text = text.replace(loose, tight);
    }
    text
}

/// Formats the tokens of a type without the names of lifetimes and of the crate's modules.
pub(crate) fn short_text(tokens: &impl ToTokens) -> String {
    text(&shortened(tokens.to_token_stream())).replace("<>", "")
}

fn shortened(tokens: TokenStream) -> TokenStream {
    let mut kept = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    let mut is_own = false;
    let is =
        |token: &TokenTree, letter| matches!(token, TokenTree::Punct(it) if it.as_char() == letter);
    while let Some(token) = tokens.next() {
        let is_in_path = tokens.peek().is_some_and(is_path_separator);
        is_own = is_in_path && (is_own || is_root(&token));
        match token {
            TokenTree::Group(group) => {
                let inner = shortened(group.stream());
                kept.extend([TokenTree::from(Group::new(group.delimiter(), inner))]);
            }
            // Only a type begins with a capital letter.
            TokenTree::Ident(name)
                if is_own && name.to_string().starts_with(|it: char| !it.is_uppercase()) =>
            {
                tokens.nth(1);
            }
            token if is(&token, '\'') && !is_static(tokens.peek()) => {
                tokens.next();
                tokens.next_if(|it| is(it, ','));
            }
            token => kept.extend([token]),
        }
    }
    kept
}

/// Returns true for the beginning of a path in this crate.
fn is_root(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(it) if it == "crate" || it == "self" || it == "super")
}

fn is_static(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Ident(it)) if it == "static")
}

/// Returns true for the first half of `::`.
fn is_path_separator(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(it) if it.as_char() == ':' && it.spacing() == Spacing::Joint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_lifetimes_and_modules_are_left_out() {
        for (written, expected) in [
            ("From<&'a str>", "From<&str>"),
            ("From<Cow<'a, str>>", "From<Cow<str>>"),
            ("Parser<'_>", "Parser"),
            ("Named<&'static str>", "Named<&'static str>"),
            ("Secret<crate::keys::Private>", "Secret<Private>"),
            ("[super::Range<'a, T::Index>; 2]", "[Range<T::Index>; 2]"),
            ("From<std::fmt::Error>", "From<std::fmt::Error>"),
        ] {
            let kind: Type = syn::parse_str(written).unwrap();
            assert_eq!(short_text(&kind), expected);
        }
    }
}
