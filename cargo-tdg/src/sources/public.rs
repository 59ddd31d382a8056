//! The public paths of items.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use syn::{Item, Visibility};

use super::names::{imports, named};
use super::{PathTarget, Sources, Space, Unsupported, is_public, written};

/// The public paths of items and types.
pub(crate) struct PublicPaths {
    /// The shortest public path of each function, constant and type, by its place. Paths that
    /// another revision shares come first.
    paths: BTreeMap<(usize, usize), String>,
    /// A cache of named types, by the module that they are written in.
    pub(super) types: RefCell<BTreeMap<(usize, String), Result<String, Unsupported>>>,
    /// The nesting depth of the associated type that is being named.
    pub(super) depth: Cell<usize>,
}

impl PublicPaths {
    pub(crate) fn new(sources: &Sources) -> Self {
        let paths = every_path(sources).into_iter().map(|(place, mut paths)| {
            let is_shared = |it: &String| sources.shared_paths.contains(it);
            let at = paths.iter().position(is_shared).unwrap_or_default();
            (place, paths.swap_remove(at))
        });
        Self {
            paths: paths.collect(),
            types: RefCell::default(),
            depth: Cell::default(),
        }
    }

    pub(crate) fn get(&self, module: usize, item: usize) -> Option<&str> {
        self.paths.get(&(module, item)).map(String::as_str)
    }
}

/// Returns all public paths of each function, constant and type by place, shortest first.
fn every_path(sources: &Sources) -> BTreeMap<(usize, usize), Vec<String>> {
    let mut paths: BTreeMap<_, Vec<String>> = BTreeMap::new();
    let mut seen = BTreeSet::from([0]);
    let mut queue = VecDeque::from([(0, sources.name.clone())]);
    while let Some((module, path)) = queue.pop_front() {
        let under = |name: &str| format!("{path}::{}", written(name));
        let mut later = Vec::new();
        for child in &sources.modules[module].children {
            if sources.modules[*child].is_public {
                later.push((*child, under(&sources.modules[*child].name)));
            }
        }
        for (position, item) in sources.modules[module].items.iter().enumerate() {
            if !visibility(item).is_some_and(is_public) {
                continue;
            }
            if let Some((name, _)) = named(item) {
                let place = (module, position);
                paths.entry(place).or_default().push(under(&name));
            }
            let Item::Use(item) = item else { continue };
            for import in imports(item) {
                let path = import.name.as_deref().map_or_else(|| path.clone(), under);
                for space in [Space::Types, Space::Values] {
                    match sources.resolve(module, &import.path, space) {
                        Some(PathTarget::Module(id)) => later.push((id, path.clone())),
                        Some(PathTarget::Item(id, position)) => {
                            let place = (id, position);
                            paths.entry(place).or_default().push(path.clone());
                        }
                        _ => {}
                    }
                }
            }
        }
        // Paths through a prelude come last.
        later.sort_by_key(|(_, path)| (path.ends_with("::prelude"), path.len()));
        queue.extend(later.into_iter().filter(|(id, _)| seen.insert(*id)));
    }
    paths
}

/// Returns the paths that both revisions have, which name the same items.
pub(crate) fn shared_paths(one: &Sources, other: &Sources) -> BTreeSet<String> {
    let [one, other] = [one, other].map(|it| every_path(it).into_values().flatten());
    let one: BTreeSet<String> = one.collect();
    other.filter(|it| one.contains(it)).collect()
}

fn visibility(item: &Item) -> Option<&Visibility> {
    match item {
        Item::Fn(item) => Some(&item.vis),
        Item::Const(item) => Some(&item.vis),
        Item::Struct(item) => Some(&item.vis),
        Item::Enum(item) => Some(&item.vis),
        Item::Union(item) => Some(&item.vis),
        Item::Type(item) => Some(&item.vis),
        Item::Trait(item) => Some(&item.vis),
        Item::Use(item) => Some(&item.vis),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_module_is_before_that_of_the_prelude() {
        let source = "
            pub mod prelude { pub use crate::inner::Stall; }
            pub mod marketplace { pub use crate::inner::Stall; }
            mod inner { pub struct Stall; }
        ";
        let sources = Sources::of_code(source);
        let public = PublicPaths::new(&sources);
        let paths: Vec<&String> = public.paths.values().collect();
        assert_eq!(paths, ["shop::marketplace::Stall"]);
    }

    #[test]
    fn a_path_that_another_revision_has_too_is_before_a_shorter_one() {
        let before = Sources::of_code("pub mod stalls { pub struct Stall; }");
        let mut after =
            Sources::of_code("pub use stalls::Stall; pub mod stalls { pub struct Stall; }");
        let path = |sources: &Sources| PublicPaths::new(sources).paths.into_values().next();
        assert_eq!(path(&after).unwrap(), "shop::Stall");
        after.shared_paths = shared_paths(&before, &after);
        assert_eq!(path(&after).unwrap(), "shop::stalls::Stall");
    }
}
