//! The code of examples: tests, example programs, documentation and README.

mod call_example;
mod code_block;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proc_macro2::TokenStream;
use syn::{Attribute, Expr, ExprLit, Item, Lit, Meta};

pub(crate) use self::call_example::CallExample;
pub(crate) use self::code_block::{CodeBlock, code_blocks};
use super::tokens::identifiers;
use super::{Sources, associated_functions, derived, rust_files};

/// The maximum number of test and example files to read.
const FILES: usize = 500;

/// The code of a crate's examples.
#[derive(Default)]
pub(crate) struct Examples {
    pub(super) codes: Vec<TokenStream>,
    /// The names in each; none in code that doesn't run.
    names: Vec<BTreeSet<String>>,
}

impl Examples {
    pub(crate) fn new(sources: &Sources, package: &Path) -> Self {
        let codes = codes(sources, package).into_iter().map(|(code, runs)| {
            let names = runs.then(|| identifiers(code.clone()));
            (code, names.unwrap_or_default())
        });
        let (codes, names) = codes.unzip();
        Self { codes, names }
    }

    /// Returns the codes with a name.
    pub(super) fn naming(&self, name: &str) -> impl Iterator<Item = &TokenStream> {
        let codes = self.codes.iter().zip(&self.names);
        let codes = codes.filter(move |(_, names)| names.contains(name));
        codes.map(|(code, _)| code)
    }
}

/// Returns code, each with true if it runs.
fn codes(sources: &Sources, package: &Path) -> Vec<(TokenStream, bool)> {
    let files = ["tests", "examples", "benches"].map(|it| rust_files(&package.join(it)));
    let files = files.iter().flatten().take(FILES);
    let texts = files.filter_map(|it| fs::read_to_string(it).ok());
    let codes = texts.filter_map(|it| it.parse().ok());
    let codes = sources.tests.iter().cloned().chain(codes);
    let codes = codes.map(|it| (it, true));
    let readme = fs::read_to_string(package.join("README.md")).unwrap_or_default();
    let of_readme = examples(readme.lines()).into_iter();
    let of_readme = of_readme.filter_map(|(text, runs)| Some((text.parse().ok()?, runs)));
    codes
        .chain(of_documentation(sources))
        .chain(of_readme)
        .collect()
}

/// Returns the example code in the documentation of the crate, its types, and its functions.
fn of_documentation(sources: &Sources) -> impl Iterator<Item = (TokenStream, bool)> {
    let items = sources.modules.iter().flat_map(|it| &it.items);
    let items = items.filter_map(|item| match item {
        Item::Fn(item) => Some(&item.attrs[..]),
        item => Some(derived(item)?.1),
    });
    let associated = associated_functions(sources).map(|(_, _, it)| &it.attrs[..]);
    let all = [&sources.documentation[..]]
        .into_iter()
        .chain(items)
        .chain(associated);
    let examples = all.flat_map(|attributes| {
        let lines = documentation(attributes);
        let lines: Vec<String> = lines.collect();
        examples(lines.iter().flat_map(|it| it.lines()))
    });
    examples.filter_map(|(text, runs)| Some((text.parse().ok()?, runs)))
}

/// Returns the documentation in attributes.
fn documentation(attributes: &[Attribute]) -> impl Iterator<Item = String> {
    attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                Expr::Lit(ExprLit {
                    lit: Lit::Str(line),
                    ..
                }) => Some(line.value()),
                _ => None,
            },
            _ => None,
        })
}

/// Attributes of code blocks that rustdoc doesn't run, or expects to fail.
const NOT_RUN: [&str; 4] = ["no_run", "ignore", "compile_fail", "should_panic"];

/// Returns the text of each fenced code block, with true if it runs.
fn examples<'l>(lines: impl Iterator<Item = &'l str>) -> Vec<(String, bool)> {
    let blocks = code_blocks(lines.enumerate()).into_iter();
    let is_run = |it: &CodeBlock| !NOT_RUN.iter().any(|tag| it.tags.contains(tag));
    let examples = blocks.map(|it| {
        let runs = is_run(&it);
        (it.code, runs)
    });
    examples.collect()
}
