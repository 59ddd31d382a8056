//! The notation for a definition's JSON in attributes.
//!
//! | written | JSON |
//! |---|---|
//! | `key = value` | `"key": value` |
//! | `gaussian(mu = 1.0)`, `uuid` | `"distribution": {"type": "gaussian", "mu": 1.0}` |
//! | `other(key = value)`, `other` | `"other": {"key": value}`, `"other": true` |
//! | `1..=20` | `"min": 1, "max": 20` |
//! | `[uniform(0..9); 1..=5]` | `"distribution": {"type": "list", "length": …, "element": …}` |
//! | `(uniform(0..9), any)` | `"distribution": {"type": "object", "form": "array", …}` |
//! | `sorted(from, to)` | `"sorted": ["from", "to"]` |
//! | `one_of(products.sku)` | `"distribution": {"type": "one_of", "of": "products/sku"}` |
//! | `{any => uniform(0..9); 0..=5}` | `"distribution": {"type": "list", "form": "map", …}` |
//! | `"HALF" = 0.5` | an element of `"categories"`: `{"value": "HALF", "probability": 0.5}` |
//! | `gaussian(…) = 0.5` | an element of `"components"`: `{"distribution": …, "weight": 0.5}` |
//!
//! A value is a literal, a named constant, a list `[…]`, an object `(…)`, or a distribution. The
//! names of the distributions are the only words of the language that this module knows.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::parse::discouraged::AnyDelimiter;
use syn::token::{Brace, Bracket, Paren};
use syn::{Ident, Lit, LitInt, Token, bracketed, parenthesized};
use tdg_definition::json::Value;
use tdg_definition::{distribution, nearest};

use super::json_part::JsonPart;
use super::members::{self, MIXTURE, Members, elements_of, is_value, not_a_value, put};
use super::{list, map, range, reference, tuple};
use crate::commas;
use crate::source_places::Places;

fn one_member(name: &str, value: Value) -> Members {
    let mut members = Members::new();
    members.insert(name.to_owned(), value);
    members
}

/// Reads the members of an object, up to the end of the input.
pub(crate) fn members(input: ParseStream<'_>, members: &mut Members, part: &mut JsonPart<'_>) {
    part.each(input, "items", |input, part| item(input, members, part));
}

/// Reads one member of an object.
pub(crate) fn item(
    input: ParseStream<'_>,
    members: &mut Members,
    part: &mut JsonPart<'_>,
) -> syn::Result<()> {
    if range::is_next(input) {
        return range::read(input, members, part);
    }
    if is_value(input) && !is_parameter(input, members) {
        return without_name(input, members, part);
    }
    if let Some(read) = parts_next(input)? {
        return of_parts(read, input, members, part);
    }
    if reference::is_next(input, members) {
        let (path, tokens) = reference::read(input)?;
        part.add_member(reference::OF, &tokens);
        return put(members, &tokens, reference::OF, path);
    }
    let name = input.call(Ident::parse_any).map_err(|error| {
        syn::Error::new(
            error.span(),
            "expected a parameter or a distribution: \
             `null_probability = 0.1`, `gaussian(mu = 10.0, sigma = 2.0)`",
        )
    })?;
    if let Some(problem) = misplaced(&name, members, input) {
        return Err(syn::Error::new_spanned(name, problem));
    }
    if let Some(read) = said_of_drawn(&name).filter(|_| input.peek(Paren)) {
        return of_drawn(read, name, input, members, part);
    }
    if input.peek(Token![=]) || !is_distribution(&name) {
        let key = name.unraw().to_string();
        let (value, tokens) = modifier(&name, input, &mut part.child(&key))?;
        part.add_member(&key, quote!(#name #tokens));
        return put(members, &name, &key, value);
    }
    if is_weighted(input) {
        return component(name, input, members, part);
    }
    let (value, _) = typed(&name, input, &mut part.child("distribution"))?;
    put(members, &name, "distribution", value)
}

/// Reads the content of brackets into a value at that part.
type ReadParts = fn(ParseStream<'_>, &mut JsonPart<'_>) -> syn::Result<Value>;

/// Returns the reader of a map, a tuple or a list, if one is next.
fn parts_next(input: ParseStream<'_>) -> syn::Result<Option<ReadParts>> {
    match () {
        () if input.peek(Brace) => Ok(Some(map::read)),
        () if input.peek(Paren) => Ok(Some(tuple::read)),
        () if !input.peek(Bracket) => Ok(None),
        () if list::is_next(input) => Ok(Some(list::read)),
        () => Err(in_brackets(input)),
    }
}

/// Reads a map, a tuple or a list.
fn of_parts(
    read: ReadParts,
    input: ParseStream<'_>,
    members: &mut Members,
    part: &mut JsonPart<'_>,
) -> syn::Result<()> {
    let tokens: TokenStream = input.fork().parse::<TokenTree>()?.into();
    let (_, _, content) = input.parse_any_delimiter()?;
    let mut part = part.child("distribution");
    let distribution = read(&content, &mut part);
    // The rest after a mistake isn't another one.
    content.parse::<TokenStream>()?;
    part.add(&tokens);
    put(members, &tokens, "distribution", distribution?)
}

/// Returns the reader for the parentheses after `length` or `sorted`.
fn said_of_drawn(name: &Ident) -> Option<ReadParts> {
    match () {
        () if name == "length" => Some(list::length),
        () if name == "sorted" => Some(names_of_features),
        () => None,
    }
}

/// Reads `length(0..=5)` or `sorted(from, to)` after a drawn list.
fn of_drawn(
    read: ReadParts,
    name: Ident,
    input: ParseStream<'_>,
    members: &mut Members,
    part: &mut JsonPart<'_>,
) -> syn::Result<()> {
    let key = name.unraw().to_string();
    let tokens: TokenTree = input.fork().parse()?;
    let mut part = part.child(&key);
    part.add(quote!(#name #tokens));
    let content;
    parenthesized!(content in input);
    let value = read(&content, &mut part)?;
    put(members, &name, &key, value)
}

/// Reads `from, to`: the features by which a list's elements are sorted.
fn names_of_features(input: ParseStream<'_>, part: &mut JsonPart<'_>) -> syn::Result<Value> {
    let mut names = Vec::new();
    part.each(input, "features", |input, part| {
        let (path, tokens) = match input.peek(LitInt) {
            // The position in a tuple.
            true => {
                let position: LitInt = input.parse()?;
                (position.base10_digits().into(), position.to_token_stream())
            }
            false => reference::read(input)?,
        };
        part.child(names.len().to_string()).add(tokens);
        names.push(path);
        Ok(())
    });
    Ok(Value::Array(names))
}

/// Explains a word in the wrong place, such as `one_of = xs` or a maker within a map.
fn misplaced(name: &Ident, members: &Members, input: ParseStream<'_>) -> Option<String> {
    let word = name.unraw().to_string();
    if word == "via" || word == "parse" && (input.is_empty() || input.peek(Token![,])) {
        return Some(format!(
            "`{word}` makes a parameter, a field, an element of a list or a value of a tuple; a map \
             is made as a whole: via = |map: BTreeMap<String, i64>| …"
        ));
    }
    // A parameter may be named like a distribution: `beta(alpha = 2, beta = 5)`.
    let is_parameter = range::distribution_of(members).is_some();
    let is_distribution = distribution::names().any(|(name, _)| name == word);
    (is_distribution && !is_parameter && input.peek(Token![=])).then(|| {
        format!("`{word}` is a distribution, whose parameters are in parentheses: {word}(…)")
    })
}

/// Reads the value of a modifier: `= 0.1`, members in parentheses, or nothing.
fn modifier(
    name: &Ident,
    input: ParseStream<'_>,
    part: &mut JsonPart<'_>,
) -> syn::Result<(Value, TokenStream)> {
    if input.parse::<Option<Token![=]>>()?.is_none() {
        return match input.peek(Paren) {
            true => object(input, Members::new(), part),
            false => Ok((Value::from(true), TokenStream::new())),
        };
    }
    if range::is_next(input) {
        let range = commas::item(input);
        let problem = format!("a range has no name: write {}", range::text(&range));
        return Err(syn::Error::new_spanned(quote!(#name #range), problem));
    }
    value(name, input, part)
}

/// Returns true if the name of a parameter is next, rather than a category.
fn is_parameter(input: ParseStream<'_>, members: &Members) -> bool {
    let is_name = input.peek(Ident::peek_any) && input.peek2(Token![=]);
    is_name && without_categories(members).is_some()
}

/// Reads a category, or the value of the only parameter: `pattern("[a-z]{1,8}")`.
fn without_name(
    input: ParseStream<'_>,
    members: &mut Members,
    part: &mut JsonPart<'_>,
) -> syn::Result<()> {
    let Some(name) = without_categories(members) else {
        return category(input, members, part);
    };
    let only = distribution::only_parameter(name).filter(|only| !members.contains_key(only));
    let ahead = input.fork();
    let (value, tokens) = members::value(&ahead, part.places)?;
    let Some(only) = only.filter(|_| ahead.is_empty() || ahead.peek(Token![,])) else {
        return Err(without_names(name, members, input));
    };
    commas::skip_to_comma(input);
    part.add_member(only, &tokens);
    put(members, &tokens, only, value)
}

/// Reads `"HALF" = 0.5`, or only `"HALF"` if all are equally likely.
fn category(
    input: ParseStream<'_>,
    members: &mut Members,
    part: &mut JsonPart<'_>,
) -> syn::Result<()> {
    let (value, mut tokens) = members::value(input, part.places)?;
    if range::distribution_of(members).is_none() {
        let problem = "a value needs a name, or a distribution around it: `probability = 0.5`, \
                       `constant(5)`, `categorical(\"a\", \"b\")`";
        return Err(syn::Error::new_spanned(tokens, problem));
    }
    let mut element = one_member("value", value);
    let list = elements_of(members, "categories")
        .ok_or_else(|| syn::Error::new_spanned(&tokens, "`categories` is already given"))?;
    let at = part.pointer.child("categories");
    let mut part = part.at(at.child(list.len().to_string()));
    part.add_member("value", &tokens);
    if let Some((probability, share)) = weight(input, part.places)? {
        element.insert("probability", probability);
        part.add_member("probability", &share);
        share.to_tokens(&mut tokens);
    }
    part.add(tokens);
    list.push(Value::Object(element));
    Ok(())
}

/// Explains the mistake in `categorical(["a", "b"])`.
fn in_brackets(input: ParseStream<'_>) -> syn::Error {
    let written = commas::item(input);
    let mut listed = written.clone().into_iter();
    let problem = match listed.next() {
        Some(TokenTree::Group(group)) if listed.next().is_none() => {
            format!(
                "list values without brackets: {}",
                group.stream().to_string().replace(" ,", ",")
            )
        }
        _ => "list values without brackets".to_owned(),
    };
    syn::Error::new_spanned(written, problem)
}

/// Returns the name of the current distribution, if it has no categories.
fn without_categories(members: &Members) -> Option<&str> {
    let given = members.get("type")?.as_str()?;
    let mut names = distribution::names();
    let (name, _) = names.find(|(name, aliases)| *name == given || aliases.contains(&given))?;
    (name != "categorical").then_some(given)
}

/// Explains the mistake in `uniform(1, 20)`, from the first value on: all of them need names.
fn without_names(name: &str, members: &Members, input: ParseStream<'_>) -> syn::Error {
    let (mut values, mut named) = (Vec::new(), Vec::new());
    while !input.is_empty() {
        let ahead = input.fork();
        match ahead.call(Ident::parse_any) {
            Ok(name) if ahead.peek(Token![=]) => named.push(name.unraw().to_string()),
            _ => values.push(commas::item(input)),
        }
        commas::skip_to_comma(input);
        let _ = input.parse::<Token![,]>();
    }
    let is_given = |name: &str| members.contains_key(name) || named.iter().any(|it| it == name);
    let left = distribution::parameters_left(name, is_given);
    let left = left.into_iter().flatten();
    let literal = |tokens: &TokenStream| syn::parse2::<Lit>(tokens.clone()).ok();
    let literals: Option<Vec<Lit>> = values.iter().map(literal).collect();
    let pairs: Vec<String> = match literals {
        Some(literals) => left
            .zip(literals)
            .map(|(name, literal)| format!("{name} = {}", literal.to_token_stream()))
            .collect(),
        None => left.map(|name| format!("{name} = …")).collect(),
    };
    let problem = match pairs.as_slice() {
        _ if distribution::only_parameter(name).is_some() => {
            format!("`{name}` takes one value without a name")
        }
        [] => format!("`{name}` takes no value without a name"),
        _ if name == "mixture" => {
            format!("`{name}` takes distributions, each with its weight: {MIXTURE}")
        }
        _ if name == "one_of" => {
            let values = quote!(#(#values),*).to_string().replace(" ,", ",");
            format!(
                "`{name}` takes the name of a feature; to draw one of several values, write \
                 categorical({values})"
            )
        }
        [pair] => format!("a parameter needs its name: {name}({pair})"),
        pairs => format!("parameters need their names: {name}({})", pairs.join(", ")),
    };
    syn::Error::new_spanned(quote!(#(#values)*), problem)
}

/// Reads `gaussian(mu = 1.0, sigma = 2.0) = 0.5`.
fn component(
    name: Ident,
    input: ParseStream<'_>,
    members: &mut Members,
    part: &mut JsonPart<'_>,
) -> syn::Result<()> {
    let list = elements_of(members, "components")
        .ok_or_else(|| syn::Error::new_spanned(&name, "`components` is already given"))?;
    let at = part.pointer.child("components");
    let mut part = part.at(at.child(list.len().to_string()));
    let (distribution, mut tokens) = typed(&name, input, &mut part.child("distribution"))?;
    let mut element = one_member("distribution", distribution);
    if let Some((weight, share)) = weight(input, part.places)? {
        element.insert("weight", weight);
        part.add_member("weight", &share);
        share.to_tokens(&mut tokens);
    }
    part.add(tokens);
    list.push(Value::Object(element));
    Ok(())
}

fn weight(
    input: ParseStream<'_>,
    places: &mut Places,
) -> syn::Result<Option<(Value, TokenStream)>> {
    if input.peek(Token![:]) {
        return Err(input.error("expected a share after `=`: \"a\" = 0.5"));
    }
    if input.parse::<Option<Token![=]>>()?.is_none() {
        return Ok(None);
    }
    members::value(input, places).map(Some)
}

/// Returns true if `(…) = ` follows a name.
fn is_weighted(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    input.peek(Paren) && ahead.parse::<TokenTree>().is_ok() && ahead.peek(Token![=])
}

/// Returns true if this is the name of a distribution, or close to one.
pub(super) fn is_distribution(name: &Ident) -> bool {
    let names = distribution::names()
        .flat_map(|(name, aliases)| std::iter::once(name).chain(aliases.iter().copied()));
    // `length` is close to `length_of`, but follows a drawn list.
    name != "length" && nearest(&name.unraw().to_string(), names).is_some()
}

/// Reads a distribution after its name, as an object with its type.
pub(super) fn typed(
    name: &Ident,
    input: ParseStream<'_>,
    part: &mut JsonPart<'_>,
) -> syn::Result<(Value, TokenStream)> {
    let named = one_member("type", Value::from(name.unraw().to_string()));
    part.child("type").add(name);
    let (value, tokens) = if input.peek(Paren) {
        object(input, named, part)?
    } else {
        (Value::Object(named), TokenStream::new())
    };
    let tokens = quote!(#name #tokens);
    part.add(&tokens);
    Ok((value, tokens))
}

/// Adds the members in parentheses to the existing ones.
fn object(
    input: ParseStream<'_>,
    mut object: Members,
    part: &mut JsonPart<'_>,
) -> syn::Result<(Value, TokenStream)> {
    let tokens = input.fork().parse::<TokenTree>()?.into();
    let content;
    parenthesized!(content in input);
    members(&content, &mut object, part);
    if let Some(Value::Array(categories)) = object.get_mut("categories") {
        share_evenly(categories);
    }
    Ok((Value::Object(object), tokens))
}

/// Gives all categories the same probability, if none has one.
pub(crate) fn share_evenly(categories: &mut [Value]) {
    let has_none = |category: &Value| matches!(category, Value::Object(members) if !members.contains_key("probability"));
    if !categories.iter().all(has_none) {
        return;
    }
    let share = Value::from(1.0 / categories.len() as f64);
    for category in categories {
        if let Value::Object(members) = category {
            members.insert("probability", share.clone());
        }
    }
}

/// Reads the value after `name =`.
fn value(
    name: &Ident,
    input: ParseStream<'_>,
    part: &mut JsonPart<'_>,
) -> syn::Result<(Value, TokenStream)> {
    if input.is_empty() || input.peek(Token![,]) {
        return Err(syn::Error::new_spanned(
            name,
            format!("`{name}` needs a value: {name} = …"),
        ));
    }
    // The words after `type =` are also in capitals.
    if name != "type" && is_value(input) {
        return members::value(input, part.places);
    }
    if input.peek(Bracket) {
        return elements(name, input, part);
    }
    if input.peek(Paren) {
        return object(input, Members::new(), part);
    }
    if name == reference::OF && input.peek(Ident::peek_any) {
        return reference::read(input);
    }
    let word = input
        .call(Ident::parse_any)
        .map_err(|error| not_a_value(&error))?;
    if name == "type" {
        return Ok((Value::from(word.to_string()), word.into_token_stream()));
    }
    if is_distribution(&word) && !input.peek(Token![::]) {
        return typed(&word, input, part);
    }
    Err(not_a_value(&syn::Error::new_spanned(word, "")))
}

fn elements(
    name: &Ident,
    input: ParseStream<'_>,
    part: &mut JsonPart<'_>,
) -> syn::Result<(Value, TokenStream)> {
    let tokens = input.fork().parse::<TokenTree>()?.into();
    let content;
    bracketed!(content in input);
    let mut elements = Vec::new();
    part.each(&content, "elements", |input, part| {
        let mut part = part.child(elements.len().to_string());
        let (element, tokens) = value(name, input, &mut part)?;
        part.add(tokens);
        elements.push(element);
        Ok(())
    });
    Ok((Value::Array(elements), tokens))
}
