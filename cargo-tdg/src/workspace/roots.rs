//! The roots of packages, each with a `tdg.toml` and a store.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;

use tdg_engine::config::Settings;

use super::{Package, Workspace};

/// A directory with a `tdg.toml`, or else the workspace's, along with its packages.
#[derive(Debug)]
pub(crate) struct Root {
    pub(crate) directory: PathBuf,
    pub(crate) packages: Vec<Rc<Package>>,
}

impl Root {
    /// Returns the settings that its packages share.
    pub(crate) fn settings(&self) -> &Settings {
        &self.packages[0].settings
    }
}

impl Workspace {
    /// Returns the roots of the given packages. Each root includes all of its packages.
    pub(crate) fn roots(&self, of: &BTreeSet<&str>) -> Vec<Root> {
        let mut roots: Vec<Root> = Vec::new();
        let is_of = |package: &Rc<Package>| of.contains(package.name.as_str());
        for directory in self
            .packages
            .iter()
            .filter(|it| is_of(it))
            .map(|it| &it.root)
        {
            if roots.iter().all(|root| root.directory != *directory) {
                let packages = self.packages.iter().filter(|it| it.root == *directory);
                roots.push(Root {
                    directory: directory.clone(),
                    packages: packages.cloned().collect(),
                });
            }
        }
        roots
    }
}
