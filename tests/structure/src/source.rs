//! The modules of the product's crates, without tests and comments.

use std::collections::BTreeSet;
use std::fs;
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Item;

use crate::paths;

const CRATES: [&str; 12] = [
    "cargo-tdg",
    "tdg",
    "tdg-definition",
    "tdg-engine",
    "tdg-explain",
    "tdg-fit",
    "tdg-html",
    "tdg-macros",
    "tdg-report",
    "tdg-run",
    "tdg-server",
    "tdg-service",
];

pub(crate) struct Module {
    /// The name of the crate, and of each module down to this one.
    pub(crate) path: paths::Path,
    /// The path from the root of the workspace, with `/`.
    pub(crate) file: String,
    /// The names of its items.
    pub(crate) items: Vec<String>,
    /// The names of its types and traits.
    pub(crate) types: Vec<String>,
    /// The names that it imports, each with the path it refers to; `*` for a glob.
    pub(crate) imports: Vec<(String, paths::Path)>,
    /// Paths in its code that begin with `crate` or `super`.
    pub(crate) paths: Vec<paths::Path>,
    pub(crate) functions: Vec<Function>,
}

pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) line: usize,
    /// The lines of its code, trimmed.
    pub(crate) code: Vec<String>,
}

pub(crate) static MODULES: LazyLock<Vec<Module>> = LazyLock::new(|| {
    let mut modules = Vec::new();
    for name in CRATES {
        let is_root = |file: &&str| workspace().join(name).join(file).is_file();
        let root = ["src/lib.rs", "src/main.rs"].into_iter().find(is_root);
        let file = format!("{name}/{}", root.expect(name));
        read(vec![name.to_owned()], file, &mut modules);
    }
    modules
});

pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Reads a file, and the files of the modules that it declares.
fn read(path: paths::Path, file: String, modules: &mut Vec<Module>) {
    let text = fs::read_to_string(workspace().join(&file)).expect(&file);
    let tokens = without_tests(text.parse().expect(&file));
    let items = syn::parse2::<syn::File>(tokens).expect(&file).items;
    let lines: Vec<&str> = text.lines().collect();
    add(path, file, &lines, items, modules);
}

fn add(
    path: paths::Path,
    file: String,
    text: &[&str],
    items: Vec<Item>,
    modules: &mut Vec<Module>,
) {
    let mut module = Module {
        path: path.clone(),
        file: file.clone(),
        items: Vec::new(),
        types: Vec::new(),
        imports: Vec::new(),
        paths: Vec::new(),
        functions: Vec::new(),
    };
    for item in items {
        match item {
            Item::Mod(child) => {
                let path = [path.as_slice(), &[child.ident.to_string()]].concat();
                match child.content {
                    Some((_, items)) => add(path, file.clone(), text, items, modules),
                    None => read(path, file_of(&child.ident.to_string(), &file), modules),
                }
            }
            Item::Use(import) => paths::each_name(&import.tree, &[], &mut |path, name| {
                module.imports.push((name, path));
            }),
            item => {
                module.items.extend(name_of(&item));
                if is_type(&item) {
                    module.types.extend(name_of(&item));
                }
                let functions = functions_of(&item);
                let read = |(name, tokens)| Function::read(name, tokens, text);
                module.functions.extend(functions.into_iter().map(read));
                paths::in_code(item.into_token_stream(), &mut module.paths);
            }
        }
    }
    modules.push(module);
}

/// Returns the file of a module that another file declares.
fn file_of(name: &str, parent: &str) -> String {
    let (folder, stem) = parent.rsplit_once('/').unwrap();
    let folder = match stem {
        "lib.rs" | "main.rs" | "mod.rs" => folder,
        _ => parent.trim_end_matches(".rs"),
    };
    let files = [
        format!("{folder}/{name}.rs"),
        format!("{folder}/{name}/mod.rs"),
    ];
    let exists = |file: &String| workspace().join(file).is_file();
    files.into_iter().find(exists).expect(name)
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(it) => &it.ident,
        Item::Enum(it) => &it.ident,
        Item::Fn(it) => &it.sig.ident,
        Item::Macro(it) => it.ident.as_ref()?,
        Item::Static(it) => &it.ident,
        Item::Struct(it) => &it.ident,
        Item::Trait(it) => &it.ident,
        Item::Type(it) => &it.ident,
        _ => return None,
    };
    Some(name.to_string())
}

fn is_type(item: &Item) -> bool {
    matches!(
        item,
        Item::Enum(_) | Item::Struct(_) | Item::Trait(_) | Item::Type(_)
    )
}

/// Returns functions and methods with their names.
fn functions_of(item: &Item) -> Vec<(String, TokenStream)> {
    match item {
        Item::Fn(it) => vec![(it.sig.ident.to_string(), it.to_token_stream())],
        Item::Impl(block) => {
            let methods = block.items.iter().filter_map(|item| match item {
                syn::ImplItem::Fn(it) => Some((it.sig.ident.to_string(), it.to_token_stream())),
                _ => None,
            });
            methods.collect()
        }
        _ => Vec::new(),
    }
}

impl Function {
    fn read(name: String, tokens: TokenStream, text: &[&str]) -> Self {
        let mut numbers = BTreeSet::new();
        note_lines(tokens, &mut numbers);
        let line = |number: &usize| text[number - 1].trim().to_owned();
        Self {
            name,
            line: numbers.first().copied().unwrap_or_default(),
            code: numbers.iter().map(line).collect(),
        }
    }
}

fn note_lines(tokens: TokenStream, numbers: &mut BTreeSet<usize>) {
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            numbers.insert(group.span_open().start().line);
            numbers.insert(group.span_close().end().line);
            note_lines(group.stream(), numbers);
        } else {
            numbers.extend(token.span().start().line..=token.span().end().line);
        }
    }
}

/// Returns the tokens without documentation, and without items under `#[cfg(test)]`.
fn without_tests(tokens: TokenStream) -> TokenStream {
    let mut kept = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        if is_sign(&token, '#') {
            let mark = tokens.next_if(|token| is_sign(token, '!'));
            let attribute = tokens.next().expect("an attribute");
            let text = attribute.to_string().replace(' ', "");
            if text == "[cfg(test)]" || text.starts_with("[cfg(all(test,") {
                skip_item(&mut tokens);
            } else if !text.starts_with("[doc=") {
                kept.extend([token].into_iter().chain(mark).chain([attribute]));
            }
        } else if let TokenTree::Group(group) = &token {
            let mut copy = Group::new(group.delimiter(), without_tests(group.stream()));
            copy.set_span(group.span());
            kept.push(TokenTree::Group(copy));
        } else {
            kept.push(token);
        }
    }
    kept.into_iter().collect()
}

fn skip_item(tokens: &mut Peekable<impl Iterator<Item = TokenTree>>) {
    while let Some(token) = tokens.next() {
        if matches!(&token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace) {
            tokens.next_if(|next| is_sign(next, ';'));
            return;
        }
        if is_sign(&token, ';') || is_sign(&token, ',') {
            return;
        }
    }
}

fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(it) if it.as_char() == sign)
}
