//! The functions that other crates can call.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::rc::Rc;

use syn::{Item, ItemImpl, ReturnType, Signature, Type, TypePath, TypeReference};

use super::associated_items::{ImplBlocks, ItemPlace, item_of, stated};
use super::prelude::PRELUDE;
use super::tokens::{arguments, last_word, short_text, text};
use super::{
    PathTarget, PublicPaths, SCALARS, STANDARD, Sources, Space, associated_functions, is_public,
    plain, provided_functions, trait_function, trait_functions, type_of, written,
};

/// A public function, along with its crate's types.
pub(crate) struct PublicFunction<'s> {
    pub(crate) sources: &'s Sources,
    pub(crate) public: Rc<PublicPaths>,
    pub(crate) blocks: Rc<ImplBlocks<'s>>,
    pub(super) producers: Rc<Producers<'s>>,
    declared: Rc<DeclaredFunction<'s>>,
}

/// The declaration of a public function.
pub(crate) struct DeclaredFunction<'s> {
    /// The path by which other crates call it.
    pub(crate) path: String,
    /// The type that it is associated with (`Self`).
    pub(crate) owner: Option<OwnerType<'s>>,
    /// The trait that provides it. `Self` may then be any type.
    pub(crate) of_trait: Option<ItemPlace>,
    pub(crate) signature: &'s Signature,
    /// The module that its signature's names are resolved in.
    pub(crate) scope: usize,
}

impl<'s> Deref for PublicFunction<'s> {
    type Target = DeclaredFunction<'s>;

    fn deref(&self) -> &DeclaredFunction<'s> {
        &self.declared
    }
}

impl<'s> DeclaredFunction<'s> {
    /// Resolves `Self::Name` within a trait's `impl` block.
    pub(super) fn meant<'t>(&self, kind: &'t Type) -> &'t Type
    where
        's: 't,
    {
        let stated = || {
            let Type::Path(TypePath { qself: None, path }) = kind else {
                return None;
            };
            let mut names = path.segments.iter().map(|it| &it.ident);
            let (of, name) = (names.next()?, names.next()?);
            let owner = self.owner.as_ref().filter(|_| of == "Self")?;
            stated(owner.block, name)
        };
        stated().unwrap_or(kind)
    }
}

impl PublicFunction<'_> {
    /// Returns the path without the crate's name.
    pub(crate) fn name(&self) -> &str {
        let inner = self.path.strip_prefix(&self.sources.name);
        let inner = inner.and_then(|it| it.strip_prefix("::"));
        inner.unwrap_or(&self.path)
    }

    /// Returns its type or trait in the call graph.
    pub(crate) fn owner_name(&self) -> Option<&str> {
        match (&self.owner, self.of_trait) {
            (Some(owner), _) => owner.path.rsplit("::").next(),
            (None, Some(_)) => self.path.rsplit("::").nth(1),
            (None, None) => None,
        }
    }

    /// Returns its name in the call graph.
    pub(crate) fn called(&self) -> String {
        let block = self.owner.as_ref().map(|it| it.block);
        let of_trait = block.and_then(|it| it.trait_.as_ref());
        match of_trait.and_then(|(_, path, _)| path.segments.last()) {
            Some(last) if last.ident == "Display" => "Display::fmt".to_owned(),
            Some(last) => trait_function(&last.ident, &self.signature.ident),
            None => plain(&self.signature.ident),
        }
    }
}

/// The type that a function is associated with.
pub(crate) struct OwnerType<'s> {
    /// The path by which other crates refer to it.
    pub(crate) path: String,
    /// Its place, or `None` for a primitive type.
    pub(crate) place: Option<ItemPlace>,
    /// The block with the function.
    pub(crate) block: &'s ItemImpl,
}

/// The functions that return values of each type of the crate, except the type's own functions.
pub(super) type Producers<'s> = BTreeMap<ItemPlace, Vec<Rc<DeclaredFunction<'s>>>>;

/// Returns all functions that other crates can call.
pub(crate) fn public_functions(sources: &Sources) -> Vec<PublicFunction<'_>> {
    let public = Rc::new(PublicPaths::new(sources));
    let blocks = Rc::new(ImplBlocks::new(sources));
    let declared: Vec<Rc<_>> = declared(sources, &public).map(Rc::new).collect();
    let mut producers = Producers::new();
    for function in declared.iter().filter(|it| it.of_trait.is_none()) {
        let own = function.owner.as_ref().and_then(|it| it.place);
        for place in produced(sources, function).filter(|it| own != Some(*it)) {
            let of_type = producers.entry(place).or_default();
            of_type.push(Rc::clone(function));
        }
    }
    let producers = Rc::new(producers);
    let functions = declared.into_iter().map(|declared| PublicFunction {
        sources,
        public: Rc::clone(&public),
        blocks: Rc::clone(&blocks),
        producers: Rc::clone(&producers),
        declared,
    });
    functions.collect()
}

/// Returns the items whose functions other crates can reach, each with its module: functions,
/// traits, and blocks of types.
pub(crate) fn reachable_items(sources: &Sources) -> Vec<(usize, &Item)> {
    let public = PublicPaths::new(sources);
    let is_public = |place: ItemPlace| public.get(place.0, place.1).is_some();
    let mut reachable = Vec::new();
    for (scope, module) in sources.modules.iter().enumerate() {
        for (position, item) in module.items.iter().enumerate() {
            let is_reachable = match item {
                Item::Impl(block) => {
                    let of_trait = block.trait_.as_ref();
                    let of_trait = of_trait.and_then(|(_, path, _)| item_of(sources, scope, path));
                    let kind = type_of(sources, scope, &block.self_ty);
                    kind.is_none_or(is_public) && of_trait.is_none_or(is_public)
                }
                _ => is_public((scope, position)),
            };
            reachable.extend(is_reachable.then_some((scope, item)));
        }
    }
    reachable
}

fn declared<'s>(
    sources: &'s Sources,
    public: &PublicPaths,
) -> impl Iterator<Item = DeclaredFunction<'s>> {
    let items = sources.items();
    let free = items.filter_map(|((scope, position), item)| match item {
        Item::Fn(item) => Some(DeclaredFunction {
            path: public.get(scope, position)?.to_owned(),
            owner: None,
            of_trait: None,
            signature: &item.sig,
            scope,
        }),
        _ => None,
    });
    let associated = associated_functions(sources).filter_map(|(scope, block, function)| {
        let place = type_of(sources, scope, &block.self_ty)?;
        let owner = public.get(place.0, place.1)?;
        is_public(&function.vis).then(|| DeclaredFunction {
            path: format!("{owner}::{}", written(&plain(&function.sig.ident))),
            owner: Some(OwnerType {
                path: owner.to_owned(),
                place: Some(place),
                block,
            }),
            of_trait: None,
            signature: &function.sig,
            scope,
        })
    });
    let of_traits = implemented(sources, public);
    free.chain(associated)
        .chain(of_traits)
        .chain(provided(sources, public))
}

/// Returns the trait functions that types implement.
fn implemented<'s>(
    sources: &'s Sources,
    public: &PublicPaths,
) -> impl Iterator<Item = DeclaredFunction<'s>> {
    trait_functions(sources).filter_map(|(scope, block, last, function)| {
        let path = block.trait_.as_ref().map(|(_, path, _)| path)?;
        is_called(sources, public, (scope, path)).then_some(())?;
        let place = type_of(sources, scope, &block.self_ty);
        let owner = match place {
            Some(place) => public.get(place.0, place.1)?.to_owned(),
            None => Some(text(&block.self_ty)).filter(|it| SCALARS.contains(&it.as_str()))?,
        };
        let crate_name = format!("{}::", sources.name);
        let short = owner.strip_prefix(&crate_name).unwrap_or(&owner);
        let name = plain(&function.sig.ident);
        Some(DeclaredFunction {
            path: format!("<{short} as {}>::{name}", short_text(last)),
            signature: match last.ident == "Display" {
                true => &sources.to_string,
                false => &function.sig,
            },
            of_trait: None,
            owner: Some(OwnerType {
                path: owner,
                place,
                block,
            }),
            scope,
        })
    })
}

/// Returns the functions that traits provide.
fn provided<'s>(
    sources: &'s Sources,
    public: &PublicPaths,
) -> impl Iterator<Item = DeclaredFunction<'s>> {
    provided_functions(sources).filter_map(|(place, _, function)| {
        let of_trait = public.get(place.0, place.1)?;
        Some(DeclaredFunction {
            path: format!("{of_trait}::{}", written(&plain(&function.sig.ident))),
            owner: None,
            of_trait: Some(place),
            signature: &function.sig,
            scope: place.0,
        })
    })
}

/// Traits that don't affect a program's results, or that only a formatter calls.
const LEFT_OUT: [&str; 11] = [
    "Debug", "Clone", "Drop", "Hash", "Error", "LowerHex", "UpperHex", "Binary", "Octal",
    "LowerExp", "Write",
];

/// Returns true for public traits of the crate and for most traits of std.
pub(super) fn is_called(
    sources: &Sources,
    public: &PublicPaths,
    (scope, path): (usize, &syn::Path),
) -> bool {
    let names = path.segments.iter().map(|it| plain(&it.ident));
    let names: Vec<String> = names.collect();
    match sources.resolve(scope, &names, Space::Types) {
        Some(PathTarget::Item(module, position)) => public.get(module, position).is_some(),
        Some(PathTarget::Foreign(names)) => {
            let is_std = STANDARD.contains(&names[0].as_str());
            let last = names.last().map(String::as_str).unwrap_or_default();
            !LEFT_OUT.contains(&last) && (is_std || PRELUDE.contains(&last))
        }
        _ => false,
    }
}

/// Returns the crate's types that a function may return.
fn produced(sources: &Sources, function: &DeclaredFunction<'_>) -> impl Iterator<Item = ItemPlace> {
    let kinds = match &function.signature.output {
        ReturnType::Type(_, kind) => may_return(kind),
        ReturnType::Default => Vec::new(),
    };
    let kinds = kinds.into_iter().map(|kind| lasting(function.meant(kind)));
    kinds.filter_map(|kind| type_of(sources, function.scope, kind))
}

/// Returns the type and, for an `Option` or a `Result`, its arguments.
pub(super) fn may_return(kind: &Type) -> Vec<&Type> {
    let mut kinds = vec![kind];
    if last_word(kind).is_some_and(|it| matches!(it.as_str(), "Option" | "Result")) {
        kinds.extend(arguments(kind));
    }
    kinds
}

/// Returns the type behind a `'static` reference, which can be borrowed again.
pub(super) fn lasting(kind: &Type) -> &Type {
    match kind {
        Type::Reference(TypeReference {
            lifetime: Some(lifetime),
            mutability: None,
            elem,
            ..
        }) if lifetime.ident == "static" => elem,
        kind => kind,
    }
}
