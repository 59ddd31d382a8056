//! The references between modules: imports, and paths that begin with `crate` or `super`. A
//! re-exported name counts for the module that defines it.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::paths::Path;
use crate::source::{MODULES, Module};

/// Returns pairs of a referring module and the module it refers to.
pub(crate) fn arrows() -> BTreeSet<(Path, Path)> {
    let names = Names::new();
    let mut arrows = BTreeSet::new();
    for module in MODULES.iter() {
        let imports = module.imports.iter().map(|(_, path)| path);
        for path in imports.chain(&module.paths) {
            if let Some(target) = names.find(&module.path, path)
                && target != module.path
            {
                arrows.insert((module.path.clone(), target));
            }
        }
    }
    arrows
}

struct Names {
    /// The imports of each module.
    imported: HashMap<&'static [String], &'static [(String, Path)]>,
    defined: HashSet<Path>,
}

impl Names {
    fn new() -> Self {
        let imports = MODULES
            .iter()
            .map(|it| (it.path.as_slice(), it.imports.as_slice()));
        let of_module = |module: &'static Module| {
            let path =
                |name: &String| [module.path.as_slice(), std::slice::from_ref(name)].concat();
            module.items.iter().map(path)
        };
        let imported: HashMap<_, _> = imports.collect();
        let items = MODULES.iter().flat_map(of_module);
        // A module and a function may have the same name.
        let defined = items.filter(|path| !imported.contains_key(path.as_slice()));
        Self {
            defined: defined.collect(),
            imported,
        }
    }

    /// Returns the module that has a path's target, or `None` if it is in another crate.
    fn find(&self, module: &[String], path: &[String]) -> Option<Path> {
        let mut found = self.follow(module, path, 0)?;
        if self.defined.contains(&found) {
            found.pop();
        }
        Some(found)
    }

    /// Returns the module or the item that a path names.
    fn follow(&self, module: &[String], path: &[String], depth: usize) -> Option<Path> {
        let (first, rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => module[..1].to_vec(),
            "super" => module[..module.len() - 1].to_vec(),
            "self" => module.to_vec(),
            name => self.step(module, name, depth)?,
        };
        for name in rest {
            // Variants and associated items belong to their type.
            if self.defined.contains(&at) {
                break;
            }
            if name == "super" {
                at.pop();
            } else {
                at = self.step(&at, name, depth)?;
            }
        }
        Some(at)
    }

    /// Returns a module or an item by its name in a module.
    fn step(&self, module: &[String], name: &str, depth: usize) -> Option<Path> {
        let own = [module, &[name.to_owned()]].concat();
        if self.imported.contains_key(own.as_slice()) || self.defined.contains(&own) {
            return Some(own);
        }
        // Modules may glob-import each other.
        let imported = self.imported.get(module).filter(|_| depth < 8)?;
        imported.iter().find_map(|(by, path)| match by.as_str() {
            "*" => {
                let inside = [path.as_slice(), &[name.to_owned()]].concat();
                self.follow(module, &inside, depth + 1)
            }
            by if by == name => self.follow(module, path, depth + 1),
            _ => None,
        })
    }
}
