//! The sources of a crate, read as rustc finds them.

mod load;
mod names;
mod public;

use std::path::Path;

use syn::ext::IdentExt;
use syn::{Ident, Item, Visibility};

use crate::error::Result;

pub(super) use names::{PathTarget, Space};
pub(super) use public::PublicPaths;

/// The modules of a crate; the first is its root.
pub(super) struct Sources {
    /// The crate's name, as code writes it.
    pub(super) name: String,
    pub(super) modules: Vec<Module>,
    /// The files that can't be read, with the reasons.
    pub(super) unread: Vec<String>,
}

pub(super) struct Module {
    pub(super) name: String,
    pub(super) is_public: bool,
    pub(super) parent: usize,
    pub(super) children: Vec<usize>,
    /// All but the modules.
    pub(super) items: Vec<Item>,
}

impl Sources {
    /// Reads the crate with that root file.
    pub(super) fn read(
        name: &str,
        root: &Path,
        read: &dyn Fn(&Path) -> std::io::Result<String>,
    ) -> Result<Self> {
        load::load(name, root, read)
    }

    /// The path of something in a module, by the names of modules.
    pub(super) fn path_in(&self, module: usize, name: &str) -> String {
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
pub(super) fn plain(name: &Ident) -> String {
    name.unraw().to_string()
}

/// The name, with `r#` if it is a keyword.
pub(super) fn written(name: &str) -> String {
    match syn::parse_str::<Ident>(name) {
        Ok(_) => name.to_owned(),
        Err(_) => format!("r#{name}"),
    }
}

pub(super) fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}
