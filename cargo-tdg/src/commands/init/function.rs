//! Finds functions by path.

use std::fmt::Display;

use syn::{Item, Signature, Visibility};
use tdg_definition::nearest;

use crate::error::{Error, Result};
use crate::sources::tokens::last_word;
use crate::sources::{
    PathTarget, PublicFunction, Sources, Space, associated_functions, is_public, plain,
    public_functions, type_of,
};

/// Finds a function by its path, with or without the crate's name or `crate`.
pub(super) fn find<'s>(sources: &'s Sources, asked: &str) -> Result<PublicFunction<'s>> {
    let segments: Vec<String> = asked
        .trim_start_matches("::")
        .split("::")
        .map(|segment| segment.trim().trim_start_matches("r#").to_owned())
        .collect();
    let inner = match segments.split_first() {
        Some((first, rest)) if !rest.is_empty() && (*first == sources.name || first == "crate") => {
            rest
        }
        _ => &segments,
    };
    // A module may have the crate's name.
    let found = free(sources, inner).or_else(|| free(sources, &segments));
    let found = found.or_else(|| associated(sources, inner));
    found.unwrap_or_else(|| by_end(sources, inner).ok_or_else(|| unknown(sources, asked)))
}

/// Finds the only public function whose path ends like this.
fn by_end<'s>(sources: &'s Sources, path: &[String]) -> Option<PublicFunction<'s>> {
    let end = format!("::{}", path.join("::"));
    let functions = public_functions(sources).into_iter();
    let mut functions = functions.filter(|it| it.path.ends_with(&end));
    let only = functions.next();
    only.filter(|_| functions.next().is_none())
}

fn free<'s>(sources: &'s Sources, path: &[String]) -> Option<Result<PublicFunction<'s>>> {
    let target = sources.resolve(0, path, Space::Values)?;
    let PathTarget::Item(scope, position) = target else {
        return None;
    };
    let Item::Fn(item) = &sources.modules[scope].items[position] else {
        return None;
    };
    Some(public(sources, &item.sig).ok_or_else(|| {
        let path = sources.path_in(scope, &plain(&item.sig.ident));
        private(sources, scope, &path, &item.vis)
    }))
}

fn public<'s>(sources: &'s Sources, signature: &Signature) -> Option<PublicFunction<'s>> {
    let mut functions = public_functions(sources).into_iter();
    functions.find(|it| std::ptr::eq(it.signature, signature))
}

/// Finds `Type::function` in any `impl` of the type.
fn associated<'s>(sources: &'s Sources, path: &[String]) -> Option<Result<PublicFunction<'s>>> {
    let (name, owner) = path.split_last().filter(|(_, owner)| !owner.is_empty())?;
    let target = sources.resolve(0, owner, Space::Types)?;
    let PathTarget::Item(module, position) = target else {
        return None;
    };
    let (_, _, function) = associated_functions(sources).find(|(scope, block, function)| {
        plain(&function.sig.ident) == *name
            && type_of(sources, *scope, &block.self_ty) == Some((module, position))
    })?;
    let path = sources.path_in(module, &path[path.len() - 2..].join("::"));
    let found = public(sources, &function.sig);
    Some(found.ok_or_else(|| private(sources, module, &path, &function.vis)))
}

/// Returns the error for a function without a test.
pub(super) fn refused(path: &str, reason: &dyn Display) -> Error {
    Error::new(format!("no test was written for `{path}`: {reason}"))
}

fn private(sources: &Sources, module: usize, path: &str, visibility: &Visibility) -> Error {
    let modules = std::iter::successors(Some(module), |it| Some(sources.modules[*it].parent));
    let hidden = modules
        .take_while(|it| *it != 0)
        .filter(|it| !sources.modules[*it].is_public)
        .last();
    let fix = match hidden {
        Some(module) if is_public(visibility) => format!(
            "its module `{name}` is private, and tests in `tests` can only call public items; \
             write `pub mod {name}`, or `pub use` with the function",
            name = sources.modules[module].name
        ),
        _ => "it is private, and tests in `tests` can only call public items; make it `pub`, or \
             write an ensemble test next to it"
            .to_owned(),
    };
    refused(path, &fix)
}

fn unknown(sources: &Sources, asked: &str) -> Error {
    let mut names: Vec<(String, String)> = Vec::new();
    for ((scope, _), item) in sources.items() {
        if let Item::Fn(item) = item {
            let name = plain(&item.sig.ident);
            names.push((sources.path_in(scope, &name), name));
        }
    }
    for (scope, block, function) in associated_functions(sources) {
        if let Some(owner) = last_word(&block.self_ty) {
            let name = plain(&function.sig.ident);
            names.push((sources.path_in(scope, &format!("{owner}::{name}")), name));
        }
    }
    names.sort();
    names.dedup();
    let asked = asked.trim_start_matches("::");
    let last = asked.rsplit("::").next().unwrap_or(asked);
    let near = nearest(last, names.iter().map(|(_, name)| name.as_str()));
    let near = names.iter().filter(|(_, name)| Some(name.as_str()) == near);
    let mut near: Vec<String> = near.map(|(path, _)| format!("`{path}`")).collect();
    if near.is_empty() {
        let paths = names.iter().map(|(path, _)| path.as_str());
        near.extend(nearest(asked, paths).map(|path| format!("`{path}`")));
    }
    near.truncate(3);
    let mut message = format!(
        "no function `{asked}` in the sources of the crate `{}`",
        sources.name
    );
    if !near.is_empty() {
        message.push_str(&format!("; did you mean {}?", near.join(" or ")));
        return Error::new(message);
    }
    message.push_str("; functions that macros write are not found");
    for unread in &sources.unread {
        message.push_str(&format!("\nnot read: {unread}"));
    }
    Error::new(message)
}
