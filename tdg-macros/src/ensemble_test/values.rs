//! The values of options.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Lit, LitStr, Path, Token, Type};
use tdg_definition::{control, is_uuid, nearest};

use super::definition::{Source, remote};
use super::options::example;
use crate::literal::{literal, string};
use crate::types::ungroup;

/// The value after `name`, which must be `= value`.
pub(super) fn value(name: &Ident, input: ParseStream<'_>) -> syn::Result<Expr> {
    start_of_value(name, input)?;
    input.parse()
}

fn start_of_value(name: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
    if !input.peek(Token![=]) {
        return Err(syn::Error::new(
            name.span(),
            format!("`{name}` needs a value: {}", example(name)),
        ));
    }
    input.parse::<Token![=]>()?;
    if input.is_empty() || input.peek(Token![,]) {
        return Err(syn::Error::new(
            name.span(),
            format!("`{name}` needs a value: {}", example(name)),
        ));
    }
    Ok(())
}

/// The tokens in the parentheses that must follow `name`.
pub(super) fn list(name: &Ident, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let wrong = || {
        syn::Error::new(
            name.span(),
            format!("`{name}` takes a list: {}", example(name)),
        )
    };
    if !input.peek(syn::token::Paren) {
        return Err(wrong());
    }
    match input.parse()? {
        TokenTree::Group(group) if !group.stream().is_empty() => Ok(group.stream()),
        _ => Err(wrong()),
    }
}

/// An integer in a range, checked here where it is a literal and at run time where it is not.
pub(super) fn integer<T>(
    name: &Ident,
    expression: Expr,
    range: RangeInclusive<T>,
) -> syn::Result<Expr>
where
    T: FromStr<Err: Display> + Display + PartialOrd + Default,
{
    let Some((negative, literal)) = literal(&expression) else {
        return Ok(expression);
    };
    let wrong = |given: String| {
        syn::Error::new_spanned(
            &expression,
            format!(
                "`{name}` must be a whole number from {} to {}, but is {given}",
                range.start(),
                range.end()
            ),
        )
    };
    let Lit::Int(integer) = literal else {
        return Err(wrong(expression.to_token_stream().to_string()));
    };
    match integer.base10_parse::<T>() {
        Ok(value) if range.contains(&value) && !(negative && value > T::default()) => {
            Ok(expression)
        }
        _ if negative => Err(wrong(format!("-{}", integer.base10_digits()))),
        _ => Err(wrong(integer.base10_digits().to_owned())),
    }
}

/// `(remote = "…")` is a definition on a server, `=` a string a file, and `=` anything else a type
/// that derives `Define`.
pub(super) fn definition(name: &Ident, input: ParseStream<'_>) -> syn::Result<Source> {
    if input.peek(syn::token::Paren) {
        let group: Group = input.parse()?;
        return remote.parse2(group.stream()).map(Source::Remote);
    }
    start_of_value(name, input)?;
    let literal = input.fork().parse::<Expr>().ok();
    let literal = literal.as_ref().and_then(string);
    let place: TokenStream = input.fork().parse::<TokenTree>()?.into();
    let problem = match literal {
        Some(path) if path.value().is_empty() => "the definition's path is empty; name a file",
        Some(path) if is_uuid(&path.value()) => {
            let problem = format!(
                "for a definition on a server, write definition(remote = {:?})",
                path.value()
            );
            return Err(syn::Error::new(path.span(), problem));
        }
        Some(path) => {
            input.parse::<Expr>()?;
            return Ok(Source::File(path.clone()));
        }
        None => match input.parse::<Type>() {
            Ok(kind) if matches!(ungroup(&kind), Type::Path(_)) => {
                return Ok(Source::Type(Box::new(kind)));
            }
            _ => "a definition is a file, or a type that derives `Define`; name a file",
        },
    };
    let fix = example(name);
    Err(syn::Error::new_spanned(
        place,
        format!("{problem}, by its path from the package's root: {fix}"),
    ))
}

pub(super) fn test_name(expression: Expr) -> syn::Result<LitStr> {
    match string(&expression) {
        Some(name) if name.value().contains(control::is_control) => {
            let escaped = control::escape(&name.value()).into_owned();
            Err(syn::Error::new_spanned(
                name,
                format!(
                    "`name` has control characters: \"{escaped}\"; terminals obey them, so use plain text"
                ),
            ))
        }
        Some(name) if !name.value().trim().is_empty() => Ok(name.clone()),
        _ => Err(syn::Error::new_spanned(
            &expression,
            "`name` must be a string that is not empty; without it the test is named after its module and function",
        )),
    }
}

/// The variant that one of some words stands for.
pub(super) fn choice(
    name: &Ident,
    expression: Expr,
    choices: &[(&str, &str)],
) -> syn::Result<Ident> {
    let given = string(&expression).map(LitStr::value);
    let chosen = choices
        .iter()
        .find(|(word, _)| given.as_deref() == Some(*word));
    if let Some((_, variant)) = chosen {
        return Ok(Ident::new(variant, Span::call_site()));
    }
    let words: Vec<_> = choices
        .iter()
        .map(|(word, _)| format!("\"{word}\""))
        .collect();
    let near = given
        .as_deref()
        .and_then(|given| nearest(given, choices.iter().map(|(word, _)| *word)));
    let hint = near
        .map(|word| format!("; did you mean \"{word}\"?"))
        .unwrap_or_default();
    Err(syn::Error::new_spanned(
        &expression,
        format!("`{name}` must be {}{hint}", words.join(" or ")),
    ))
}

pub(super) fn crate_path(name: &Ident, input: ParseStream<'_>) -> syn::Result<Path> {
    let expression = value(name, input)?;
    match expression {
        Expr::Path(path) if path.qself.is_none() => Ok(path.path),
        _ => Err(syn::Error::new_spanned(
            &expression,
            format!(
                "`crate` must be the path of the crate tdg, without quotes: {}",
                example(name)
            ),
        )),
    }
}

/// The JSON Pointers in the parentheses that must follow `name`.
pub(super) fn pointers(name: &Ident, input: ParseStream<'_>) -> syn::Result<Vec<LitStr>> {
    let read = Punctuated::<LitStr, Token![,]>::parse_terminated;
    let pointers = read.parse2(list(name, input)?).map_err(|error| {
        syn::Error::new(
            error.span(),
            format!("`{name}` takes JSON Pointers as strings: {}", example(name)),
        )
    })?;
    Ok(pointers.into_iter().collect())
}

/// The rows in the brackets that must follow `name =`, each a string.
pub(super) fn rows(name: &Ident, input: ParseStream<'_>) -> syn::Result<Vec<LitStr>> {
    start_of_value(name, input)?;
    let wrong = |error: syn::Error| {
        let problem = format!("`{name}` takes rows as strings of JSON: {}", example(name));
        syn::Error::new(error.span(), problem)
    };
    let list: Group = input.parse().map_err(wrong)?;
    if list.delimiter() != Delimiter::Bracket {
        return Err(wrong(syn::Error::new(list.span(), "")));
    }
    let read = Punctuated::<LitStr, Token![,]>::parse_terminated;
    let rows = read.parse2(list.stream()).map_err(wrong)?;
    Ok(rows.into_iter().collect())
}
