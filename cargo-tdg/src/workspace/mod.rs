//! The Cargo workspace that the command was started in.

mod metadata;
mod snapshots;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use tdg::config::{Settings, find_root, process_environment};
use tdg::json::Value;

use crate::error::{Error, Result};

pub(crate) use snapshots::snapshot_files;

/// The packages of a Cargo workspace.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) packages: Vec<Rc<Package>>,
    /// Where cargo builds.
    #[expect(dead_code, reason = "soon")]
    pub(crate) target_directory: PathBuf,
    /// The directory of the manifest that holds the workspace.
    pub(crate) directory: PathBuf,
}

/// A package, and what its tests are told from outside.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) directory: PathBuf,
    /// Where `tdg.toml` and `.tdg` are.
    pub(crate) root: PathBuf,
    pub(crate) settings: Settings,
}

impl Workspace {
    /// The workspace of the current directory.
    pub(crate) fn find() -> Result<Self> {
        let metadata = metadata::read()?;
        let field = |value: &Value, key: &str| -> Result<String> {
            let text = value.get(key).and_then(Value::as_str);
            let missing = || Error::new(format!("`cargo metadata` gives no {key}; update cargo"));
            text.map(str::to_owned).ok_or_else(missing)
        };
        let directory = PathBuf::from(field(&metadata, "workspace_root")?);
        let listed = metadata.get("packages").and_then(Value::as_array);
        let mut packages = Vec::new();
        for package in listed.unwrap_or_default() {
            let manifest = PathBuf::from(field(package, "manifest_path")?);
            let package_directory = manifest.parent().unwrap_or(&directory).to_owned();
            let root = find_root(&package_directory, &directory);
            packages.push(Rc::new(Package {
                name: field(package, "name")?,
                settings: Settings::load(&root, &process_environment)?,
                directory: package_directory,
                root,
            }));
        }
        packages.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(Self {
            packages,
            target_directory: field(&metadata, "target_directory")?.into(),
            directory,
        })
    }

    /// The command that runs a test of a package alone.
    pub(crate) fn test_command(&self, package: &str, test: &str) -> String {
        match self.packages.as_slice() {
            [_] => format!("cargo test {test}"),
            _ => format!("cargo test -p {package} {test}"),
        }
    }

    /// A path as messages show it: from the workspace's directory.
    pub(crate) fn shown(&self, path: &Path) -> String {
        shown_from(&self.directory, path)
    }
}

/// A path as messages show it, with `/` on every platform: from that directory, if it is in there.
pub(crate) fn shown_from(directory: &Path, path: &Path) -> String {
    match path.strip_prefix(directory) {
        Ok(relative) => {
            let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
            parts.join("/")
        }
        Err(_) => path.display().to_string(),
    }
}
