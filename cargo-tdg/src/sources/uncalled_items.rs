//! Public items that no call of a function shows.

use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, ImplItem, Item, ItemImpl, ItemMacro, Path, Token};

use super::associated_items::derived;
use super::function::is_called;
use super::public::PublicPaths;
use super::tokens::{last_word, short_text};
use super::{Sources, is_public, plain, type_of};

/// The names of public items that no call of a function shows, by kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct UncalledItems {
    pub(crate) constants: Vec<String>,
    /// Types with the traits that they derive.
    pub(crate) derived: Vec<String>,
    /// Implementations of traits that aren't called.
    pub(crate) implemented: Vec<String>,
    pub(crate) macros: Vec<String>,
}

/// Traits without an effect on a program's results.
const WITHOUT_EFFECT: [&str; 6] = ["Debug", "Clone", "Copy", "Eq", "Drop", "Error"];

impl UncalledItems {
    pub(crate) fn new(sources: &Sources) -> Self {
        let public = PublicPaths::new(sources);
        let mut items = Self::default();
        for ((scope, position), item) in sources.items() {
            match item {
                Item::Const(it) if is_public(&it.vis) => {
                    items.add_constant(sources, scope, &it.ident);
                }
                Item::Static(it) if is_public(&it.vis) => {
                    items.add_constant(sources, scope, &it.ident);
                }
                Item::Impl(block) => items.add_block(sources, &public, (scope, block)),
                Item::Macro(it) => items.macros.extend(macro_name(it)),
                item => {
                    let path = public.get(scope, position);
                    let derived = path.and_then(|it| derives_of(item, it));
                    items.derived.extend(derived);
                }
            }
        }
        let prefix = format!("{}::", sources.name);
        for name in [&mut items.constants, &mut items.derived]
            .into_iter()
            .flatten()
        {
            if let Some(inner) = name.strip_prefix(&prefix) {
                *name = inner.to_owned();
            }
        }
        items.macros.sort();
        items.macros.dedup();
        items
    }

    /// Adds a constant of a module that other crates can name.
    fn add_constant(&mut self, sources: &Sources, scope: usize, name: &Ident) {
        let mut module = scope;
        while module != 0 && sources.modules[module].is_public {
            module = sources.modules[module].parent;
        }
        if module == 0 {
            self.constants.push(sources.path_in(scope, &plain(name)));
        }
    }

    /// Adds the items of a block for a public type: constants, or a trait's functions.
    fn add_block(
        &mut self,
        sources: &Sources,
        public: &PublicPaths,
        (scope, block): (usize, &ItemImpl),
    ) {
        let place = type_of(sources, scope, &block.self_ty);
        let owner = place.and_then(|(module, item)| public.get(module, item));
        let (Some(owner), name) = (owner, last_word(&block.self_ty)) else {
            return;
        };
        let has_functions = block.items.iter().any(|it| matches!(it, ImplItem::Fn(_)));
        match &block.trait_ {
            Some((_, path, _)) if has_functions && !is_called(sources, public, (scope, path)) => {
                let of_trait = path.segments.last().map(|it| &it.ident);
                if of_trait.is_some_and(has_effect) {
                    let path = short_text(path);
                    let name = name.unwrap_or_default();
                    self.implemented.push(format!("{path} for {name}"));
                }
            }
            Some(_) => {}
            None => {
                let constants = block.items.iter().filter_map(|it| match it {
                    ImplItem::Const(it) if is_public(&it.vis) => Some(plain(&it.ident)),
                    _ => None,
                });
                self.constants
                    .extend(constants.map(|it| format!("{owner}::{it}")));
            }
        }
    }

    /// Returns the items with the names of their kind, for one and for several.
    pub(crate) fn kinds(&self) -> [([&'static str; 2], &[String]); 4] {
        [
            (["constant", "constants"], &self.constants),
            (
                ["type that derives traits", "types that derive traits"],
                &self.derived,
            ),
            (
                ["trait of another crate", "traits of other crates"],
                &self.implemented,
            ),
            (["macro", "macros"], &self.macros),
        ]
    }
}

fn has_effect(of_trait: &Ident) -> bool {
    !WITHOUT_EFFECT.iter().any(|it| of_trait == it)
}

/// Returns the type with the traits that it derives.
fn derives_of(item: &Item, path: &str) -> Option<String> {
    let (_, attributes) = derived(item)?;
    let traits = attributes.iter().filter(|it| it.path().is_ident("derive"));
    let parse =
        |it: &Attribute| it.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated);
    let traits = traits.filter_map(|it| parse(it).ok()).flatten();
    let traits = traits.filter_map(|it| Some(it.segments.last()?.ident.clone()));
    let traits: Vec<String> = traits.filter(has_effect).map(|it| plain(&it)).collect();
    (!traits.is_empty()).then(|| format!("{path}: {}", traits.join(", ")))
}

/// Returns the name of an exported macro, or of one that writes items.
fn macro_name(item: &ItemMacro) -> Option<String> {
    let is_exported = item
        .attrs
        .iter()
        .any(|it| it.path().is_ident("macro_export"));
    match &item.ident {
        Some(name) => is_exported.then(|| format!("{}!", plain(name))),
        None => {
            let name = plain(&item.mac.path.segments.last()?.ident);
            let is_private = ["compile_error", "include", "thread_local"].contains(&name.as_str());
            (!is_private).then(|| format!("{name}!"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_items_without_a_function_are_listed() {
        let sources = Sources::of_code(
            "pub const LIMIT: u8 = 3; const HIDDEN: u8 = 3; pub static NAME: &str = \"\";
             mod inner { pub const DEEP: u8 = 3; } pub mod open { pub const ALSO: u8 = 3; }
             #[derive(Debug, Clone, PartialOrd, serde::Serialize)] pub struct Rate(u8);
             #[derive(PartialEq)] struct Private;
             impl Rate { pub const MOST: u8 = 9; const LEAST: u8 = 0; }
             impl std::fmt::LowerHex for Rate { fn fmt(&self) {} }
             impl<'a> serde::Deserialize<'a> for Rate { fn deserialize() {} }
             impl std::fmt::Display for Rate { fn fmt(&self) {} }
             impl std::fmt::Debug for Rate { fn fmt(&self) {} }
             #[macro_export] macro_rules! shown { () => {} } macro_rules! own { () => {} }
             own!(); own!();",
        );
        let items = UncalledItems::new(&sources);
        let mut constants = items.constants.clone();
        constants.sort();
        assert_eq!(constants, ["LIMIT", "NAME", "Rate::MOST", "open::ALSO"]);
        assert_eq!(items.derived, ["Rate: PartialOrd, Serialize"]);
        let implemented = ["std::fmt::LowerHex for Rate", "serde::Deserialize for Rate"];
        assert_eq!(items.implemented, implemented);
        assert_eq!(items.macros, ["own!", "shown!"]);
    }
}
