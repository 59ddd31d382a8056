//! Loads the files of a crate: `name.rs`, `name/mod.rs`, `#[path]` and inline modules.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::{io, mem};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, Expr, ExprLit, Generics, Item, ItemMod, Lit, Meta, parse_quote};

use super::conditions::{attributes, is_of_tests};
use super::features::{LeftOut, enabled};
use super::names::{imports, named};
use super::{Module, Sources, is_public, parameter, plain};
use crate::error::{Context as _, Result};
use crate::workspace::Library;

/// The maximum depth: a `#[path]` may lead a module to itself.
const DEEPEST: usize = 64;

/// The directories of a module's submodules.
struct ModulePlace {
    /// The base directory of `#[path]`.
    paths: PathBuf,
    /// The directory of `name.rs` and `name/mod.rs`.
    files: PathBuf,
    depth: usize,
}

impl ModulePlace {
    fn at(directory: PathBuf, depth: usize) -> Self {
        ModulePlace {
            paths: directory.clone(),
            files: directory,
            depth,
        }
    }
}

struct Loader<'r> {
    sources: Sources,
    read: &'r dyn Fn(&Path) -> io::Result<String>,
    /// The features that are on; `None` to read all code.
    enabled: Option<BTreeSet<String>>,
}

impl Sources {
    /// Reads the crate, with the code for all features.
    pub(crate) fn read(
        library: &Library,
        read: &dyn Fn(&Path) -> io::Result<String>,
    ) -> Result<Self> {
        Self::read_for(library, None, read)
    }

    /// Reads the code of the crate that is built with these features and the default ones.
    pub(crate) fn read_built(
        library: &Library,
        features: &[String],
        read: &dyn Fn(&Path) -> io::Result<String>,
    ) -> Result<Self> {
        let enabled = enabled(&library.features, features);
        Self::read_for(library, Some(enabled), read)
    }

    fn read_for(
        library: &Library,
        enabled: Option<BTreeSet<String>>,
        read: &dyn Fn(&Path) -> io::Result<String>,
    ) -> Result<Self> {
        let (name, root) = (&library.name, &library.root);
        let file = read(root).context(root.display())?;
        let sources = Self {
            name: name.clone(),
            imports_from_root: library.imports_from_root,
            shared_paths: BTreeSet::new(),
            modules: Vec::new(),
            documentation: Vec::new(),
            tests: Vec::new(),
            unread: Vec::new(),
            to_string: parse_quote!(fn to_string(&self) -> String),
            resolved: RefCell::default(),
        };
        let mut loader = Loader {
            sources,
            read,
            enabled,
        };
        let file = loader.parsed(&file, root).context(root.display())?;
        loader.add(name, true, 0, file.items, &ModulePlace::at(folder(root), 0));
        loader.sources.expand_aliases();
        Ok(loader.sources)
    }
}

#[cfg(test)]
impl Sources {
    /// Returns the crate `shop` with these files, starting at `src/lib.rs`.
    pub(crate) fn of_files(read: &dyn Fn(&Path) -> io::Result<String>) -> Result<Self> {
        let library = Library {
            name: "shop".to_owned(),
            root: "src/lib.rs".into(),
            features: Default::default(),
            imports_from_root: false,
        };
        Self::read(&library, read)
    }

    /// Returns the crate `shop` with this file.
    pub(crate) fn of_code(code: &str) -> Self {
        Self::of_files(&|_| Ok(code.to_owned())).unwrap()
    }
}

impl Loader<'_> {
    fn add(
        &mut self,
        name: &str,
        is_public: bool,
        parent: usize,
        items: Vec<Item>,
        place: &ModulePlace,
    ) -> usize {
        let id = self.sources.modules.len();
        self.sources.modules.push(Module {
            name: name.to_owned(),
            is_public,
            parent,
            ..Module::default()
        });
        let mut own = Vec::new();
        let mut children = Vec::new();
        for item in items {
            match item {
                Item::Mod(module) if is_of_tests(&module.attrs) => {
                    self.add_tests(&module, place);
                }
                // Neither other crates nor tests in `tests` can access it.
                item if is_of_tests(attributes(&item)) => {
                    self.sources.tests.push(item.to_token_stream());
                }
                Item::Mod(module) => children.extend(self.child(module, id, place)),
                other => own.push(other),
            }
        }
        let module = &mut self.sources.modules[id];
        module.children = children;
        for (position, item) in own.iter().enumerate() {
            if let Some(name) = named(item) {
                module.names.entry(name).or_insert(position);
            }
            if let Item::Use(item) = item {
                module.imports.extend(imports(item));
            }
        }
        module.items = own;
        id
    }

    /// Adds a module of tests, with its modules in other files.
    fn add_tests(&mut self, module: &ItemMod, place: &ModulePlace) {
        if module.content.is_some() || place.depth >= DEEPEST {
            self.sources.tests.push(module.to_token_stream());
            return;
        }
        let stated = stated_path(&module.attrs).map(|path| place.paths.join(path));
        let (_, inner, text) = self.file_of(&plain(&module.ident), stated, place);
        let Some(tests) = text.ok().and_then(|it| syn::parse_file(&it).ok()) else {
            return;
        };
        for item in &tests.items {
            if let Item::Mod(module) = item
                && module.content.is_none()
            {
                self.add_tests(module, &inner);
            }
        }
        self.sources.tests.push(tests.into_token_stream());
    }

    fn child(&mut self, module: ItemMod, parent: usize, place: &ModulePlace) -> Option<usize> {
        let name = plain(&module.ident);
        let is_public = is_public(&module.vis);
        let stated = stated_path(&module.attrs).map(|path| place.paths.join(path));
        let depth = place.depth + 1;
        if let Some((_, items)) = module.content {
            let directory = stated.unwrap_or_else(|| place.files.join(&name));
            return Some(self.add(
                &name,
                is_public,
                parent,
                items,
                &ModulePlace::at(directory, depth),
            ));
        }
        if depth > DEEPEST {
            return None;
        }
        let (file, place, text) = self.file_of(&name, stated, place);
        let read = text.map_err(|error| error.to_string());
        let parsed = read.and_then(|it| self.parsed(&it, &file).map_err(|it| it.to_string()));
        match parsed {
            Ok(parsed) => Some(self.add(&name, is_public, parent, parsed.items, &place)),
            Err(reason) => {
                self.miss(&file, &reason);
                None
            }
        }
    }

    fn miss(&mut self, file: &Path, reason: &dyn Display) {
        let unread = format!("{}: {reason}", file.display());
        self.sources.unread.push(unread);
    }

    /// Parses a file, without the items that only another edition or version can parse.
    fn parsed(&mut self, text: &str, file: &Path) -> syn::Result<syn::File> {
        let mut parsed = match syn::parse_file(text) {
            Ok(parsed) => parsed,
            Err(error) => {
                let items = parsed_items.parse_str(text).map_err(|_| error.clone())?;
                self.miss(file, &error);
                syn::File {
                    shebang: None,
                    attrs: Vec::new(),
                    items,
                }
            }
        };
        OneParameter.visit_file_mut(&mut parsed);
        if let Some(enabled) = &self.enabled {
            LeftOut { enabled }.visit_file_mut(&mut parsed);
        }
        self.sources
            .documentation
            .extend(mem::take(&mut parsed.attrs));
        Ok(parsed)
    }

    /// Finds the file of a module and the place of its submodules.
    fn file_of(
        &self,
        name: &str,
        stated: Option<PathBuf>,
        place: &ModulePlace,
    ) -> (PathBuf, ModulePlace, io::Result<String>) {
        let depth = place.depth + 1;
        if let Some(file) = stated {
            let text = (self.read)(&file);
            let place = ModulePlace::at(folder(&file), depth);
            return (file, place, text);
        }
        let directory = place.files.join(name);
        let beside = place.files.join(format!("{name}.rs"));
        match (self.read)(&beside) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let inside = directory.join("mod.rs");
                let text = (self.read)(&inside);
                (inside, ModulePlace::at(directory, depth), text)
            }
            text => {
                let place = ModulePlace {
                    paths: place.files.clone(),
                    files: directory,
                    depth,
                };
                (beside, place, text)
            }
        }
    }
}

/// Parses each item alone. One that can't be parsed is kept as its tokens, up to the next item.
fn parsed_items(input: ParseStream<'_>) -> syn::Result<Vec<Item>> {
    input.call(Attribute::parse_inner)?;
    let mut items = Vec::new();
    while !input.is_empty() {
        let ahead = input.fork();
        if let Ok(item) = ahead.parse() {
            input.advance_to(&ahead);
            items.push(item);
            continue;
        }
        let mut tokens = TokenStream::new();
        while !input.is_empty() {
            let token: TokenTree = input.parse()?;
            let is_last = match &token {
                TokenTree::Punct(it) => it.as_char() == ';',
                TokenTree::Group(it) => it.delimiter() == Delimiter::Brace,
                _ => false,
            };
            tokens.extend([token]);
            if is_last {
                break;
            }
        }
        items.push(Item::Verbatim(tokens));
    }
    Ok(items)
}

/// Keeps one of several `cfg`-gated parameters with the same name.
struct OneParameter;

impl VisitMut for OneParameter {
    fn visit_generics_mut(&mut self, generics: &mut Generics) {
        let names: Vec<String> = generics.params.iter().map(parameter).collect();
        let all = mem::take(&mut generics.params).into_iter().zip(0..);
        let is_last = |at: usize| !names[at + 1..].contains(&names[at]);
        generics.params = all
            .filter(|(_, at)| is_last(*at))
            .map(|(it, _)| it)
            .collect();
    }

    fn visit_block_mut(&mut self, _: &mut Block) {}
}

fn folder(file: &Path) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).to_owned()
}

/// Returns the path in `#[path = "…"]`.
pub(crate) fn stated_path(attributes: &[Attribute]) -> Option<String> {
    attributes
        .iter()
        .find_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
                Expr::Lit(ExprLit {
                    lit: Lit::Str(path),
                    ..
                }) => Some(path.value()),
                _ => None,
            },
            _ => None,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::public_functions;

    #[test]
    fn an_item_that_can_not_be_parsed_costs_only_itself() {
        let sources = Sources::of_code(
            "//! A crate of the first edition.
            use std::fmt;
            pub trait Old { fn show(&self, &str) -> u8; }
            pub fn kept(x: u8) -> u8 { x }
            pub mod inner { pub fn also(x: u8) -> u8 { x } }",
        );
        let functions = public_functions(&sources);
        let names: Vec<&str> = functions.iter().map(|it| it.name()).collect();
        assert_eq!(names, ["kept", "inner::also"]);
        let [unread] = &sources.unread[..] else {
            panic!("{:?}", sources.unread)
        };
        assert!(unread.starts_with("src/lib.rs: expected"), "{unread}");
        let broken = Sources::of_files(&|_| Ok("pub fn open( {".to_owned()));
        assert!(broken.is_err());
    }
}
