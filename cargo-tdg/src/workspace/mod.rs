//! The Cargo workspace of the current directory.

mod cargo;
mod manifest;
mod metadata;
mod packages;
mod roots;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use tdg_definition::json::Value;
use tdg_definition::nearest;
use tdg_engine::config::{Settings, display_path, find_root, process_environment};
use tdg_report::owner::snapshot_files;
use tdg_report::source_constants;

use crate::error::{Error, Result};

pub(crate) use cargo::{cargo, cargo_here};
pub(crate) use manifest::use_manifest;
pub(crate) use metadata::{Dependency, Library};
pub(crate) use packages::Packages;
pub(crate) use roots::Root;

/// The packages of a Cargo workspace.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) packages: Vec<Rc<Package>>,
    /// Cargo's target directory.
    pub(crate) target_directory: PathBuf,
    /// The directory of the workspace's manifest.
    pub(crate) directory: PathBuf,
    /// The current directory, or the directory of `--manifest-path`.
    started_in: PathBuf,
}

/// A package and its settings.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Its name for cargo, which a dependency can't have as well.
    pub(crate) spec: String,
    pub(crate) directory: PathBuf,
    /// The root source files of its targets.
    pub(crate) target_sources: Vec<PathBuf>,
    /// Those of them with imports that are relative to the crate root.
    pub(crate) sources_of_2015: Vec<PathBuf>,
    /// The folders of target sources outside its directory.
    pub(crate) outside: Vec<PathBuf>,
    /// The directory of `tdg.toml` and `.tdg`.
    pub(crate) root: PathBuf,
    pub(crate) settings: Settings,
    /// The crate that tests in `tests` can call.
    pub(crate) library: Option<Library>,
    pub(crate) dependencies: Vec<Dependency>,
    /// Its features that aren't named as unstable or private.
    pub(crate) stable_features: Vec<String>,
    /// Set if cargo uses it by default in the workspace's directory.
    is_default: bool,
    has_dynamic_library: bool,
    constants: OnceCell<Arc<[Value]>>,
}

impl Package {
    /// Returns the library of a dependency that code calls by this name.
    pub(crate) fn library_of(&self, dependency: &str) -> Result<Option<Library>> {
        if !self.dependencies.iter().any(|it| it.name == dependency) {
            return Ok(None);
        }
        metadata::dependency(&self.directory.join("Cargo.toml"), &self.name, dependency)
    }

    /// Returns true if cargo builds only the tests that the manifest lists.
    pub(crate) fn lists_tests(&self) -> bool {
        let manifest = fs::read_to_string(self.directory.join("Cargo.toml"));
        let manifest = manifest.ok().and_then(|it| it.parse::<toml::Table>().ok());
        let package = manifest.as_ref().and_then(|it| it.get("package"));
        let autotests = package.and_then(|it| it.get("autotests"));
        autotests.and_then(toml::Value::as_bool) == Some(false)
    }

    /// Returns the numbers and texts in its sources, in order.
    pub(crate) fn constants(&self) -> Arc<[Value]> {
        let constants = || source_constants(&self.directory).into();
        Arc::clone(self.constants.get_or_init(constants))
    }

    /// Returns its snapshot files, including those that are only pending.
    pub(crate) fn snapshot_files(&self) -> BTreeSet<PathBuf> {
        self.folders().flat_map(snapshot_files).collect()
    }

    /// Returns true if a file is in one of the package's folders.
    pub(crate) fn may_have(&self, file: &Path) -> bool {
        self.folders().any(|folder| file.starts_with(folder))
    }

    /// Returns the folders with its sources.
    fn folders(&self) -> impl Iterator<Item = &Path> {
        let outside = self.outside.iter().map(PathBuf::as_path);
        [&*self.directory].into_iter().chain(outside)
    }
}

/// Returns the folders of source files that are outside a directory.
fn outside(directory: &Path, sources: &[PathBuf]) -> Vec<PathBuf> {
    let folders = sources.iter().filter_map(|source| source.parent());
    let outside = folders.filter(|folder| !folder.starts_with(directory));
    let outside: BTreeSet<PathBuf> = outside.map(Path::to_owned).collect();
    outside.into_iter().collect()
}

impl Workspace {
    /// Reads the workspace of the current directory.
    pub(crate) fn find() -> Result<Self> {
        Self::read(manifest::manifest())
    }

    /// Reads the workspace of a manifest.
    pub(crate) fn load(manifest: &Path) -> Result<Self> {
        Self::read(Some(manifest))
    }

    fn read(manifest: Option<&Path>) -> Result<Self> {
        let metadata = metadata::read(manifest)?;
        let field = |value: &Value, key: &str| -> Result<String> {
            let text = value.get(key).and_then(Value::as_str);
            let missing = || Error::new(format!("`cargo metadata` has no `{key}`; update cargo"));
            text.map(str::to_owned).ok_or_else(missing)
        };
        let directory = PathBuf::from(field(&metadata, "workspace_root")?);
        let default = metadata
            .get("workspace_default_members")
            .and_then(Value::as_array);
        let listed = metadata.get("packages").and_then(Value::as_array);
        let mut packages = Vec::new();
        for package in listed.unwrap_or_default() {
            let manifest = PathBuf::from(field(package, "manifest_path")?);
            let package_directory = manifest.parent().unwrap_or(&directory).to_owned();
            let root = find_root(&package_directory, &directory);
            let of_2015 = metadata::target_sources(package).filter(|(_, is_old)| *is_old);
            let sources = metadata::target_sources(package).map(|(source, _)| source);
            let target_sources: Vec<PathBuf> = sources.collect();
            packages.push(Rc::new(Package {
                outside: outside(&package_directory, &target_sources),
                target_sources,
                sources_of_2015: of_2015.map(|(source, _)| source).collect(),
                name: field(package, "name")?,
                spec: field(package, "id")?.trim_start_matches("path+").to_owned(),
                settings: Settings::load(&root, &process_environment)?,
                directory: package_directory,
                root,
                library: metadata::library(package),
                dependencies: metadata::dependencies(package),
                stable_features: metadata::stable_features(package),
                is_default: package
                    .get("id")
                    .is_some_and(|id| default.is_none_or(|it| it.contains(id))),
                has_dynamic_library: metadata::has_dynamic_library(package),
                constants: OnceCell::new(),
            }));
        }
        packages.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(Self {
            packages,
            target_directory: field(&metadata, "target_directory")?.into(),
            directory,
            started_in: manifest::directory()?,
        })
    }

    /// Returns true if cargo builds a dynamic library of a package.
    pub(crate) fn has_dynamic_library(&self) -> bool {
        self.packages.iter().any(|it| it.has_dynamic_library)
    }

    /// Returns the names of all packages.
    pub(crate) fn package_names(&self) -> impl Iterator<Item = &str> {
        self.packages.iter().map(|package| package.name.as_str())
    }

    /// Returns the package around the starting directory; `None` in the workspace's own directory.
    pub(crate) fn package_around(&self) -> Option<&str> {
        if self.started_in == self.directory {
            return None;
        }
        let around = self.packages.iter();
        let around = around.filter(|it| self.started_in.starts_with(&it.directory));
        let nearest = around.max_by_key(|it| it.directory.as_os_str().len());
        nearest.map(|it| it.name.as_str())
    }

    /// Returns the package with a name.
    pub(crate) fn package(&self, name: &str) -> Result<&Package> {
        let names = || self.package_names();
        let unknown = || {
            Error::new(match nearest(name, names()) {
                Some(near) => {
                    format!("no package `{name}` in this workspace; did you mean `{near}`?")
                }
                None => {
                    let names: Vec<&str> = names().collect();
                    let names = names.join(", ");
                    format!("no package `{name}` in this workspace; its packages: {names}")
                }
            })
        };
        let found = self.packages.iter().find(|package| package.name == name);
        found.map(|package| &**package).ok_or_else(unknown)
    }

    /// Returns the packages that cargo tests by default.
    pub(crate) fn default_packages(&self) -> BTreeSet<&str> {
        match self.package_around() {
            Some(package) => BTreeSet::from([package]),
            None => {
                let default = self.packages.iter().filter(|it| it.is_default);
                default.map(|it| it.name.as_str()).collect()
            }
        }
    }

    /// Formats a path relative to the workspace's directory, for messages.
    pub(crate) fn display_path(&self, path: &Path) -> String {
        display_path(&self.directory, path)
    }
}
