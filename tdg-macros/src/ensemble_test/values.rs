//! The values of options.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::path::Path;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, LitStr, Token};
use tdg_definition::table::check_extension;
use tdg_definition::{control, nearest};

use crate::literal::{KnownNumber, json_of, number, string};

/// The name of an option as given, and an example of the whole option for messages.
pub(crate) struct OptionName {
    pub(crate) ident: Ident,
    pub(crate) example: &'static str,
}

impl OptionName {
    pub(crate) fn span(&self) -> Span {
        self.ident.span()
    }
}

impl Display for OptionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ident.fmt(f)
    }
}

/// Reads the value after `name`, which must be `= value`.
pub(super) fn value(name: &OptionName, input: ParseStream<'_>) -> syn::Result<Expr> {
    start_of_value(name, input)?;
    input.parse()
}

pub(super) fn start_of_value(name: &OptionName, input: ParseStream<'_>) -> syn::Result<()> {
    if !input.peek(Token![=]) {
        return Err(syn::Error::new(
            name.span(),
            format!("`{name}` needs a value: {}", name.example),
        ));
    }
    input.parse::<Token![=]>()?;
    if input.is_empty() || input.peek(Token![,]) {
        return Err(syn::Error::new(
            name.span(),
            format!("`{name}` needs a value: {}", name.example),
        ));
    }
    Ok(())
}

/// Reads the tokens in the parentheses that must follow `name`.
pub(super) fn list(name: &OptionName, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let wrong = || {
        syn::Error::new(
            name.span(),
            format!("`{name}` takes a list: {}", name.example),
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

/// Reads an integer in a range, which is checked at compile time if known, or else at run time.
pub(super) fn integer<T: TryFrom<i128> + Display + PartialOrd>(
    name: &OptionName,
    input: ParseStream<'_>,
    range: RangeInclusive<T>,
) -> syn::Result<Expr> {
    let expression = value(name, input)?;
    let Some(given) = json_of(&expression) else {
        return Ok(expression);
    };
    match number(&expression) {
        Some(KnownNumber::Integer(integer))
            if T::try_from(integer).is_ok_and(|it| range.contains(&it)) =>
        {
            Ok(expression)
        }
        _ => Err(syn::Error::new_spanned(
            &expression,
            format!(
                "`{name}` must be a whole number from {} to {}, but is {given}",
                range.start(),
                range.end()
            ),
        )),
    }
}

pub(super) fn test_name(name: &OptionName, input: ParseStream<'_>) -> syn::Result<LitStr> {
    let expression = value(name, input)?;
    match string(&expression) {
        Some(name) if name.value().contains(control::is_control) => {
            let escaped = control::escape(&name.value()).into_owned();
            Err(syn::Error::new_spanned(
                name,
                format!(
                    "`name` has control characters: \"{escaped}\"; terminals interpret them, so \
                     use plain text"
                ),
            ))
        }
        Some(name) if !name.value().trim().is_empty() => Ok(name.clone()),
        _ => Err(syn::Error::new_spanned(
            &expression,
            "`name` must be a non-empty string; without it the test is named after its module and \
             function",
        )),
    }
}

/// Reads one of several words, and returns the variant for it.
pub(super) fn choice(
    name: &OptionName,
    input: ParseStream<'_>,
    choices: &[(&str, &str)],
) -> syn::Result<Ident> {
    let expression = value(name, input)?;
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
    let word = match &expression {
        Expr::Path(path) => path.path.get_ident().map(Ident::to_string),
        _ => None,
    };
    let is_word = |word: &String| choices.iter().any(|(choice, _)| choice == word);
    if let Some(word) = word.filter(is_word) {
        let problem = format!("`{name}` takes a string: {name} = \"{word}\"");
        return Err(syn::Error::new_spanned(&expression, problem));
    }
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

/// Reads the strings in the parentheses that must follow `name`, each one of `kind`.
pub(super) fn strings(
    name: &OptionName,
    input: ParseStream<'_>,
    kind: &str,
) -> syn::Result<Vec<LitStr>> {
    let read = Punctuated::<LitStr, Token![,]>::parse_terminated;
    let strings = read.parse2(list(name, input)?).map_err(|error| {
        syn::Error::new(
            error.span(),
            format!("`{name}` takes {kind} as strings: {}", name.example),
        )
    })?;
    Ok(strings.into_iter().collect())
}

/// Reads the rows in the brackets that must follow `name =`, each a string.
pub(super) fn rows(name: &OptionName, input: ParseStream<'_>) -> syn::Result<Vec<LitStr>> {
    start_of_value(name, input)?;
    let wrong = |error: syn::Error| {
        let problem = format!("`{name}` takes rows as strings of JSON: {}", name.example);
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

/// Reads the path of a file of rows, relative to the package's root.
pub(super) fn rows_file(name: &OptionName, input: ParseStream<'_>) -> syn::Result<LitStr> {
    let expression = value(name, input)?;
    let wrong = |problem: &str| {
        let problem = format!("{problem}: {}", name.example);
        Err(syn::Error::new_spanned(&expression, problem))
    };
    let Some(path) = string(&expression) else {
        return wrong("`rows` is the path of a file from the package's root");
    };
    let value = path.value();
    if Path::new(&value).has_root() || value.contains(['\\', ':']) {
        return wrong(
            "the path has to work on every machine; write it from the package's root, with `/`",
        );
    }
    match check_extension(&value) {
        Ok(()) => Ok(path.clone()),
        Err(error) => wrong(&error.to_string()),
    }
}
