//! Name resolution in modules.

use std::collections::BTreeSet;

use syn::{Item, ItemUse, UseTree};

use super::foreign_types::ForeignType;
use super::prelude::{STANDARD, is_known_everywhere, is_primitive};
use super::{Sources, plain};

/// A namespace. A module and a function may share a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Space {
    /// Types and modules.
    Types,
    /// Functions and constants.
    Values,
}

/// The target of a path.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PathTarget {
    Module(usize),
    /// A module's index and an item's position in it.
    Item(usize, usize),
    /// An item of another crate, a primitive type, or a macro's item.
    Foreign(Vec<String>),
}

/// An import of a name or of all names of a module.
pub(super) struct Import {
    pub(super) path: Vec<String>,
    /// `None` for `*`.
    pub(super) name: Option<String>,
}

/// A path to resolve in a module.
pub(super) type SoughtPath = (usize, Vec<String>, Space);
/// A name to look up in a module.
type SoughtName = (usize, String, Space);
/// Names whose lookup is in progress, so that cyclic imports end.
type PendingNames = Vec<SoughtName>;

impl Sources {
    /// Resolves a path in a module.
    pub(crate) fn resolve(
        &self,
        scope: usize,
        path: &[String],
        space: Space,
    ) -> Option<PathTarget> {
        let sought = (scope, path.to_vec(), space);
        if let Some(known) = self.resolved.borrow().get(&sought) {
            return known.clone();
        }
        let found = self.follow(scope, path, space, &mut Vec::new());
        // A module may have the crate's name.
        let found = found.or_else(|| {
            let (name, path) = path.split_first()?;
            let is_own = *name == self.name && !path.is_empty();
            is_own.then(|| self.follow(0, path, space, &mut Vec::new()))?
        });
        self.resolved.borrow_mut().insert(sought, found.clone());
        found
    }

    /// Resolves the path of a type in a module. A module doesn't shadow a primitive type. A name
    /// that the crate doesn't define belongs to a crate whose names are all imported.
    pub(crate) fn resolve_type(&self, scope: usize, path: &[String]) -> Option<PathTarget> {
        let found = self.resolve(scope, path, Space::Types);
        match (path, found) {
            (_, found @ Some(PathTarget::Item(..))) => found,
            ([name], _) if is_primitive(name) => Some(PathTarget::Foreign(path.to_vec())),
            ([name], Some(PathTarget::Foreign(names)))
                if names == *path && !is_known_everywhere(name) =>
            {
                Some(PathTarget::Foreign(
                    self.of_globs(scope, name).unwrap_or(names),
                ))
            }
            (_, found) => found,
        }
    }

    /// Returns the path of a name below a glob import of another crate, preferably of a known type.
    /// `None` if std may define it.
    fn of_globs(&self, scope: usize, name: &str) -> Option<Vec<String>> {
        let mut globs = Vec::new();
        self.add_foreign_globs(scope, &mut globs, &mut BTreeSet::new());
        globs.iter_mut().for_each(|it| it.push(name.to_owned()));
        let known = globs.iter().position(|it| ForeignType::find(it).is_some());
        let is_std = |it: &Vec<String>| STANDARD.contains(&it[0].as_str());
        match known {
            Some(at) => Some(globs.swap_remove(at)),
            None if globs.iter().any(is_std) => None,
            None => globs.into_iter().next(),
        }
    }

    /// Adds the modules of other crates whose names are all visible in a module.
    fn add_foreign_globs(
        &self,
        scope: usize,
        globs: &mut Vec<Vec<String>>,
        seen: &mut BTreeSet<usize>,
    ) {
        if !seen.insert(scope) {
            return;
        }
        for import in self.modules[scope]
            .imports
            .iter()
            .filter(|it| it.name.is_none())
        {
            match self.resolve(scope, &import.path, Space::Types) {
                Some(PathTarget::Foreign(path)) => globs.push(path),
                Some(PathTarget::Module(module)) => self.add_foreign_globs(module, globs, seen),
                _ => {}
            }
        }
    }

    fn follow(
        &self,
        scope: usize,
        path: &[String],
        space: Space,
        pending: &mut PendingNames,
    ) -> Option<PathTarget> {
        let mut here = None;
        for (position, name) in path.iter().enumerate() {
            let is_last = position + 1 == path.len();
            let space = if is_last { space } else { Space::Types };
            let module = match here {
                None => scope,
                Some(PathTarget::Module(module)) => module,
                Some(_) => return None,
            };
            here = match name.as_str() {
                "crate" => Some(PathTarget::Module(0)),
                "self" => Some(PathTarget::Module(module)),
                "super" => Some(PathTarget::Module(self.modules[module].parent)),
                name => match self.look_up((module, name.to_owned(), space), pending) {
                    // `use anyhow::anyhow` imports a macro, which doesn't shadow the crate.
                    Some(PathTarget::Foreign(foreign)) if !is_last && foreign == [name, name] => {
                        return Some(PathTarget::Foreign(path[position..].to_vec()));
                    }
                    Some(PathTarget::Foreign(mut foreign)) => {
                        foreign.extend_from_slice(&path[position + 1..]);
                        return Some(PathTarget::Foreign(foreign));
                    }
                    None if position == 0 && *name == self.name => Some(PathTarget::Module(0)),
                    None if position == 0 => return Some(PathTarget::Foreign(path.to_vec())),
                    found => Some(found?),
                },
            };
        }
        here
    }

    fn look_up(&self, sought: SoughtName, pending: &mut PendingNames) -> Option<PathTarget> {
        if pending.contains(&sought) {
            return None;
        }
        pending.push(sought.clone());
        let found = self.own(&sought);
        let found = found.or_else(|| self.imported(&sought, pending));
        pending.pop();
        found
    }

    fn own(&self, (scope, name, space): &SoughtName) -> Option<PathTarget> {
        let module = &self.modules[*scope];
        let mut children = module.children.iter();
        let child = children.find(|child| self.modules[**child].name == *name);
        if let (Some(child), Space::Types) = (child, space) {
            return Some(PathTarget::Module(*child));
        }
        let position = module.names.get(&(name.clone(), *space))?;
        Some(PathTarget::Item(*scope, *position))
    }

    fn imported(
        &self,
        (scope, name, space): &SoughtName,
        pending: &mut PendingNames,
    ) -> Option<PathTarget> {
        let imports = self.modules[*scope].imports.iter();
        let (all, named): (Vec<_>, Vec<_>) = imports.partition(|it| it.name.is_none());
        let is_relative = |it: &Import| {
            it.path
                .first()
                .is_some_and(|it| it == "self" || it == "super")
        };
        let scope_of = |it: &Import| match self.imports_from_root && !is_relative(it) {
            true => 0,
            false => *scope,
        };
        let mut foreign = None;
        for import in named.iter().filter(|it| it.name.as_ref() == Some(name)) {
            match self.follow(scope_of(import), &import.path, *space, pending) {
                // The namespace of a foreign name is unknown.
                Some(PathTarget::Foreign(path)) => foreign = Some(PathTarget::Foreign(path)),
                Some(found) => return Some(found),
                None => {}
            }
        }
        for import in all {
            let module = self.follow(scope_of(import), &import.path, Space::Types, pending);
            if let Some(PathTarget::Module(module)) = module
                && let Some(found) = self.look_up((module, name.clone(), *space), pending)
            {
                return Some(found);
            }
        }
        foreign
    }
}

/// Returns the name of a function, a constant or a type.
pub(super) fn named(item: &Item) -> Option<(String, Space)> {
    let (name, space) = match item {
        Item::Fn(item) => (&item.sig.ident, Space::Values),
        Item::Const(item) => (&item.ident, Space::Values),
        Item::Struct(item) => (&item.ident, Space::Types),
        Item::Enum(item) => (&item.ident, Space::Types),
        Item::Union(item) => (&item.ident, Space::Types),
        Item::Type(item) => (&item.ident, Space::Types),
        Item::Trait(item) => (&item.ident, Space::Types),
        _ => return None,
    };
    Some((plain(name), space))
}

/// Returns the imports of a `use`.
pub(super) fn imports(item: &ItemUse) -> Vec<Import> {
    let mut imports = Vec::new();
    flatten(&item.tree, &[], &mut imports);
    imports
}

fn flatten(tree: &UseTree, before: &[String], imports: &mut Vec<Import>) {
    let with = |name: String| [before, &[name]].concat();
    let mut add = |name: String, rename: String| match name.as_str() {
        "self" => imports.push(Import {
            path: before.to_vec(),
            name: match rename.as_str() {
                "self" => before.last().cloned(),
                _ => Some(rename),
            },
        }),
        _ => imports.push(Import {
            path: with(name),
            name: Some(rename),
        }),
    };
    match tree {
        UseTree::Path(path) => flatten(&path.tree, &with(plain(&path.ident)), imports),
        UseTree::Name(name) => add(plain(&name.ident), plain(&name.ident)),
        UseTree::Rename(name) => add(plain(&name.ident), plain(&name.rename)),
        UseTree::Glob(_) => imports.push(Import {
            path: before.to_vec(),
            name: None,
        }),
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, before, imports);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_nothing_defines_is_of_the_crate_whose_names_are_all_imported() {
        let sources = Sources::of_code(
            "use chrono::prelude::*; mod str {} mod char {}
             mod days { use super::*; use super::own::*; use std::collections::*; }
             mod own { pub struct Order; }",
        );
        let named = |scope: usize, name: &str| match sources.resolve_type(scope, &[name.to_owned()])
        {
            Some(PathTarget::Foreign(names)) => names.join("::"),
            other => format!("{other:?}"),
        };
        let days = sources.modules.iter().position(|it| it.name == "days");
        let days = days.unwrap();
        for scope in [0, days] {
            assert_eq!(named(scope, "NaiveDate"), "chrono::prelude::NaiveDate");
            assert_eq!(named(scope, "Option"), "Option");
            assert_eq!(named(scope, "str"), "str");
            assert_eq!(named(scope, "char"), "char");
        }
        assert!(named(days, "Order").starts_with("Some(Item"));
        assert_eq!(named(0, "Era"), "chrono::prelude::Era");
        assert_eq!(named(days, "HashMap"), "HashMap");
    }

    #[test]
    fn a_macro_with_the_name_of_its_crate_does_not_shadow_it() {
        let sources = Sources::of_code("use anyhow::{anyhow, Context};");
        let resolved = |path: &[&str]| {
            let path: Vec<String> = path.iter().map(ToString::to_string).collect();
            match sources.resolve(0, &path, Space::Types) {
                Some(PathTarget::Foreign(names)) => names.join("::"),
                other => format!("{other:?}"),
            }
        };
        assert_eq!(resolved(&["anyhow", "Result"]), "anyhow::Result");
        assert_eq!(resolved(&["anyhow"]), "anyhow::anyhow");
        assert_eq!(resolved(&["Context"]), "anyhow::Context");
    }

    #[test]
    fn imports_of_the_first_edition_begin_at_the_root() {
        let code = "mod money { pub struct Cent; }
            mod shelf { use money::Cent; use self::inner::Box; mod inner { pub struct Box; } }";
        let [sources, mut of_first] = [0, 1].map(|_| Sources::of_code(code));
        of_first.imports_from_root = true;
        let mut modules = sources.modules.iter();
        let shelf = modules.position(|it| it.name == "shelf").unwrap();
        let named = |sources: &Sources, name: &str| {
            sources.resolve(shelf, &[name.to_owned()], Space::Types)
        };
        let is_item = |found: Option<PathTarget>| matches!(found, Some(PathTarget::Item(_, 0)));
        assert!(!is_item(named(&sources, "Cent")) && is_item(named(&sources, "Box")));
        assert!(is_item(named(&of_first, "Cent")) && is_item(named(&of_first, "Box")));
    }
}
