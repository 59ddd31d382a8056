//! A crate in a temporary folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tempfile::TempDir;

use crate::{Run, workspace};

/// A crate, or a workspace, in a temporary folder that goes when this goes.
pub struct Project {
    folder: Arc<TempDir>,
    /// The packages that it builds in the shared target directory.
    packages: Vec<String>,
}

/// What the projects of this process have built.
struct Built {
    /// The number of projects that may still run it.
    projects: usize,
    /// The packages of the others, each with the folder of its manifest.
    left: Vec<(Arc<TempDir>, String)>,
}

static BUILT: Mutex<Built> = Mutex::new(Built {
    projects: 0,
    left: Vec::new(),
});

impl Project {
    /// These files, each with its path; `{tdg}` in a manifest is where tdg is.
    ///
    /// The versions of dependencies are those of tdg's own workspace.
    #[must_use]
    pub fn new(files: &[(&str, &str)]) -> Self {
        let project = Self::without_lock(files);
        let lock = fs::read_to_string(workspace().join("Cargo.lock")).unwrap();
        project.write("Cargo.lock", &lock);
        project
    }

    /// No files yet.
    pub(crate) fn empty() -> Self {
        BUILT
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .projects += 1;
        Self {
            folder: Arc::new(tempfile::tempdir().unwrap()),
            packages: Vec::new(),
        }
    }

    /// These files, and the versions of dependencies that cargo finds for itself.
    #[must_use]
    pub fn without_lock(files: &[(&str, &str)]) -> Self {
        let mut project = Self::empty();
        for (path, text) in files {
            if path.ends_with("Cargo.toml") {
                let text = text.replace("{tdg}", &workspace().join("tdg").display().to_string());
                if let Some(name) = package_name(&text) {
                    claim(&name);
                    project.packages.push(name);
                }
                project.write(path, &text);
            } else {
                project.write(path, text);
            }
        }
        project
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A path in it.
    #[must_use]
    pub fn path(&self, path: &str) -> PathBuf {
        self.folder().join(path)
    }

    /// Whether there is a file or folder.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.path(path).exists()
    }

    /// The text of a file.
    #[must_use]
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Writes a file and the folders that it is in.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Replaces a text in a file, where it has to be.
    #[track_caller]
    pub fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{path} has no {from:?}:\n{text}");
        self.write(path, &text.replace(from, to));
    }

    /// Removes a file or folder, if it is there.
    pub fn remove(&self, path: &str) {
        let path = self.path(path);
        let _ = if path.is_dir() {
            fs::remove_dir_all(path)
        } else {
            fs::remove_file(path)
        };
    }

    /// `cargo` with these arguments, in the folder.
    pub fn cargo(&self, arguments: &[&str]) -> Run {
        Run::cargo(arguments, self.folder())
    }
}

impl Drop for Project {
    /// Cargo cleans by name: it would also remove the test binaries that another project's targets
    /// of the same names have, between its building and running them. So the last one cleans.
    fn drop(&mut self) {
        let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
        let packages = self.packages.drain(..);
        let packages = packages.map(|package| (self.folder.clone(), package));
        built.left.extend(packages);
        built.projects -= 1;
        if built.projects == 0 {
            for (folder, package) in built.left.drain(..) {
                let arguments = ["clean", "--offline", "-p", &package];
                let _ = Run::cargo(&arguments, folder.path()).finish();
            }
        }
    }
}

/// Cargo takes the root packages of two folders for one if they have one name, and would run the
/// binary of the other.
fn claim(package: &str) {
    static CLAIMED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut claimed = CLAIMED.lock().unwrap_or_else(PoisonError::into_inner);
    let is_new = claimed.insert(package.to_owned());
    drop(claimed);
    assert!(is_new, "another project has a package {package} as well");
}

/// The package of a manifest; the root of a workspace may have none.
fn package_name(manifest: &str) -> Option<String> {
    let name = manifest
        .lines()
        .find_map(|line| line.strip_prefix("name = "))?;
    Some(name.trim_matches('"').to_owned())
}
