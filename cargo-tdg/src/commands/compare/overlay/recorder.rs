//! The copy of a side whose functions record their calls.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::test_modules::modules_elsewhere;
use super::{Overlay, manifest, module_folder};
use crate::error::Result;
use crate::workspace::{Package, Workspace};

impl Overlay {
    /// Makes the packages of a side build with the recorder, and without examples and benchmarks.
    pub(in crate::commands::compare) fn add_recorder(
        &mut self,
        from: &Workspace,
        package: &Package,
        (recorder, documentation): (&Path, Option<String>),
    ) -> Result<()> {
        let members = from
            .packages
            .iter()
            .map(|it| (self.place(from, it), it.directory.clone()));
        let mut members: BTreeMap<PathBuf, PathBuf> = members.collect();
        members.insert(self.inner.clone(), from.directory.clone());
        for (at, directory) in &members {
            let manifest = at.join("Cargo.toml");
            if let Some(text) = self.tree.text(&manifest)? {
                let text = manifest::with_paths(&text, directory, &self.top)?;
                self.tree.write(&manifest, text);
            }
        }
        let at = self.place(from, package);
        let manifest = at.join("Cargo.toml");
        if let Some(text) = self.tree.text(&manifest)? {
            let text = manifest::with_recorder(&text, recorder, documentation.is_some())?;
            self.tree.write(&manifest, text);
        }
        if let Some(tests) = documentation {
            self.tree.write(&at.join(manifest::DOCUMENTATION), tests);
        }
        Ok(())
    }

    /// Returns the source files of a package that aren't only for tests, with their texts.
    pub(in crate::commands::compare) fn sources(
        &self,
        at: &Path,
    ) -> Result<Vec<(PathBuf, String)>> {
        let mut sources = Vec::new();
        let mut tests = Vec::new();
        for path in self.tree.rust_files(&at.join("src")) {
            let text = self.tree.text(&path)?.unwrap_or_default();
            for name in modules_elsewhere(&text) {
                let own = module_folder(&path).join(name);
                tests.extend([own.with_extension("rs"), own]);
            }
            sources.push((path, text));
        }
        sources.retain(|(path, _)| !tests.iter().any(|it| path.starts_with(it)));
        Ok(sources)
    }
}
