//! A test, with its definition and the functions that it calls.

use std::collections::BTreeMap;
use std::fs;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Attribute, File, FnArg, Item, ItemFn, Lit, Meta};
use tdg_definition::json::Value;

use crate::error::{Context as _, Error, Result};
use crate::plan::bounds;
use crate::record::RecordedTest;
use crate::sources::tokens::{is_punct, names, text};
use crate::sources::{CallGraph, CodeConstants, FunctionConstants, Sources, parameter_name, plain};
use crate::workspace::Package;

/// The code that a test covers.
pub(super) struct TestedCode {
    pub(super) definition: DefinitionPlace,
    /// The name of the test's function.
    pub(super) function: String,
    /// The library functions that the test calls.
    pub(super) called: Vec<String>,
    /// The constants in these functions, and in functions that they call.
    constants: CodeConstants,
    /// The parameters of the test by name.
    parameters: BTreeMap<String, ComparedParameter>,
}

/// A parameter of a test.
struct ComparedParameter {
    /// The constants that it is compared with, in the test and in functions that it is passed to.
    constants: CodeConstants,
    kind: String,
    /// Set if a function makes it from a drawn value.
    is_made: bool,
}

/// The code of a library.
pub(crate) struct LibraryCode {
    name: String,
    sources: Sources,
    calls: CallGraph,
}

impl LibraryCode {
    pub(crate) fn read(package: &Package) -> Result<Self> {
        let Some(library) = &package.library else {
            return Err(Error::new(format!(
                "{} has no library to search for constants",
                package.name
            )));
        };
        let read = |path: &std::path::Path| fs::read_to_string(path);
        let sources = Sources::read(library, &read)?;
        let calls = CallGraph::new(&sources, false);
        Ok(Self {
            name: library.name.clone(),
            sources,
            calls,
        })
    }
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
    pub(super) fn read(record: &RecordedTest, library: &LibraryCode) -> Result<Self> {
        let file = record.package.directory.join(&record.test.source);
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
        let calls = &library.calls;
        let code = code(function);
        let called = calls.called_by(&code);
        if called.is_empty() {
            return Err(Error::new(format!(
                "{} calls no function of {} by its name",
                record.test, library.name
            )));
        }
        let constants = FunctionConstants::of_sources(&library.sources, calls);
        let inputs = function.sig.inputs.iter().enumerate();
        let parameters = inputs.filter_map(|(at, input)| {
            let FnArg::Typed(input) = input else {
                return None;
            };
            let name = parameter_name(at, &input.pat);
            let mut defined = input
                .attrs
                .iter()
                .filter_map(|it| it.meta.require_list().ok());
            let is_made =
                defined.any(|it| ["via", "parse"].iter().any(|word| names(&it.tokens, word)));
            let parameter = ComparedParameter {
                constants: constants.compared(&code, &name),
                kind: text(&input.ty),
                is_made,
            };
            Some((name, parameter))
        });
        Ok(Self {
            definition: definition(attribute),
            function: name.to_owned(),
            parameters: parameters.collect(),
            constants: constants.of_code(&called),
            called: called.iter().map(|it| calls.name(*it)).collect(),
        })
    }

    /// Returns the constants that a feature is compared with. Within a struct that isn't known, a
    /// feature may be compared with any constant.
    pub(super) fn constants_of(&self, path: &str) -> &CodeConstants {
        let first = path
            .split('/')
            .next()
            .and_then(|it| self.parameters.get(it));
        first.map_or(&self.constants, |it| &it.constants)
    }

    /// Returns true if the parameter's type has the value.
    pub(super) fn can_be(&self, path: &str, value: &Value) -> bool {
        let Some(parameter) = self.parameters.get(path).filter(|it| !it.is_made) else {
            return !matches!(value, Value::String(_)) || !self.parameters.contains_key(path);
        };
        let mut words = parameter.kind.split(|it: char| !it.is_ascii_alphanumeric());
        let word = words.rfind(|it| !it.is_empty()).unwrap_or_default();
        match (value, bounds(word)) {
            (Value::String(_), _) => ["str", "String", "char", "u8"].contains(&word),
            (value, Some([least, most])) => {
                let value = value.as_i64().map(i128::from);
                value.is_none_or(|it| (least..=most).contains(&it))
            }
            _ => true,
        }
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
