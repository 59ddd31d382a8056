//! A crate in a temporary folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

use crate::{Run, target_directory, workspace};

/// Returns the manifest of a package whose tests use tdg, with these keys of `[lib]`.
#[must_use]
pub fn manifest(name: &str, library: &str) -> String {
    let library = match library {
        "" => String::new(),
        keys => format!("[lib]\n{keys}\n\n"),
    };
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n{library}\
         [dev-dependencies]\ntdg = {{ path = \"{{tdg}}\" }}\n\n[profile.dev]\ndebug = 0\n"
    )
}

/// A crate or a workspace in a temporary folder, which is deleted on drop.
pub struct Project {
    folder: TempDir,
    /// The crates whose artefacts are finally removed from the shared target directory.
    built: Vec<String>,
}

impl Project {
    /// Creates a project with these files. In manifests, `{tdg}` is replaced with tdg's path.
    ///
    /// Dependencies have the versions of tdg's own workspace.
    #[must_use]
    pub fn new(files: &[(&str, &str)]) -> Self {
        let project = Self::without_lock(files);
        let lock = fs::read_to_string(workspace().join("Cargo.lock")).unwrap();
        project.write("Cargo.lock", &lock);
        project
    }

    /// Creates a package with these files, whose tests use tdg.
    #[must_use]
    pub fn package(name: &str, files: &[(&str, &str)]) -> Self {
        let has_library = files.iter().any(|(path, _)| *path == "src/lib.rs");
        let library = if has_library { "doctest = false" } else { "" };
        let manifest: &[(&str, &str)] = &[("Cargo.toml", &manifest(name, library))];
        Self::new(&[manifest, files].concat())
    }

    /// Creates a project without files.
    pub(crate) fn empty() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            built: Vec::new(),
        }
    }

    /// Creates a project with these files, whose dependencies cargo resolves itself.
    #[must_use]
    pub fn without_lock(files: &[(&str, &str)]) -> Self {
        let mut project = Self::empty();
        for (path, text) in files {
            if path.ends_with("Cargo.toml") {
                let text = text.replace("{tdg}", &workspace().join("tdg").display().to_string());
                if let Some(name) = package_name(&text) {
                    claim(&name);
                    project.built.push(name);
                }
                project.write(path, &text);
            } else {
                project.write(path, text);
            }
        }
        project
    }

    /// Returns the folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns a path in the folder.
    #[must_use]
    pub fn path(&self, path: &str) -> PathBuf {
        self.folder().join(path)
    }

    /// Returns true if a file or folder exists.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.path(path).exists()
    }

    /// Returns the text of a file.
    #[must_use]
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Writes a file, creating its parent folders.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Replaces a text in a file. The text must be present.
    #[track_caller]
    pub fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{path} has no {from:?}:\n{text}");
        self.write(path, &text.replace(from, to));
    }

    /// Removes a file or folder if it exists.
    pub fn remove(&self, path: &str) {
        let path = self.path(path);
        let _ = if path.is_dir() {
            fs::remove_dir_all(path)
        } else {
            fs::remove_file(path)
        };
    }

    /// Replaces the local store with a file that isn't a database.
    pub fn damage_store(&self) {
        self.remove(".tdg");
        self.write(".tdg/.gitignore", "# The local store of tdg.\n*\n");
        self.write(".tdg/store.db", "not a database");
    }

    /// Returns a run of `cargo` with these arguments in the folder.
    pub fn cargo(&self, arguments: &[&str]) -> Run {
        Run::cargo(arguments, self.folder())
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        for package in &self.built {
            remove_artefacts(package);
        }
    }
}

/// Removes a package's build artefacts. `cargo clean -p` selects by target name, and would also
/// remove the binary of another package's `tests/prices.rs`.
fn remove_artefacts(package: &str) {
    let debug = target_directory().join("debug");
    let entries = |folder: &str| {
        fs::read_dir(debug.join(folder))
            .into_iter()
            .flatten()
            .flatten()
    };
    let hashes: Vec<(PathBuf, String)> = entries(".fingerprint")
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let hash = name.strip_prefix(package)?.strip_prefix('-')?;
            (!hash.contains('-')).then(|| (entry.path(), format!("-{hash}")))
        })
        .collect();
    for artefact in entries("deps") {
        let name = artefact.file_name();
        let name = name.to_string_lossy();
        let stem = name.split('.').next().unwrap_or_default();
        if hashes.iter().any(|(_, hash)| stem.ends_with(hash)) {
            let _ = fs::remove_file(artefact.path());
        }
    }
    for (fingerprint, _) in hashes {
        let _ = fs::remove_dir_all(fingerprint);
    }
}

/// Registers a package name. Cargo confuses root packages of the same name in two folders, and
/// would run the other one's binary.
fn claim(package: &str) {
    static CLAIMED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut claimed = CLAIMED.lock().unwrap_or_else(PoisonError::into_inner);
    let is_new = claimed.insert(package.to_owned());
    drop(claimed);
    assert!(is_new, "another project has a package {package} as well");
}

/// Returns the package name in a manifest. The root of a workspace may have none.
fn package_name(manifest: &str) -> Option<String> {
    let name = manifest
        .lines()
        .find_map(|line| line.strip_prefix("name = "))?;
    Some(name.trim_matches('"').to_owned())
}
