//! Expansion of type aliases.

use std::collections::BTreeMap;
use std::mem;

use quote::{ToTokens as _, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, GenericParam, Generics, Item, PathArguments, ReturnType, Type, TypePath, parse_quote,
};

use super::associated_items::{ItemPlace, parameter};
use super::tokens::type_arguments;
use super::{PathTarget, Sources, Substitution, is_public, plain};

/// The maximum depth: an alias may be recursive in code that doesn't compile.
const DEEPEST: usize = 16;

struct Alias {
    is_public: bool,
    generics: Generics,
    /// The aliased type, with paths that are valid in all modules.
    stands_for: Type,
}

impl Sources {
    /// Replaces the aliases in all signatures, fields and `impl` blocks.
    pub(super) fn expand_aliases(&mut self) {
        let aliases = self.aliases();
        for scope in 0..self.modules.len() {
            let mut items = mem::take(&mut self.modules[scope].items);
            let mut expander = Expander {
                sources: self,
                aliases: &aliases,
                scope,
                depth: 0,
                is_returned: false,
            };
            for item in &mut items {
                expander.visit_item_mut(item);
            }
            self.modules[scope].items = items;
        }
    }

    fn aliases(&self) -> BTreeMap<ItemPlace, Alias> {
        let mut aliases = BTreeMap::new();
        for (place, item) in self.items() {
            if let Item::Type(item) = item {
                let mut alias = Alias {
                    is_public: is_public(&item.vis),
                    generics: item.generics.clone(),
                    stands_for: (*item.ty).clone(),
                };
                let parameters = item.generics.params.iter().map(parameter);
                let mut absolute = AbsolutePaths {
                    sources: self,
                    scope: place.0,
                    parameters: parameters.collect(),
                };
                absolute.visit_generics_mut(&mut alias.generics);
                absolute.visit_type_mut(&mut alias.stands_for);
                aliases.insert(place, alias);
            }
        }
        aliases
    }

    fn target_of(&self, scope: usize, path: &TypePath) -> Option<PathTarget> {
        if path.qself.is_some() || path.path.leading_colon.is_some() {
            return None;
        }
        let names = path.path.segments.iter().map(|it| plain(&it.ident));
        self.resolve_type(scope, &names.collect::<Vec<_>>())
    }
}

/// Rewrites the paths of a module so that they are valid in all modules.
struct AbsolutePaths<'s> {
    sources: &'s Sources,
    scope: usize,
    parameters: Vec<String>,
}

impl VisitMut for AbsolutePaths<'_> {
    fn visit_type_path_mut(&mut self, path: &mut TypePath) {
        visit_mut::visit_type_path_mut(self, path);
        let segments = &path.path.segments;
        let (Some(first), Some(last)) = (segments.first(), segments.last()) else {
            return;
        };
        let first = plain(&first.ident);
        if self.parameters.contains(&first) {
            return;
        }
        let arguments = match &last.arguments {
            PathArguments::None => None,
            arguments => Some(arguments.to_token_stream()),
        };
        let names = match self.sources.target_of(self.scope, path) {
            Some(PathTarget::Item(module, _)) => {
                let path = self.sources.path_in(module, &plain(&last.ident));
                path.replacen(&self.sources.name, "crate", 1)
            }
            Some(PathTarget::Foreign(names)) if names.len() > 1 && names[0] != first => {
                format!("::{}", names.join("::"))
            }
            // Names without an import are the same everywhere.
            _ => return,
        };
        if let Ok(names) = syn::parse_str::<syn::Path>(&names)
            && let Ok(absolute) = syn::parse2(quote!(#names #arguments))
        {
            *path = absolute;
        }
    }
}

struct Expander<'s> {
    sources: &'s Sources,
    aliases: &'s BTreeMap<ItemPlace, Alias>,
    scope: usize,
    depth: usize,
    is_returned: bool,
}

impl Expander<'_> {
    /// Returns the aliased type, or `None` if the type isn't an alias.
    fn expanded(&self, kind: &Type) -> Option<Type> {
        let Type::Path(path) = kind else { return None };
        let Some(PathTarget::Item(module, position)) = self.sources.target_of(self.scope, path)
        else {
            return None;
        };
        let alias = self.aliases.get(&(module, position))?;
        // A test returns the crate's own `Result`.
        if self.is_returned
            && alias.is_public
            && let Type::Path(path) = &alias.stands_for
            && !matches!(self.sources.target_of(0, path), Some(PathTarget::Item(..)))
        {
            return None;
        }
        let parameters = alias.generics.params.iter();
        let parameters = parameters.filter(|it| !matches!(it, GenericParam::Lifetime(_)));
        let mut given = type_arguments(kind).into_iter();
        let mut types = Substitution::default();
        for it in parameters {
            let argument = match (given.next(), it) {
                (Some(argument), _) => argument.to_token_stream(),
                (None, GenericParam::Type(it)) => it.default.to_token_stream(),
                (None, GenericParam::Const(it)) => it.default.to_token_stream(),
                (None, GenericParam::Lifetime(_)) => continue,
            };
            types.insert(parameter(it), argument);
        }
        let kind = types.applied(&alias.stands_for);
        Some(parse_quote!(#kind))
    }
}

impl VisitMut for Expander<'_> {
    fn visit_type_mut(&mut self, kind: &mut Type) {
        let mut expanded = 0;
        while self.depth < DEEPEST
            && let Some(stands_for) = self.expanded(kind)
        {
            *kind = stands_for;
            self.depth += 1;
            expanded += 1;
        }
        visit_mut::visit_type_mut(self, kind);
        self.depth -= expanded;
    }

    fn visit_return_type_mut(&mut self, output: &mut ReturnType) {
        let is_returned = mem::replace(&mut self.is_returned, true);
        visit_mut::visit_return_type_mut(self, output);
        self.is_returned = is_returned;
    }

    /// Types in function bodies aren't needed.
    fn visit_block_mut(&mut self, _: &mut Block) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::tokens::text;

    #[test]
    fn signatures_have_the_types_that_aliases_stand_for() {
        let source = "
            pub mod bits {
                pub type Word = u64;
                pub type Words<const N: usize = 4> = [Word; N];
                pub type Read<'a, T = Word> = std::io::Result<&'a Block<T>>;
                pub struct Block<T>(T);
            }
            use bits::{Read, Word, Words as List};
            pub type Same = Other;
            pub type Other = Same;
            pub struct Field(pub List);
            impl bits::Block<List<2>> {}
            pub fn taken(a: &[Word], b: Option<Read<'_, u8>>, c: Same) -> Word {}
        ";
        let sources = Sources::of_code(source);
        let lines = sources.modules[0]
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Fn(item) => Some(text(&item.sig)),
                Item::Impl(item) => Some(text(&item.self_ty)),
                Item::Struct(item) => Some(text(&item.fields)),
                _ => None,
            });
        insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
        (pub [u64; 4])
        bits::Block<[u64; 2]>
        fn taken(a: &[u64], b: Option<std::io::Result<&'_ crate::bits::Block<u8>>>, c: crate::Same) -> Word
        ");
    }
}
