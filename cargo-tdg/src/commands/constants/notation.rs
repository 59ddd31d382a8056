//! Edits edge cases in the attribute of a parameter or a field. All other text stays.

use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, File, FnArg, GenericArgument, Item, Meta, PathArguments, Type};

use super::missing_constants::{EdgeCases, MissingConstants};
use super::tested_functions::{self, DefinitionPlace, TestedCode};
use crate::sources::edit::{insert, parse};
use crate::sources::tokens::{is_punct, last_word, ungrouped};
use crate::sources::{parameter_name, plain};

/// Adds edge cases to the source; `None` if no plain attribute describes the feature.
pub(super) fn with_edge_cases(
    source: &str,
    code: &TestedCode,
    missing: &MissingConstants,
) -> Option<String> {
    // The attribute describes an element between brackets.
    if missing.pointer.last().is_some_and(|it| it == "element") {
        return None;
    }
    let file = parse(source)?;
    let attributes = attributes(&file, code, &missing.path)?;
    let define = attributes.iter().find_map(|it| match &it.meta {
        Meta::List(list) if list.path.is_ident("define") => Some(&list.tokens),
        _ => None,
    });
    let with = inserted(source, define?, missing);
    with.filter(|it| parse(it).is_some())
}

fn inserted(source: &str, define: &TokenStream, missing: &MissingConstants) -> Option<String> {
    let tokens: Vec<TokenTree> = define.clone().into_iter().collect();
    let stated = tokens.windows(2).find(|pair| match pair {
        [TokenTree::Ident(name), TokenTree::Group(_)] => name == "edge_cases",
        _ => false,
    });
    let wanted = missing.wanted.notation();
    let Some(stated) = stated else {
        let end = tokens.last()?.span().byte_range().end;
        let comma = match is_punct(&tokens, tokens.len().checked_sub(1), ',') {
            true => "",
            false => ",",
        };
        return Some(insert(source, &[(end, format!("{comma} {wanted}"))]));
    };
    // Keeps edge cases that differ from the benchmark's: they are newer or name constants.
    let known = missing.stated.iter().map(EdgeCases::notation);
    let known = known
        .chain([wanted.clone()])
        .filter_map(|it| it.parse().ok());
    let text = TokenStream::from_iter(stated.iter().cloned()).to_string();
    let is_known = known
        .map(|it: TokenStream| it.to_string())
        .any(|it| it == text);
    let place = stated[0].span().byte_range().start..stated[1].span().byte_range().end;
    is_known.then(|| format!("{}{wanted}{}", &source[..place.start], &source[place.end..]))
}

/// Returns the attributes of the parameter or field at a path, if they are in the file.
fn attributes<'f>(file: &'f File, code: &TestedCode, path: &str) -> Option<&'f [Attribute]> {
    let mut names = path.split('/');
    let first = names.next()?;
    let mut found = match &code.definition {
        DefinitionPlace::File(_) => return None,
        DefinitionPlace::Type(of) => field(&file.items, of, first),
        DefinitionPlace::Parameters => {
            let function = tested_functions::function(file, &code.function)?;
            let inputs = function.sig.inputs.iter().enumerate();
            let mut inputs = inputs.filter_map(|(at, input)| match input {
                FnArg::Typed(it) => Some((parameter_name(at, &it.pat), &it.attrs[..], &*it.ty)),
                FnArg::Receiver(_) => None,
            });
            let found = inputs.find(|(name, _, _)| name == first);
            found.map(|(_, attributes, kind)| (attributes, kind))
        }
    };
    for name in names {
        let (_, kind) = found?;
        found = field(&file.items, &last_word(element(kind))?, name);
    }
    found.map(|(attributes, _)| attributes)
}

/// Returns the field of a struct in the file.
fn field<'f>(items: &'f [Item], of: &str, name: &str) -> Option<(&'f [Attribute], &'f Type)> {
    items.iter().find_map(|item| match item {
        Item::Struct(item) if plain(&item.ident) == of => item.fields.iter().find_map(|field| {
            let is_it = field.ident.as_ref().is_some_and(|it| plain(it) == name);
            is_it.then_some((&field.attrs[..], &field.ty))
        }),
        Item::Mod(module) => field(&module.content.as_ref()?.1, of, name),
        _ => None,
    })
}

/// Returns the type within references, lists and options.
fn element(kind: &Type) -> &Type {
    match ungrouped(kind) {
        Type::Reference(it) => element(&it.elem),
        Type::Slice(it) => element(&it.elem),
        Type::Array(it) => element(&it.elem),
        Type::Path(path) => {
            let arguments = path.path.segments.last().map(|it| &it.arguments);
            match arguments {
                Some(PathArguments::AngleBracketed(it)) => match it.args.first() {
                    Some(GenericArgument::Type(inner)) => element(inner),
                    _ => kind,
                },
                _ => kind,
            }
        }
        other => other,
    }
}
