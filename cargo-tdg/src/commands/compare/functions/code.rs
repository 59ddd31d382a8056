//! The code around functions. While it is the same, functions depend only on what they call.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::visit_mut::VisitMut;
use syn::{Attribute, ImplItem, Item, ItemImpl};

use crate::error::Result;
use crate::sides::ComparedSide;
use crate::sources::tokens::names;
use crate::sources::{CallGraph, Sources};
use crate::workspace::Package;

/// Files of a package and of a workspace that affect all of the build.
const BUILD: [&str; 2] = ["Cargo.toml", "build.rs"];
const SETTINGS: [&str; 5] = [
    "Cargo.toml",
    ".cargo/config.toml",
    ".cargo/config",
    "rust-toolchain.toml",
    "rust-toolchain",
];
/// Macros that include other files.
const INCLUDES: [&str; 3] = ["include", "include_str", "include_bytes"];

/// The code of a library, except the bodies of functions that are called by name.
pub(crate) struct CodeAround {
    text: String,
    graph: CallGraph,
    /// Functions that may be called without being named.
    called: BTreeSet<usize>,
    /// Set if some code is in files that weren't read.
    is_partial: bool,
}

impl CodeAround {
    /// Returns a package's code along with everything that is built for it.
    pub(crate) fn new(side: &ComparedSide, package: &Package, sources: &Sources) -> Result<Self> {
        let mut around = Self::of_sources(sources);
        let root = &side.workspace.directory;
        let of_root = SETTINGS.map(|it| root.join(it));
        let of_packages = side.workspace.packages.iter();
        let of_packages = of_packages.flat_map(|it| BUILD.map(|file| it.directory.join(file)));
        let files = of_root.into_iter().chain(of_packages);
        for file in files.chain(side.lock.clone()) {
            around.text += &fs::read_to_string(file).unwrap_or_default();
        }
        let others = side.workspace.packages.iter();
        let others = others.filter(|it| it.name != package.name);
        for other in others.filter_map(|it| it.library.as_ref()) {
            let read = |path: &Path| fs::read_to_string(path);
            let sources = Sources::read(other, &read)?;
            for item in sources.modules.iter().flat_map(|it| &it.items) {
                around.text += &undocumented(item.clone()).to_string();
            }
        }
        Ok(around)
    }

    fn of_sources(sources: &Sources) -> Self {
        let mut around = Self {
            text: String::new(),
            graph: CallGraph::new(sources, true),
            called: BTreeSet::new(),
            is_partial: !sources.unread.is_empty(),
        };
        for module in &sources.modules {
            around.text += &module.name;
            for item in &module.items {
                let code = undocumented(without_bodies(item));
                around.text += &code.to_string();
                around.is_partial |= includes(item);
                if !is_named(item) {
                    around.called.extend(around.graph.called_by(&code));
                }
            }
        }
        around
    }

    /// Returns true if nothing differs except the bodies of named functions.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.text == other.text && !self.is_partial && !other.is_partial
    }

    /// Returns a digest of the code that runs for a function, without the shared part.
    pub(crate) fn of_function(&self, owner: Option<&str>, name: &str) -> Option<u64> {
        let mut start = self.called.clone();
        start.insert(self.graph.position(owner, name)?);
        let mut digest = DefaultHasher::new();
        for body in self.graph.reached(&start, usize::MAX) {
            body.to_string().hash(&mut digest);
        }
        Some(digest.finish())
    }
}

/// Returns true for functions that are called by name.
fn is_named(item: &Item) -> bool {
    matches!(
        item,
        Item::Fn(_) | Item::Impl(ItemImpl { trait_: None, .. })
    )
}

/// Removes the bodies of an item's functions, except trait functions, which run unnamed.
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

/// Removes doc comments from an item.
fn undocumented(mut item: Item) -> TokenStream {
    struct Undocumented;
    impl VisitMut for Undocumented {
        fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
            attributes.retain(|it| !it.path().is_ident("doc"));
        }
    }
    Undocumented.visit_item_mut(&mut item);
    item.to_token_stream()
}

/// Returns true if an item includes other files.
fn includes(item: &Item) -> bool {
    let code = item.to_token_stream();
    INCLUDES.iter().any(|name| names(&code, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(library: &str) -> CodeAround {
        CodeAround::of_sources(&Sources::of_code(library))
    }

    /// Returns the functions that may run different code after each change, or `all`.
    fn changed<const N: usize>(
        before: &str,
        functions: &[&str],
        changes: [(&str, &str); N],
    ) -> [String; N] {
        let then = code(before);
        let of_function = |around: &CodeAround, name: &str| {
            let owner = name.contains("::").then_some("Square");
            around.of_function(owner, name).unwrap()
        };
        changes.map(|(from, to)| {
            assert!(before.contains(from), "{from}");
            let now = code(&before.replace(from, to));
            if !then.is_same(&now) {
                return "all".to_owned();
            }
            let is_changed = |it: &&&str| of_function(&then, it) != of_function(&now, it);
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
            pub fn renamed(n: u8) -> u8 { Cash::rounded(n) }
            type Cash = Money;
            impl Money { fn rounded(n: u8) -> u8 { n / 2 } }
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
            ("n / 2", "n / 3"),
            ("u8 = 3", "u8 = 4"),
            ("n + LIMIT", "n + include!(\"limit.rs\")"),
        ];
        let functions = ["direct", "mapped", "renamed", "shown", "other"];
        assert_eq!(
            changed(before, &functions, changes),
            [
                "",
                "direct mapped",
                "direct mapped renamed shown other",
                "renamed",
                "all",
                "all"
            ]
        );
    }
}
