//! The code that a function's outputs depend on: whether it is the same, by its text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{ImplItem, Item, ItemImpl};

use crate::commands::compare::sides::ComparedSide;
use crate::error::Result;
use crate::sources::{Sources, associated_functions, plain};
use crate::workspace::Package;

/// The files of a package, and those of a workspace, that say how all is built.
const BUILD: [&str; 2] = ["Cargo.toml", "build.rs"];
const SETTINGS: [&str; 5] = [
    "Cargo.toml",
    ".cargo/config.toml",
    ".cargo/config",
    "rust-toolchain.toml",
    "rust-toolchain",
];
/// Macros that bring other files.
const INCLUDES: [&str; 3] = ["include", "include_str", "include_bytes"];

/// The code of a library.
pub(crate) struct LibraryCode {
    /// The functions that code names, by their names.
    functions: BTreeMap<String, NamedCode>,
    /// All other code.
    around: NamedCode,
    /// Whether there is code in files that weren't read.
    is_partial: bool,
}

/// Code, and the names in it.
#[derive(Default)]
struct NamedCode {
    text: String,
    names: BTreeSet<String>,
}

impl LibraryCode {
    /// With all else that is built for it.
    pub(crate) fn of(side: &ComparedSide, package: &Package, sources: &Sources) -> Result<Self> {
        let mut code = Self::of_sources(sources);
        let root = &side.workspace.directory;
        let of_root = SETTINGS.map(|it| root.join(it));
        let of_packages = side.workspace.packages.iter();
        let of_packages = of_packages.flat_map(|it| BUILD.map(|file| it.directory.join(file)));
        for file in of_root
            .into_iter()
            .chain(of_packages)
            .chain(side.lock.clone())
        {
            code.around.text += &fs::read_to_string(file).unwrap_or_default();
        }
        let others = side.workspace.packages.iter();
        let others = others.filter(|it| it.name != package.name);
        for other in others.filter_map(|it| it.library.as_ref()) {
            let read = |path: &Path| fs::read_to_string(path);
            let sources = Sources::read(&other.name, &other.root, &read)?;
            for item in sources.modules.iter().flat_map(|it| &it.items) {
                let mut other = NamedCode::default();
                other.add(item.to_token_stream());
                code.around.text += &other.text;
            }
        }
        Ok(code)
    }

    fn of_sources(sources: &Sources) -> Self {
        let mut functions: BTreeMap<String, NamedCode> = BTreeMap::new();
        let mut around = NamedCode::default();
        for module in &sources.modules {
            around.text += &module.name;
            for item in &module.items {
                let names_nothing = matches!(
                    item,
                    Item::Fn(_) | Item::Impl(ItemImpl { trait_: None, .. })
                );
                let mut code = NamedCode::default();
                code.add(without_bodies(item).to_token_stream());
                around.text += &code.text;
                around
                    .names
                    .extend(code.names.into_iter().filter(|_| !names_nothing));
                if let Item::Fn(function) = item {
                    let code = functions.entry(plain(&function.sig.ident)).or_default();
                    code.add(function.block.to_token_stream());
                }
            }
        }
        for (_, _, function) in associated_functions(sources) {
            let code = functions.entry(plain(&function.sig.ident)).or_default();
            code.add(function.block.to_token_stream());
        }
        let includes = |it: &NamedCode| INCLUDES.iter().any(|name| it.names.contains(*name));
        let is_whole = sources.unread.is_empty() && !functions.values().any(includes);
        Self {
            is_partial: !is_whole || includes(&around),
            functions,
            around,
        }
    }

    /// Whether nothing differs but what functions do that code names.
    pub(crate) fn is_same_around(&self, other: &Self) -> bool {
        self.around.text == other.around.text && !self.is_partial && !other.is_partial
    }

    /// The code that runs when that function is called, as far as it may differ: all functions
    /// with a name that it has, or that what is called without a name has.
    pub(crate) fn of_function(&self, name: &str) -> Vec<&str> {
        let mut reached = BTreeSet::new();
        let mut pending: Vec<&str> = self.around.names.iter().map(String::as_str).collect();
        pending.push(name);
        while let Some(name) = pending.pop() {
            if let Some((name, code)) = self.functions.get_key_value(name)
                && reached.insert(name)
            {
                pending.extend(code.names.iter().map(String::as_str));
            }
        }
        let code = reached
            .into_iter()
            .filter_map(|name| self.functions.get(name));
        code.map(|it| it.text.as_str()).collect()
    }
}

impl NamedCode {
    /// Adds tokens, but no comments of documentation.
    fn add(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match (token, tokens.peek()) {
                (TokenTree::Punct(it), Some(next))
                    if it.as_char() == '#' && is_documentation(next) =>
                {
                    tokens.next();
                }
                (TokenTree::Group(group), _) => {
                    self.text += &format!("{:?} ", group.delimiter());
                    self.add(group.stream());
                    self.text += "end ";
                }
                (token, _) => {
                    self.text += &format!("{token} ");
                    if let TokenTree::Ident(name) = token {
                        self.names.insert(plain(&name));
                    }
                }
            }
        }
    }
}

/// The item without what its functions do, but for what a trait asks for: nobody names those.
fn without_bodies(item: &Item) -> Item {
    let mut item = item.clone();
    match &mut item {
        Item::Fn(function) => function.block.stmts.clear(),
        Item::Impl(block) if block.trait_.is_none() => {
            for item in &mut block.items {
                if let ImplItem::Fn(function) = item {
                    function.block.stmts.clear();
                }
            }
        }
        _ => {}
    }
    item
}

fn is_documentation(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else {
        return false;
    };
    let first = group.stream().into_iter().next();
    matches!(first, Some(TokenTree::Ident(name)) if name == "doc")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(library: &str) -> LibraryCode {
        let read = |_: &Path| Ok(library.to_owned());
        let sources = Sources::read("shop", Path::new("src/lib.rs"), &read).unwrap();
        LibraryCode::of_sources(&sources)
    }

    /// The functions of these that may run other code after each change, or `all`.
    fn changed<const N: usize>(
        before: &str,
        functions: &[&str],
        changes: [(&str, &str); N],
    ) -> [String; N] {
        let then = code(before);
        changes.map(|(from, to)| {
            assert!(before.contains(from), "{from}");
            let now = code(&before.replace(from, to));
            if !then.is_same_around(&now) {
                return "all".to_owned();
            }
            let is_changed = |it: &&&str| then.of_function(it) != now.of_function(it);
            let changed = functions.iter().filter(is_changed).copied();
            changed.collect::<Vec<_>>().join(" ")
        })
    }

    #[test]
    fn a_change_in_an_implementation_reaches_all_who_may_call_it() {
        let before = "
            pub trait Area { fn area(&self) -> u32; fn twice(&self) -> u32 { 2 * self.area() } }
            impl Area for Square { fn area(&self) -> u32 { squared(self.0) } }
            impl Area for Circle { fn area(&self) -> u32 { self.radius() * 3 } }
            impl Circle { fn radius(&self) -> u32 { self.0 } }
            fn squared(n: u32) -> u32 { n * n }
            pub fn generic<A: Area>(it: A) -> u32 { it.twice() }
            pub fn dynamic(it: &dyn Area) -> u32 { it.area() }
            pub fn by_path(it: &Square) -> u32 { <Square as Area>::area(it) }
            pub fn other(n: u32) -> u32 { n }
        ";
        let functions = ["generic", "dynamic", "by_path", "Area::area"];
        let changes = [
            ("* 3", "* 4"),
            ("2 * self", "3 * self"),
            ("{ n * n }", "{ n * n + 1 }"),
            ("{ self.0 }", "{ self.0 + 1 }"),
        ];
        let each = functions.join(" ");
        assert_eq!(
            changed(before, &functions, changes),
            ["all", "all", &each, &each]
        );
    }

    #[test]
    fn code_is_the_same_if_all_is_that_may_run() {
        let before = "
            /// Before.
            pub fn direct(n: u8) -> u8 { helper(n) }
            pub fn mapped(all: Vec<u8>) -> Vec<u8> { all.into_iter().map(helper).collect() }
            pub fn shown(it: &Money) -> String { it.to_string() }
            pub fn other(n: u8) -> u8 { n }
            fn helper(n: u8) -> u8 { n + LIMIT }
            fn cents(n: u8) -> u8 { n }
            const LIMIT: u8 = 3;
            pub struct Money(u8);
            impl Display for Money { fn fmt(&self, to: &mut F) -> R { cents(self.0) } }
        ";
        let changes = [
            ("/// Before.", "/// After."),
            ("n + LIMIT", "n - LIMIT"),
            ("{ n }\n            const", "{ n + 1 }\n            const"),
            ("u8 = 3", "u8 = 4"),
            ("n + LIMIT", "n + include!(\"limit.rs\")"),
        ];
        let functions = ["direct", "mapped", "shown", "other"];
        assert_eq!(
            changed(before, &functions, changes),
            [
                "",
                "direct mapped",
                "direct mapped shown other",
                "all",
                "all"
            ]
        );
    }
}
