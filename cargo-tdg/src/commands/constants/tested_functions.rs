//! A test, with its definition and the functions that it calls.

use std::fs;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Attribute, File, FnArg, Item, ItemFn, Lit, Meta};

use crate::error::{Context as _, Error, Result};
use crate::record::RecordedTest;
use crate::sources::tokens::is_punct;
use crate::sources::{CallGraph, CodeConstants, FunctionConstants, Sources, plain};

/// The code that a test covers.
pub(super) struct TestedCode {
    pub(super) definition: DefinitionPlace,
    /// The name of the test's function.
    pub(super) function: String,
    /// The library functions that the test calls.
    pub(super) called: Vec<String>,
    /// The constants in these functions, and in functions that they call.
    pub(super) constants: CodeConstants,
}

/// The place of a definition.
#[derive(Debug, PartialEq)]
pub(super) enum DefinitionPlace {
    /// In a file, relative to the package.
    File(String),
    /// At the fields of a type.
    Type(String),
    /// At the parameters of the test.
    Parameters,
}

impl TestedCode {
    pub(super) fn read(record: &RecordedTest) -> Result<Self> {
        let package = &record.package;
        let Some(library) = &package.library else {
            return Err(Error::new(format!(
                "{} has no library to search for constants",
                package.name
            )));
        };
        let file = package.directory.join(&record.test.source);
        let source = fs::read_to_string(&file).context(file.display())?;
        let source = syn::parse_file(&source).context(file.display())?;
        let name = record.test.name.rsplit("::").next().unwrap_or_default();
        let Some((function, attribute)) = test(&source.items, name) else {
            return Err(Error::new(format!(
                "{} has no function {name} with #[ensemble_test], so the functions under test are \
                 unknown",
                record.test.source
            )));
        };
        let read = |path: &std::path::Path| fs::read_to_string(path);
        let sources = Sources::read(library, &read)?;
        let calls = CallGraph::new(&sources, false);
        let called = calls.called_by(&code(function));
        if called.is_empty() {
            return Err(Error::new(format!(
                "{} calls no function of {} by its name",
                record.test, library.name
            )));
        }
        let constants = FunctionConstants::new(&sources, &calls, package);
        Ok(Self {
            definition: definition(attribute),
            function: name.to_owned(),
            called: called.iter().map(|it| calls.name(*it)).collect(),
            constants: constants.of_code(&called),
        })
    }
}

/// Returns the code of a test: its body and its parameters' makers.
fn code(function: &ItemFn) -> TokenStream {
    let mut code = function.block.to_token_stream();
    let inputs = function.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(input) => Some(&input.attrs),
        FnArg::Receiver(_) => None,
    });
    for attribute in inputs.flatten() {
        if let Meta::List(list) = &attribute.meta
            && let Some(made) = option(&list.tokens, "via")
        {
            code.extend(made);
            code.extend([TokenTree::from(Group::new(
                Delimiter::Parenthesis,
                TokenStream::new(),
            ))]);
        }
    }
    code
}

/// Returns the value of an attribute's option.
fn option(tokens: &TokenStream, name: &str) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let is_it = |at: &usize| {
        matches!(&tokens[*at], TokenTree::Ident(it) if it == name)
            && is_punct(&tokens, Some(at + 1), '=')
    };
    let at = (0..tokens.len()).find(is_it)?;
    let stated = tokens[at + 2..].iter();
    let stated = stated.take_while(|it| !matches!(it, TokenTree::Punct(it) if it.as_char() == ','));
    Some(stated.cloned().collect())
}

/// Returns the test with this name in any module.
fn test<'f>(items: &'f [Item], name: &str) -> Option<(&'f ItemFn, &'f Attribute)> {
    items.iter().find_map(|item| match item {
        Item::Fn(function) if plain(&function.sig.ident) == name => {
            let is_test = |it: &&Attribute| {
                let last = it.path().segments.last();
                last.is_some_and(|last| last.ident == "ensemble_test")
            };
            Some((function, function.attrs.iter().find(is_test)?))
        }
        Item::Mod(module) => test(&module.content.as_ref()?.1, name),
        _ => None,
    })
}

fn definition(attribute: &Attribute) -> DefinitionPlace {
    let stated = match &attribute.meta {
        Meta::List(list) => option(&list.tokens, "definition"),
        _ => None,
    };
    let Some(stated) = stated else {
        return DefinitionPlace::Parameters;
    };
    match syn::parse2::<Lit>(stated.clone()) {
        Ok(Lit::Str(file)) => DefinitionPlace::File(file.value()),
        _ => {
            let last = stated.into_iter().last();
            DefinitionPlace::Type(last.map_or_else(String::new, |it| it.to_string()))
        }
    }
}

/// Returns the test with this name.
pub(super) fn function<'f>(file: &'f File, name: &str) -> Option<&'f ItemFn> {
    test(&file.items, name).map(|(function, _)| function)
}
