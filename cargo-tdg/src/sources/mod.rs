//! The sources of a crate, found as rustc finds them.

mod aliases;
mod associated_items;
mod blocks;
mod calls;
mod conditions;
mod constants;
pub(crate) mod edit;
mod effects;
mod examples;
mod features;
mod files;
mod foreign_types;
mod function;
mod load;
mod makers;
mod names;
mod prelude;
mod projections;
mod public;
mod shown_members;
mod substitution;
pub(crate) mod tokens;
mod types;
mod uncalled_items;
mod unsupported;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use names::{Import, SoughtPath};
use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::{Attribute, Ident, Item, Pat, Signature, Visibility};

pub(crate) use associated_items::{
    ItemPlace, associated_functions, derived, derives, generics, parameter, provided_functions,
    trait_function, trait_functions, type_of,
};
pub(crate) use calls::{CallGraph, is_called, named_by};
pub(crate) use conditions::{attributes, is_of_tests};
pub(crate) use constants::{CodeConstants, ComparedPair, FunctionConstants};
pub(crate) use effects::Effects;
pub(crate) use examples::{CallExample, CodeBlock, Examples, code_blocks};
pub(crate) use files::{leads_back, rust_files};
pub(crate) use foreign_types::{DrawnPart, ForeignType, MadeBy, implementer};
pub(crate) use function::{OwnerType, PublicFunction, public_functions, reachable_items};
pub(crate) use load::stated_path;
pub(crate) use makers::{MakerForm, TypeMaker, type_path, whole_type};
pub(crate) use names::{PathTarget, Space};
pub(crate) use prelude::{SCALARS, STANDARD};
use public::PublicPaths;
pub(crate) use public::shared_paths;
pub(crate) use shown_members::ShownMembers;
pub(crate) use substitution::Substitution;
pub(crate) use uncalled_items::UncalledItems;
pub(crate) use unsupported::Unsupported;

/// The modules of a crate. The first is the root.
pub(crate) struct Sources {
    /// The crate's name in code.
    pub(crate) name: String,
    imports_from_root: bool,
    /// The public paths that another revision has as well.
    pub(crate) shared_paths: BTreeSet<String>,
    pub(crate) modules: Vec<Module>,
    /// The attributes of its files, which have their documentation.
    documentation: Vec<Attribute>,
    /// The code that only tests compile.
    pub(crate) tests: Vec<TokenStream>,
    /// Unreadable files with the reasons.
    pub(crate) unread: Vec<String>,
    /// The signature of `to_string`, which calls `Display`.
    to_string: Signature,
    /// The targets of paths that were resolved before.
    resolved: RefCell<BTreeMap<SoughtPath, Option<PathTarget>>>,
}

#[derive(Default)]
pub(crate) struct Module {
    pub(crate) name: String,
    pub(crate) is_public: bool,
    pub(crate) parent: usize,
    pub(crate) children: Vec<usize>,
    /// All items except modules.
    pub(crate) items: Vec<Item>,
    /// The positions of named items.
    names: BTreeMap<(String, Space), usize>,
    /// The names imported by `use`.
    imports: Vec<Import>,
}

impl Sources {
    /// Returns the full path of a name in a module, using module names.
    pub(crate) fn path_in(&self, module: usize, name: &str) -> String {
        match &*self.module_path(module) {
            "" => format!("{}::{name}", self.name),
            path => format!("{}::{path}::{name}", self.name),
        }
    }

    /// Returns the path of a module without the crate's name.
    pub(crate) fn module_path(&self, module: usize) -> String {
        let mut names = Vec::new();
        let mut module = module;
        while module != 0 {
            names.insert(0, self.modules[module].name.as_str());
            module = self.modules[module].parent;
        }
        names.join("::")
    }
}

/// Returns the name without `r#`.
pub(crate) fn plain(name: &Ident) -> String {
    name.unraw().to_string()
}

/// Returns the name, with `r#` if it is a keyword.
pub(crate) fn written(name: &str) -> String {
    match syn::parse_str::<Ident>(name) {
        Ok(_) => name.to_owned(),
        Err(_) => format!("r#{name}"),
    }
}

/// Returns `order_line` for `OrderLine`, and `http_server` for `HTTPServer`.
pub(crate) fn snake(name: &str) -> String {
    let mut snake = String::new();
    let mut letters = name.chars().peekable();
    let mut is_after_capital = true;
    while let Some(letter) = letters.next() {
        let is_capital = letter.is_uppercase();
        let is_before_small = letters.peek().is_some_and(|it| it.is_lowercase());
        let is_first = is_capital && (!is_after_capital || is_before_small);
        if is_first && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
        is_after_capital = is_capital || letter.is_numeric();
    }
    snake
}

/// Returns the name of a parameter, without `r#`.
pub(crate) fn parameter_name(position: usize, pattern: &Pat) -> String {
    match pattern {
        Pat::Ident(pattern) => plain(&pattern.ident),
        _ => format!("value_{}", position + 1),
    }
}

pub(crate) fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

#[cfg(test)]
mod tests {
    use super::snake;

    #[test]
    fn capitals_in_a_row_are_one_word() {
        let names = [
            "OrderLine",
            "HTTPServer",
            "CANSocket",
            "X",
            "UTF8",
            "to_text",
            "Vec2D",
        ];
        let names = names.map(snake);
        let expected = [
            "order_line",
            "http_server",
            "can_socket",
            "x",
            "utf8",
            "to_text",
            "vec2d",
        ];
        assert_eq!(names, expected);
    }
}
