//! What the sources say of types: functions, traits, parameters.

use syn::{Attribute, Generics, ImplItem, ImplItemFn, Item, ItemImpl, Type};

use super::tokens::names;
use super::{PathTarget, Sources, Space, plain};

/// The functions in the `impl` blocks of types, each with the module and the type.
pub(crate) fn associated_functions(
    sources: &Sources,
) -> impl Iterator<Item = (usize, &Type, &ImplItemFn)> {
    let blocks = sources.blocks().filter(|(_, it)| it.trait_.is_none());
    blocks.flat_map(|(scope, block)| {
        block.items.iter().filter_map(move |item| match item {
            ImplItem::Fn(function) => Some((scope, &*block.self_ty, function)),
            _ => None,
        })
    })
}

pub(crate) fn type_of(sources: &Sources, scope: usize, kind: &Type) -> Option<(usize, usize)> {
    let Type::Path(path) = kind else { return None };
    let names = path.path.segments.iter();
    let names: Vec<String> = names.map(|segment| plain(&segment.ident)).collect();
    match sources.resolve(scope, &names, Space::Types)? {
        PathTarget::Item(module, position) => Some((module, position)),
        _ => None,
    }
}

impl Sources {
    /// The `impl` blocks, each with its module.
    fn blocks(&self) -> impl Iterator<Item = (usize, &ItemImpl)> {
        let modules = self.modules.iter().enumerate();
        let items = modules.flat_map(|(scope, it)| it.items.iter().map(move |it| (scope, it)));
        items.filter_map(|(scope, item)| match item {
            Item::Impl(block) => Some((scope, block)),
            _ => None,
        })
    }

    /// The traits that the type at that place implements visibly, each with the module.
    pub(super) fn implemented(
        &self,
        place: (usize, usize),
    ) -> impl Iterator<Item = (usize, &syn::Path)> {
        let blocks = self.blocks();
        blocks.filter_map(move |(scope, block)| {
            let (_, path, _) = block.trait_.as_ref()?;
            (type_of(self, scope, &block.self_ty) == Some(place)).then_some((scope, path))
        })
    }

    /// Whether the type at that place derives the trait, or has an `impl` of it.
    pub(super) fn implements(&self, place: (usize, usize), name: &str) -> bool {
        let derived = derived(&self.modules[place.0].items[place.1]);
        derived.is_some_and(|(_, attributes)| derives(attributes, name))
            || self
                .implemented(place)
                .any(|(_, path)| path.segments.last().is_some_and(|it| it.ident == name))
    }
}

/// The name and the attributes of a type that can derive.
pub(super) fn derived(item: &Item) -> Option<(String, &[Attribute])> {
    match item {
        Item::Struct(item) => Some((plain(&item.ident), &item.attrs)),
        Item::Enum(item) => Some((plain(&item.ident), &item.attrs)),
        _ => None,
    }
}

/// The parameters of a type.
pub(crate) fn generics(item: &Item) -> Option<&Generics> {
    match item {
        Item::Struct(item) => Some(&item.generics),
        Item::Enum(item) => Some(&item.generics),
        _ => None,
    }
}

/// Whether a derive, with a condition or without, names the trait.
pub(crate) fn derives(attributes: &[Attribute], name: &str) -> bool {
    let mut derives = attributes.iter().filter(|attribute| {
        attribute.path().is_ident("derive") || attribute.path().is_ident("cfg_attr")
    });
    derives.any(|attribute| names(&attribute.meta, name))
}
