//! The two sides that the options name.

use std::path::Path;

use super::Compare;
use crate::error::{Context as _, Error, Result};
use crate::sides::{BuildOptions, ComparedSide, Revision, published_version};
use crate::workspace::Workspace;

impl Compare {
    /// Returns the earlier side and today's.
    pub(crate) fn sides(&self, workspace: Workspace, folder: &Path) -> Result<[ComparedSide; 2]> {
        let manifest = workspace.directory.join("Cargo.toml");
        // Without other sources, only the build options differ.
        let is_of_options = !self.names_sources() && self.names_a_build();
        // The default features are on anyway, and cargo refuses the name where there are none.
        let named = self.features.iter().filter(|it| *it != "default");
        let options = BuildOptions {
            features: named.cloned().collect(),
            has_all_features: self.features.is_empty() && !is_of_options,
            toolchain: None,
            target: self.target.clone(),
        };
        let mut then = match is_of_options {
            true => {
                let label = "the same sources without the options".to_owned();
                ComparedSide::open(label, &manifest, BuildOptions::default())?
            }
            false => self.side_of_then(&workspace, options.clone(), folder)?,
        };
        let mut now = ComparedSide::open("now".to_owned(), &manifest, options)?;
        let other = if is_of_options { &mut now } else { &mut then };
        other.build.toolchain.clone_from(&self.toolchain);
        if let Some(lock) = &self.lock {
            other.lock = Some(lock.canonicalize().context(lock.display())?);
        }
        if then.lock.is_none() {
            then.lock.clone_from(&now.lock);
        }
        Ok([then, now])
    }

    fn names_sources(&self) -> bool {
        self.revision.is_some() || self.path.is_some() || self.version.is_some()
    }

    fn names_a_build(&self) -> bool {
        let is_built_otherwise = self.toolchain.is_some() || self.target.is_some();
        is_built_otherwise || self.lock.is_some() || !self.features.is_empty()
    }

    fn side_of_then(
        &self,
        workspace: &Workspace,
        options: BuildOptions,
        folder: &Path,
    ) -> Result<ComparedSide> {
        if let Some(path) = &self.path {
            let label = path.display().to_string();
            return ComparedSide::open(label, &path.join("Cargo.toml"), options);
        }
        if let Some(version) = &self.version {
            let packages = self.packages.select(workspace)?;
            let [package] = packages.iter().collect::<Vec<_>>()[..] else {
                let reason = "choose one package for --version: `--package NAME`";
                return Err(Error::new(reason));
            };
            let manifest =
                published_version::manifest(package, version, &folder.join("published"))?;
            return ComparedSide::open(format!("{package} {version}"), &manifest, options);
        }
        let name = self.revision.as_deref();
        let revision = Revision::take(&workspace.directory, name, &folder.join("sources"))?;
        let manifest = revision.directory.join("Cargo.toml");
        let side = ComparedSide::open(revision.label.clone(), &manifest, options);
        let side = side.map_err(|error| error.context(&revision.label))?;
        Ok(ComparedSide {
            gaps: revision.gaps,
            is_today: revision.is_today,
            ..side
        })
    }
}
