//! Associated functions, traits and parameters of types in the sources.

use std::collections::BTreeMap;

use syn::{
    Attribute, GenericParam, Generics, Ident, ImplItem, ImplItemFn, Item, ItemImpl, ItemTrait,
    PathSegment, TraitItem, TraitItemFn, Type, parse_quote,
};

use super::tokens::{last_word, names};
use super::{PathTarget, Sources, Space, plain};

/// The derived traits whose functions are called.
const DERIVED: [&str; 4] = ["Default", "PartialEq", "PartialOrd", "Ord"];

/// A module's index and an item's position in it.
pub(crate) type ItemPlace = (usize, usize);

/// The `impl` blocks of the crate's types and traits, each with its module.
#[derive(Default)]
pub(crate) struct ImplBlocks<'s> {
    of_types: BTreeMap<ItemPlace, Vec<(usize, &'s ItemImpl)>>,
    of_traits: BTreeMap<ItemPlace, Vec<(usize, &'s ItemImpl)>>,
    /// Blocks by the names of the associated types that they define.
    stating: BTreeMap<Ident, Vec<(usize, &'s ItemImpl)>>,
}

impl<'s> ImplBlocks<'s> {
    pub(super) fn new(sources: &'s Sources) -> Self {
        let mut blocks = Self::default();
        for (scope, block) in sources.blocks() {
            if let Some(place) = type_of(sources, scope, &block.self_ty) {
                let of_type = blocks.of_types.entry(place).or_default();
                of_type.push((scope, block));
            }
            if let Some((_, path, _)) = &block.trait_
                && let Some(place) = item_of(sources, scope, path)
            {
                let of_trait = blocks.of_traits.entry(place).or_default();
                of_trait.push((scope, block));
            }
            for item in &block.items {
                if let ImplItem::Type(item) = item {
                    let stating = blocks.stating.entry(item.ident.clone()).or_default();
                    stating.push((scope, block));
                }
            }
        }
        blocks
    }

    pub(super) fn of_type(&self, place: ItemPlace) -> impl Iterator<Item = (usize, &'s ItemImpl)> {
        self.of_types.get(&place).into_iter().flatten().copied()
    }

    pub(crate) fn of_trait(&self, place: ItemPlace) -> impl Iterator<Item = (usize, &'s ItemImpl)> {
        self.of_traits.get(&place).into_iter().flatten().copied()
    }

    /// Returns the trait `impl` blocks that define an associated type with this name.
    pub(super) fn stating(&self, name: &Ident) -> impl Iterator<Item = (usize, &'s ItemImpl)> {
        self.stating.get(name).into_iter().flatten().copied()
    }
}

/// Returns the functions in inherent `impl` blocks, each with its module and block.
pub(crate) fn associated_functions(
    sources: &Sources,
) -> impl Iterator<Item = (usize, &ItemImpl, &ImplItemFn)> {
    let blocks = sources.blocks().filter(|(_, it)| it.trait_.is_none());
    blocks.flat_map(|(scope, block)| functions(block).map(move |it| (scope, block, it)))
}

/// Returns the functions in trait `impl` blocks, each with its module, block and trait.
pub(crate) fn trait_functions(
    sources: &Sources,
) -> impl Iterator<Item = (usize, &ItemImpl, &PathSegment, &ImplItemFn)> {
    let blocks = sources.blocks().filter_map(|(scope, block)| {
        let (_, path, _) = block.trait_.as_ref()?;
        let last = path.segments.last()?;
        Some((scope, block, last))
    });
    blocks.flat_map(|(scope, block, last)| {
        functions(block).map(move |function| (scope, block, last, function))
    })
}

/// Returns the provided functions of the crate's traits, each with the trait and its place.
pub(crate) fn provided_functions(
    sources: &Sources,
) -> impl Iterator<Item = (ItemPlace, &ItemTrait, &TraitItemFn)> {
    sources.traits().flat_map(|(place, item)| {
        let provided = item.items.iter().filter_map(|it| match it {
            TraitItem::Fn(function) if function.default.is_some() => Some(function),
            _ => None,
        });
        provided.map(move |function| (place, item, function))
    })
}

pub(super) fn functions(block: &ItemImpl) -> impl Iterator<Item = &ImplItemFn> {
    block.items.iter().filter_map(|item| match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    })
}

pub(crate) fn type_of(sources: &Sources, scope: usize, kind: &Type) -> Option<ItemPlace> {
    let Type::Path(path) = kind else { return None };
    item_of(sources, scope, &path.path)
}

pub(super) fn item_of(sources: &Sources, scope: usize, path: &syn::Path) -> Option<ItemPlace> {
    let names = path.segments.iter();
    let names: Vec<String> = names.map(|segment| plain(&segment.ident)).collect();
    match sources.resolve(scope, &names, Space::Types)? {
        PathTarget::Item(module, position) => Some((module, position)),
        _ => None,
    }
}

impl Sources {
    /// Returns the items with their places.
    pub(crate) fn items(&self) -> impl Iterator<Item = (ItemPlace, &Item)> {
        let modules = self.modules.iter().enumerate();
        modules.flat_map(|(scope, module)| {
            let items = module.items.iter().enumerate();
            items.map(move |(position, item)| ((scope, position), item))
        })
    }

    /// Returns the traits with their places.
    pub(super) fn traits(&self) -> impl Iterator<Item = (ItemPlace, &ItemTrait)> {
        self.items().filter_map(|(place, item)| match item {
            Item::Trait(item) => Some((place, item)),
            _ => None,
        })
    }

    /// Adds the functions of a trait to the types that derive it, if another version writes them.
    pub(crate) fn write_derived(&mut self, other: &Self) {
        for (_, block) in other.blocks() {
            let of_trait = block.trait_.as_ref();
            let of_trait = of_trait.and_then(|(_, path, _)| path.segments.last());
            let Some(of_trait) = of_trait.filter(|it| it.arguments.is_none()) else {
                continue;
            };
            let (of_trait, name) = (&of_trait.ident, last_word(&block.self_ty));
            if !DERIVED.iter().any(|it| of_trait == it) {
                continue;
            }
            for module in &mut self.modules {
                let types = module.items.iter().filter(|item| {
                    derived(item).is_some_and(|(it, attributes)| {
                        Some(it) == name && derives(attributes, &of_trait.to_string())
                    })
                });
                let blocks = types.filter_map(|item| written_derive(item, of_trait, block));
                let blocks: Vec<Item> = blocks.collect();
                module.items.extend(blocks);
            }
        }
    }

    /// Returns the `impl` blocks with their modules.
    fn blocks(&self) -> impl Iterator<Item = (usize, &ItemImpl)> {
        self.items().filter_map(|((scope, _), item)| match item {
            Item::Impl(block) => Some((scope, block)),
            _ => None,
        })
    }
}

/// Returns the block that a type derives, with the functions of another block.
fn written_derive(item: &Item, of_trait: &Ident, block: &ItemImpl) -> Option<Item> {
    let (name, generics) = match item {
        Item::Struct(item) => (&item.ident, &item.generics),
        Item::Enum(item) => (&item.ident, &item.generics),
        _ => return None,
    };
    let signatures = functions(block).map(|it| &it.sig);
    let (parameters, arguments, clauses) = generics.split_for_impl();
    Some(parse_quote! {
        impl #parameters #of_trait for #name #arguments #clauses { #(#signatures {})* }
    })
}

/// Returns the name of a trait function in a type's `impl` block.
pub(crate) fn trait_function(of_trait: &Ident, function: &Ident) -> String {
    format!("{}::{}", plain(of_trait), plain(function))
}

/// Returns the name of a generic parameter.
pub(crate) fn parameter(parameter: &GenericParam) -> String {
    match parameter {
        GenericParam::Lifetime(it) => it.lifetime.to_string(),
        GenericParam::Type(it) => it.ident.to_string(),
        GenericParam::Const(it) => it.ident.to_string(),
    }
}

/// Returns the name and the attributes of a struct or enum, which may have derives.
pub(crate) fn derived(item: &Item) -> Option<(String, &[Attribute])> {
    match item {
        Item::Struct(item) => Some((plain(&item.ident), &item.attrs)),
        Item::Enum(item) => Some((plain(&item.ident), &item.attrs)),
        _ => None,
    }
}

/// Returns the generic parameters of a struct or enum.
pub(crate) fn generics(item: &Item) -> Option<&Generics> {
    match item {
        Item::Struct(item) => Some(&item.generics),
        Item::Enum(item) => Some(&item.generics),
        _ => None,
    }
}

/// Returns true if a derive names the trait, even under a condition.
pub(crate) fn derives(attributes: &[Attribute], name: &str) -> bool {
    let mut derives = attributes.iter().filter(|attribute| {
        attribute.path().is_ident("derive") || attribute.path().is_ident("cfg_attr")
    });
    derives.any(|attribute| names(&attribute.meta, name))
}

/// Returns the associated type with this name in the block.
pub(super) fn stated<'b>(block: &'b ItemImpl, name: &Ident) -> Option<&'b Type> {
    block.items.iter().find_map(|item| match item {
        ImplItem::Type(item) if item.ident == *name => Some(&item.ty),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::public_functions;

    #[test]
    fn what_one_version_derives_and_the_other_one_writes_is_in_both() {
        let names = |sources: &Sources| -> Vec<String> {
            let functions = public_functions(sources);
            let mut names: Vec<String> = functions.iter().map(|it| it.name().to_owned()).collect();
            names.sort();
            names
        };
        let written = Sources::of_code(
            "pub struct Rate(u8); impl Default for Rate { fn default() -> Self { Rate(1) } }
             pub struct Text(String); impl<'a> From<&'a str> for Text { fn from(it: &'a str) -> Self {} }",
        );
        let mut derived = Sources::of_code(
            "#[derive(Default)] pub struct Rate(u8);
             pub struct Text(String); impl From<&str> for Text { fn from(it: &str) -> Self {} }",
        );
        derived.write_derived(&written);
        let expected = ["<Rate as Default>::default", "<Text as From<&str>>::from"];
        assert_eq!(names(&written), expected);
        assert_eq!(names(&derived), expected);
    }
}
