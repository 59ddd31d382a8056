//! Associated types: `<T as Trait>::Name`.

use quote::ToTokens as _;
use syn::{Generics, Type, TypePath};

use super::associated_items::{parameter, stated, type_of};
use super::tokens::{text, ungrouped};
use super::{PublicFunction, SCALARS, Substitution, Unsupported};

/// The maximum depth: without the bounds of blocks, the definition of a type may seem cyclic.
const DEEPEST: usize = 4;

impl PublicFunction<'_> {
    /// Resolves an associated type; returns the type and the module it is written in.
    pub(crate) fn projected(&self, scope: usize, path: &TypePath) -> Option<(usize, Type)> {
        let of = self.global(scope, &path.qself.as_ref()?.ty).ok()?;
        let mut names = path.path.segments.iter().rev().map(|it| &it.ident);
        let (name, of_trait) = (names.next()?, names.next());
        if name == "Output" && SCALARS.contains(&of.as_str()) {
            return Some((0, syn::parse_str(&of).ok()?));
        }
        let kind: Type = syn::parse_str(&of).ok()?;
        let mut blocks: Vec<_> = self.blocks.stating(name).collect();
        // Blanket implementations come last.
        blocks.sort_by_key(|(_, block)| is_parameter(&block.generics, &block.self_ty));
        blocks.into_iter().find_map(|(scope, block)| {
            let (_, implemented, _) = block.trait_.as_ref()?;
            let implemented = &implemented.segments.last()?.ident;
            of_trait.is_none_or(|it| it == implemented).then_some(())?;
            let mut types = self.fitted(scope, &block.generics, &block.self_ty, &kind)?;
            types.insert("Self".to_owned(), of.parse().ok()?);
            Some((scope, types.applied(stated(block, name)?)))
        })
    }

    /// Returns the path of an associated type.
    pub(super) fn named_projection(
        &self,
        scope: usize,
        path: &TypePath,
    ) -> Result<String, Unsupported> {
        let depth = self.public.depth.get();
        self.public.depth.set(depth + 1);
        let found = (depth < DEEPEST).then(|| self.projected(scope, path));
        let named = found
            .flatten()
            .map(|(scope, kind)| self.qualified(scope, &kind));
        self.public.depth.set(depth);
        named.unwrap_or_else(|| {
            Err(format!("the type `{}` is not defined in the sources", text(path)).into())
        })
    }

    /// Returns parameter types for which `one`, written in the module, equals `other`.
    fn fitted(
        &self,
        scope: usize,
        generics: &Generics,
        one: &Type,
        other: &Type,
    ) -> Option<Substitution> {
        let mut types = Substitution::default();
        match (ungrouped(one), ungrouped(other)) {
            (one, other) if is_parameter(generics, one) => {
                types.insert(text(one), other.to_token_stream());
            }
            (Type::Reference(one), Type::Reference(other)) => {
                return self.fitted(scope, generics, &one.elem, &other.elem);
            }
            (Type::Slice(one), Type::Slice(other)) => {
                return self.fitted(scope, generics, &one.elem, &other.elem);
            }
            (Type::Array(one), Type::Array(other)) => {
                types = self.fitted(scope, generics, &one.elem, &other.elem)?;
                let is_same = text(&one.len) == text(&other.len);
                let is_any = generics
                    .params
                    .iter()
                    .any(|it| parameter(it) == text(&one.len));
                (is_same || is_any).then_some(())?;
                types.insert(text(&one.len), other.len.to_token_stream());
            }
            (one, other) => match type_of(self.sources, scope, one) {
                Some(place) => {
                    (type_of(self.sources, 0, other) == Some(place)).then_some(())?;
                    let arguments = self.arguments(0, other, place).ok()?;
                    return self.unified(scope, generics, one, (place, &arguments));
                }
                None => (self.global(scope, one).ok()? == text(other)).then_some(())?,
            },
        }
        Some(types)
    }
}

fn is_parameter(generics: &Generics, kind: &Type) -> bool {
    let name = text(kind);
    generics.type_params().any(|it| it.ident == name)
}
