//! The sources of a crate, read as rustc finds them.

mod aliases;
mod associated;
mod blocks;
mod calls;
mod constants;
pub(crate) mod edit;
mod files;
mod function;
mod function_constants;
mod load;
mod makers;
mod names;
mod passed;
mod prelude;
mod projections;
mod public;
mod substitution;
pub(crate) mod tokens;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use names::Import;
use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::{Ident, Item, Pat, Signature, Visibility};

pub(crate) use associated::{
    ItemPlace, associated_functions, derived, derives, generics, parameter, provided_functions,
    trait_function, trait_functions, type_of,
};
pub(crate) use calls::{CallGraph, is_called};
pub(crate) use constants::CodeConstants;
pub(crate) use files::{leads_back, rust_files};
pub(crate) use function::{OwnerType, PublicFunction, public_functions};
pub(crate) use function_constants::FunctionConstants;
pub(crate) use load::is_for_tests;
pub(crate) use makers::{MakerForm, TypeMaker, type_path, whole_type};
pub(crate) use names::{PathTarget, Space};
pub(crate) use prelude::SCALARS;
use public::PublicPaths;
pub(crate) use public::shared_paths;
pub(crate) use substitution::Substitution;

/// The modules of a crate; the first is its root.
pub(crate) struct Sources {
    /// The crate's name, as code writes it.
    pub(crate) name: String,
    imports_from_root: bool,
    /// The public paths that another revision has too.
    pub(crate) shared_paths: BTreeSet<String>,
    pub(crate) modules: Vec<Module>,
    /// The modules with `#[cfg(test)]`.
    pub(crate) tests: Vec<TokenStream>,
    /// The files that can't be read, with the reasons.
    pub(crate) unread: Vec<String>,
    /// That of `to_string`, by which `Display` is called.
    to_string: Signature,
}

#[derive(Default)]
pub(crate) struct Module {
    pub(crate) name: String,
    pub(crate) is_public: bool,
    pub(crate) parent: usize,
    pub(crate) children: Vec<usize>,
    /// All but the modules.
    pub(crate) items: Vec<Item>,
    /// The places of the items that have names.
    names: BTreeMap<(String, Space), usize>,
    /// What `use` brings.
    imports: Vec<Import>,
}

impl Sources {
    /// The path of something in a module, by the names of modules.
    pub(crate) fn path_in(&self, module: usize, name: &str) -> String {
        let mut path = name.to_owned();
        let mut module = module;
        while module != 0 {
            path = format!("{}::{path}", self.modules[module].name);
            module = self.modules[module].parent;
        }
        format!("{}::{path}", self.name)
    }
}

/// The name, without `r#`.
pub(crate) fn plain(name: &Ident) -> String {
    name.unraw().to_string()
}

/// The name, with `r#` if it is a keyword.
pub(crate) fn written(name: &str) -> String {
    match syn::parse_str::<Ident>(name) {
        Ok(_) => name.to_owned(),
        Err(_) => format!("r#{name}"),
    }
}

/// The name of the parameter at that position, without `r#`.
pub(crate) fn parameter_name(position: usize, pattern: &Pat) -> String {
    match pattern {
        Pat::Ident(pattern) => plain(&pattern.ident),
        _ => format!("value_{}", position + 1),
    }
}

pub(crate) fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}
