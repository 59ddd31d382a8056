//! The paths by which code refers to items.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use syn::UseTree;

pub(crate) type Path = Vec<String>;

/// Passes on each path of an import with the name that it gets: `*` for a glob.
pub(crate) fn each_name(tree: &UseTree, before: &[String], found: &mut dyn FnMut(Path, String)) {
    let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => each_name(&path.tree, &with(&path.ident), found),
        UseTree::Name(it) if it.ident == "self" => {
            found(before.to_vec(), before.last().cloned().unwrap_or_default());
        }
        UseTree::Name(it) => found(with(&it.ident), it.ident.to_string()),
        UseTree::Rename(it) if it.ident == "self" => found(before.to_vec(), it.rename.to_string()),
        UseTree::Rename(it) => found(with(&it.ident), it.rename.to_string()),
        UseTree::Glob(_) => found(before.to_vec(), "*".to_owned()),
        UseTree::Group(group) => {
            for tree in &group.items {
                each_name(tree, before, found);
            }
        }
    }
}

/// Collects the paths that begin with `crate` or `super`, including imports inside functions.
pub(crate) fn in_code(tokens: TokenStream, paths: &mut Vec<Path>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match &token {
            TokenTree::Group(group) => in_code(group.stream(), paths),
            TokenTree::Ident(word) if word == "crate" || word == "super" => {
                let mut path = vec![token];
                let is_colon = |next: &TokenTree| matches!(next, TokenTree::Punct(it) if it.as_char() == ':' && it.spacing() == Spacing::Joint);
                while let Some(colon) = tokens.next_if(is_colon) {
                    let second = tokens.next();
                    let Some(name) = tokens.next_if(is_part) else {
                        break;
                    };
                    path.extend([colon].into_iter().chain(second).chain([name]));
                }
                let tree = syn::parse2(path.into_iter().collect()).expect("a path");
                // A single word belongs to a visibility.
                each_name(&tree, &[], &mut |path, _| {
                    paths.extend(Some(path).filter(|path| path.len() > 1));
                });
            }
            _ => {}
        }
    }
}

/// Returns true for a name, or for the braces of an import.
fn is_part(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(_) => true,
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    }
}
