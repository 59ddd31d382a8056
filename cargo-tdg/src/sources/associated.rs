//! What the sources say of types: functions, traits, parameters.

use std::collections::BTreeMap;

use syn::{
    Attribute, GenericParam, Generics, ImplItem, ImplItemFn, Item, ItemImpl, PathSegment, Type,
};

use super::function::PublicFunction;
use super::substitution::Substitution;
use super::tokens::{names, text, type_arguments};
use super::{PathTarget, Sources, Space, plain};

/// An item, by its module and its place there.
pub(crate) type ItemPlace = (usize, usize);

/// The `impl` blocks of the crate's types, each with the module that it is in.
pub(crate) struct ImplBlocks<'s>(BTreeMap<ItemPlace, Vec<(usize, &'s ItemImpl)>>);

impl<'s> ImplBlocks<'s> {
    pub(super) fn of(sources: &'s Sources) -> Self {
        let mut blocks: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (scope, block) in sources.blocks() {
            if let Some(place) = type_of(sources, scope, &block.self_ty) {
                blocks.entry(place).or_default().push((scope, block));
            }
        }
        Self(blocks)
    }

    pub(super) fn get(&self, place: ItemPlace) -> impl Iterator<Item = (usize, &'s ItemImpl)> {
        self.0.get(&place).into_iter().flatten().copied()
    }
}

/// The functions in the `impl` blocks of types, each with the module and the block.
pub(crate) fn associated_functions(
    sources: &Sources,
) -> impl Iterator<Item = (usize, &ItemImpl, &ImplItemFn)> {
    let blocks = sources.blocks().filter(|(_, it)| it.trait_.is_none());
    blocks.flat_map(|(scope, block)| functions(block).map(move |it| (scope, block, it)))
}

/// The functions in the `impl` blocks of traits, each with the module, the block and the trait.
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

fn functions(block: &ItemImpl) -> impl Iterator<Item = &ImplItemFn> {
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
    /// The `impl` blocks, each with its module.
    fn blocks(&self) -> impl Iterator<Item = (usize, &ItemImpl)> {
        let modules = self.modules.iter().enumerate();
        let items = modules.flat_map(|(scope, it)| it.items.iter().map(move |it| (scope, it)));
        items.filter_map(|(scope, item)| match item {
            Item::Impl(block) => Some((scope, block)),
            _ => None,
        })
    }

    /// The `impl` blocks of the trait at that place.
    pub(crate) fn implementations(
        &self,
        place: ItemPlace,
    ) -> impl Iterator<Item = (usize, &ItemImpl)> {
        self.blocks().filter(move |(scope, block)| {
            let implemented = block.trait_.as_ref();
            implemented.is_some_and(|(_, path, _)| item_of(self, *scope, path) == Some(place))
        })
    }
}

impl<'s> PublicFunction<'s> {
    /// The public functions of the type at that place where it has these arguments, each with the
    /// module that they are in and the types of the block's parameters.
    pub(super) fn functions_of(
        &self,
        place: ItemPlace,
        arguments: &[String],
    ) -> impl Iterator<Item = (usize, Substitution, &'s ImplItemFn)> {
        let blocks = self.blocks.get(place);
        let blocks = blocks.filter(|(_, it)| it.trait_.is_none());
        let blocks = blocks.filter_map(move |(scope, block)| {
            let substitution = self.matched(scope, block, place, arguments)?;
            Some((scope, block, substitution))
        });
        blocks.flat_map(|(scope, block, it)| {
            functions(block).map(move |function| (scope, it.clone(), function))
        })
    }

    /// The types of a block's parameters where its type has these arguments; nothing if it isn't
    /// about that one.
    pub(super) fn matched(
        &self,
        scope: usize,
        block: &ItemImpl,
        place: ItemPlace,
        arguments: &[String],
    ) -> Option<Substitution> {
        self.unified(scope, &block.generics, &block.self_ty, (place, arguments))
    }

    /// The types of parameters with which a type is the one at that place with these arguments.
    pub(super) fn unified(
        &self,
        scope: usize,
        parameters: &Generics,
        kind: &Type,
        (place, arguments): (ItemPlace, &[String]),
    ) -> Option<Substitution> {
        let names: Vec<String> = parameters.params.iter().map(parameter).collect();
        let item = &self.sources.modules[place.0].items[place.1];
        let parameters = generics(item).into_iter().flat_map(|it| &it.params);
        let parameters = parameters.filter(|it| !matches!(it, GenericParam::Lifetime(_)));
        let stated = type_arguments(kind);
        let mut substitution = Substitution::default();
        for (at, (argument, parameter)) in arguments.iter().zip(parameters).enumerate() {
            let stated = stated.get(at).copied();
            let name = stated.map(text).filter(|it| names.contains(it));
            match name {
                Some(name) => match substitution.get(&name).map(text) {
                    None => substitution.insert(name, argument.parse().ok()?),
                    Some(before) => (before == *argument).then_some(())?,
                },
                None => {
                    let stated = self.argument(scope, stated, (place.0, parameter)).ok()?;
                    (stated == *argument).then_some(())?;
                }
            }
        }
        Some(substitution)
    }

    /// The traits that the type at that place implements visibly, each with the module.
    pub(super) fn implemented(
        &self,
        place: ItemPlace,
    ) -> impl Iterator<Item = (usize, &'s ItemImpl, &'s syn::Path)> {
        self.blocks.get(place).filter_map(|(scope, block)| {
            let (_, path, _) = block.trait_.as_ref()?;
            Some((scope, block, path))
        })
    }

    /// Whether the type at that place derives the trait, or has an `impl` of it.
    pub(super) fn implements(&self, place: ItemPlace, name: &str) -> bool {
        let derived = derived(&self.sources.modules[place.0].items[place.1]);
        derived.is_some_and(|(_, attributes)| derives(attributes, name))
            || self
                .implemented(place)
                .any(|(_, _, path)| path.segments.last().is_some_and(|it| it.ident == name))
    }
}

/// The name of a parameter of a type or function.
pub(crate) fn parameter(parameter: &GenericParam) -> String {
    match parameter {
        GenericParam::Lifetime(it) => it.lifetime.to_string(),
        GenericParam::Type(it) => it.ident.to_string(),
        GenericParam::Const(it) => it.ident.to_string(),
    }
}

/// The name and the attributes of a type that can derive.
pub(crate) fn derived(item: &Item) -> Option<(String, &[Attribute])> {
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
