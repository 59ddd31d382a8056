//! The `impl` blocks that apply to a type with certain arguments.

use proc_macro2::TokenStream;
use syn::{Generics, ItemImpl, Signature, Type};

use super::associated_items::{ItemPlace, derived, derives, functions, parameter};
use super::function::PublicFunction;
use super::substitution::Substitution;
use super::tokens::{text, type_arguments};
use super::{is_public, plain, type_path, whole_type, written};

impl<'s> PublicFunction<'s> {
    /// Returns the public inherent functions of a type with these arguments. Each has its module,
    /// its path, and the types of the block's parameters and of `Self`.
    pub(super) fn functions_of(
        &self,
        place: ItemPlace,
        path: &str,
        arguments: &[String],
    ) -> impl Iterator<Item = (usize, String, Substitution, &'s Signature)> {
        let whole = type_path(path, arguments);
        let own: Option<TokenStream> = whole_type(path, arguments).parse().ok();
        let blocks = self.blocks.of_type(place);
        let blocks = blocks.filter(|(_, it)| it.trait_.is_none());
        let blocks = blocks.filter_map(move |(scope, block)| {
            let mut substitution = self.matched(scope, block, place, arguments)?;
            substitution.insert("Self".to_owned(), own.clone()?);
            Some((scope, block, substitution))
        });
        blocks.flat_map(move |(scope, block, types)| {
            let whole = whole.clone();
            let public = functions(block).filter(|it| is_public(&it.vis));
            public.map(move |it| {
                let path = format!("{whole}::{}", written(&plain(&it.sig.ident)));
                (scope, path, types.clone(), &it.sig)
            })
        })
    }

    /// Returns the types of a block's parameters for a type with these arguments; `None` if the
    /// block doesn't apply to it.
    pub(super) fn matched(
        &self,
        scope: usize,
        block: &ItemImpl,
        place: ItemPlace,
        arguments: &[String],
    ) -> Option<Substitution> {
        self.unified(scope, &block.generics, &block.self_ty, (place, arguments))
    }

    /// Returns parameter types for which `kind` is the type at that place with these arguments.
    pub(super) fn unified(
        &self,
        scope: usize,
        parameters: &Generics,
        kind: &Type,
        (place, arguments): (ItemPlace, &[String]),
    ) -> Option<Substitution> {
        let names: Vec<String> = parameters.params.iter().map(parameter).collect();
        let parameters = self.type_parameters(place);
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

    /// Returns the visible trait `impl` blocks of a type, each with its module and trait.
    pub(super) fn implemented(
        &self,
        place: ItemPlace,
    ) -> impl Iterator<Item = (usize, &'s ItemImpl, &'s syn::Path)> {
        self.blocks.of_type(place).filter_map(|(scope, block)| {
            let (_, path, _) = block.trait_.as_ref()?;
            Some((scope, block, path))
        })
    }

    /// Returns true if the type derives the trait or has an `impl` of it.
    pub(super) fn implements(&self, place: ItemPlace, name: &str) -> bool {
        let derived = derived(&self.sources.modules[place.0].items[place.1]);
        derived.is_some_and(|(_, attributes)| derives(attributes, name))
            || self
                .implemented(place)
                .any(|(_, _, path)| path.segments.last().is_some_and(|it| it.ident == name))
    }
}
