//! The functions that other crates can call.

use std::collections::BTreeMap;
use std::rc::Rc;

use syn::{Item, ItemImpl, ReturnType, Signature};

use super::associated::{ImplBlocks, ItemPlace};
use super::tokens::{arguments, last_word};
use super::{PublicPaths, Sources, associated_functions, is_public, plain, type_of, written};

/// A function that other crates can call.
pub(crate) struct PublicFunction<'s> {
    pub(crate) sources: &'s Sources,
    pub(crate) public: Rc<PublicPaths>,
    pub(super) blocks: Rc<ImplBlocks<'s>>,
    pub(super) producers: Rc<Producers<'s>>,
    /// The path by which they call it.
    pub(crate) path: String,
    /// The type that it is associated with, which is `Self`.
    pub(crate) owner: Option<OwnerType<'s>>,
    pub(crate) signature: &'s Signature,
    /// The module in which the names of its signature are looked up.
    pub(crate) scope: usize,
}

impl PublicFunction<'_> {
    /// The path without the crate's name.
    pub(crate) fn name(&self) -> &str {
        let inner = self.path.strip_prefix(&self.sources.name);
        let inner = inner.and_then(|it| it.strip_prefix("::"));
        inner.unwrap_or(&self.path)
    }
}

/// A type of the crate.
#[derive(Clone)]
pub(crate) struct OwnerType<'s> {
    /// The path by which other crates name it.
    pub(crate) path: String,
    pub(crate) place: ItemPlace,
    /// The block that the function is in.
    pub(crate) block: &'s ItemImpl,
}

/// A function without what its crate says of types.
pub(super) struct Producer<'s> {
    pub(super) path: String,
    pub(super) owner: Option<OwnerType<'s>>,
    pub(super) signature: &'s Signature,
    pub(super) scope: usize,
}

/// The functions that return values of each type of the crate, but those of the type itself.
pub(super) type Producers<'s> = BTreeMap<ItemPlace, Vec<Rc<Producer<'s>>>>;

/// All functions that other crates can call.
pub(crate) fn public_functions(sources: &Sources) -> Vec<PublicFunction<'_>> {
    let public = Rc::new(PublicPaths::of(sources));
    let blocks = Rc::new(ImplBlocks::of(sources));
    let functions: Vec<Rc<Producer<'_>>> = producers(sources, &public).map(Rc::new).collect();
    let mut producers = Producers::new();
    for function in &functions {
        if let Some(place) = produced(sources, function)
            && function.owner.as_ref().is_none_or(|it| it.place != place)
        {
            producers
                .entry(place)
                .or_default()
                .push(Rc::clone(function));
        }
    }
    let producers = Rc::new(producers);
    let functions = functions.iter().map(|function| PublicFunction {
        sources,
        public: Rc::clone(&public),
        blocks: Rc::clone(&blocks),
        producers: Rc::clone(&producers),
        path: function.path.clone(),
        owner: function.owner.clone(),
        signature: function.signature,
        scope: function.scope,
    });
    functions.collect()
}

fn producers<'s>(sources: &'s Sources, public: &PublicPaths) -> impl Iterator<Item = Producer<'s>> {
    let items = sources.modules.iter().enumerate();
    let items = items.flat_map(|(scope, module)| {
        let items = module.items.iter().enumerate();
        items.map(move |(position, item)| (scope, position, item))
    });
    let free = items.filter_map(|(scope, position, item)| match item {
        Item::Fn(item) => Some(Producer {
            path: public.get(scope, position)?.to_owned(),
            owner: None,
            signature: &item.sig,
            scope,
        }),
        _ => None,
    });
    let associated = associated_functions(sources).filter_map(|(scope, block, function)| {
        let place = type_of(sources, scope, &block.self_ty)?;
        let owner = public.get(place.0, place.1)?;
        is_public(&function.vis).then(|| Producer {
            path: format!("{owner}::{}", written(&plain(&function.sig.ident))),
            owner: Some(OwnerType {
                path: owner.to_owned(),
                place,
                block,
            }),
            signature: &function.sig,
            scope,
        })
    });
    free.chain(associated)
}

/// The type of the crate that a function returns, or may return.
fn produced(sources: &Sources, function: &Producer<'_>) -> Option<ItemPlace> {
    let ReturnType::Type(_, kind) = &function.signature.output else {
        return None;
    };
    let may = matches!(last_word(kind)?.as_str(), "Option" | "Result");
    let kind = match arguments(kind).first() {
        Some(inner) if may => inner,
        _ => &**kind,
    };
    type_of(sources, function.scope, kind)
}
