//! The functions that other crates can call.

use std::rc::Rc;

use syn::{Item, Signature};

use super::tokens::arguments;
use super::{PublicPaths, Sources, associated_functions, is_public, plain, type_of, written};

/// A function that other crates can call.
pub(crate) struct PublicFunction<'s> {
    pub(crate) sources: &'s Sources,
    pub(crate) public: Rc<PublicPaths>,
    /// The path by which they call it.
    pub(crate) path: String,
    /// The type that it is associated with, which is `Self`.
    pub(crate) owner: Option<OwnerType>,
    pub(crate) signature: &'s Signature,
    /// The module in which the names of its signature are looked up.
    pub(crate) scope: usize,
}

/// A type of the crate.
pub(crate) struct OwnerType {
    /// The path by which other crates name it.
    pub(crate) path: String,
    pub(crate) module: usize,
    pub(crate) item: usize,
}

/// All functions that other crates can call, but those of types with parameters.
pub(crate) fn public_functions(sources: &Sources) -> Vec<PublicFunction<'_>> {
    let public = Rc::new(PublicPaths::of(sources));
    let mut functions = Vec::new();
    for (scope, module) in sources.modules.iter().enumerate() {
        for (position, item) in module.items.iter().enumerate() {
            if let (Item::Fn(item), Some(path)) = (item, public.get(scope, position)) {
                functions.push(PublicFunction {
                    sources,
                    public: Rc::clone(&public),
                    path: path.to_owned(),
                    owner: None,
                    signature: &item.sig,
                    scope,
                });
            }
        }
    }
    for (scope, kind, function) in associated_functions(sources) {
        let owner = type_of(sources, scope, kind).filter(|_| arguments(kind).is_empty());
        let Some((module, item)) = owner.filter(|_| is_public(&function.vis)) else {
            continue;
        };
        if let Some(owner) = public.get(module, item) {
            functions.push(PublicFunction {
                sources,
                public: Rc::clone(&public),
                path: format!("{owner}::{}", written(&plain(&function.sig.ident))),
                owner: Some(OwnerType {
                    path: owner.to_owned(),
                    module,
                    item,
                }),
                signature: &function.sig,
                scope,
            });
        }
    }
    functions
}

/// The public functions of public types with parameters, by the names of both.
pub(crate) fn functions_of_generic_types(sources: &Sources) -> Vec<(String, String)> {
    let public = PublicPaths::of(sources);
    let functions = associated_functions(sources);
    let functions =
        functions.filter(|(_, kind, it)| !arguments(kind).is_empty() && is_public(&it.vis));
    let named = functions.filter_map(|(scope, kind, function)| {
        let (module, item) = type_of(sources, scope, kind)?;
        let path = public.get(module, item)?;
        let prefix = format!("{}::", sources.name);
        let owner = path.strip_prefix(&prefix).unwrap_or(path);
        Some((owner.to_owned(), plain(&function.sig.ident)))
    });
    named.collect()
}
