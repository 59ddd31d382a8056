//! The functions of types.

use syn::{ImplItem, ImplItemFn, Item, Type};

use super::{PathTarget, Sources, Space, plain};

/// The functions in the `impl` blocks of types, each with the module and the type.
pub(crate) fn associated_functions(
    sources: &Sources,
) -> impl Iterator<Item = (usize, &Type, &ImplItemFn)> {
    let items = sources.modules.iter().enumerate();
    let items = items.flat_map(|(scope, module)| module.items.iter().map(move |it| (scope, it)));
    let blocks = items.filter_map(|(scope, item)| match item {
        Item::Impl(block) if block.trait_.is_none() => Some((scope, block)),
        _ => None,
    });
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
