//! A copy of sources in a separate folder, with some files replaced.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Context as _, Result};
use crate::sides::write_changed;
use crate::sources::leads_back;

/// The files of a source tree by path.
#[derive(Clone, Default)]
pub(super) struct SourceTree(BTreeMap<PathBuf, TreeFile>);

/// The folder of the copies in a target directory, which cargo may not have marked yet.
const OWN: &str = "tdg/compare";

/// Returns true for folders of git, tdg and cargo, and for links that lead back.
fn is_left_out(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    [".git", ".tdg"].iter().any(|it| name == *it)
        || ["CACHEDIR.TAG", OWN]
            .iter()
            .any(|it| path.join(it).exists())
        || leads_back(path)
}

#[derive(Clone)]
enum TreeFile {
    Copied(PathBuf),
    Written(String),
}

impl SourceTree {
    /// Returns the files of a directory.
    pub(super) fn read(directory: &Path) -> Result<Self> {
        let mut tree = Self::default();
        tree.lay(Path::new(""), directory)?;
        Ok(tree)
    }

    /// Adds a file or a directory's files, replacing existing ones.
    pub(super) fn lay(&mut self, at: &Path, from: &Path) -> Result<()> {
        if !from.is_dir() {
            self.0.insert(at.to_owned(), TreeFile::Copied(from.into()));
            return Ok(());
        }
        for entry in fs::read_dir(from).context(from.display())? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default();
            if !is_left_out(&path) {
                self.lay(&at.join(name), &path)?;
            }
        }
        Ok(())
    }

    /// Adds the data files of a package that are missing, except the ones of packages in it.
    pub(super) fn add(&mut self, at: &Path, package: &Path) -> Result<()> {
        for entry in fs::read_dir(package).context(package.display())? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default();
            let is_code = ["benches", "build.rs", "examples", "src"]
                .iter()
                .any(|it| name == *it);
            if !is_code && !is_left_out(&path) && !path.join("Cargo.toml").exists() {
                let mut added = Self::default();
                added.lay(&at.join(name), &path)?;
                added.remove_packages();
                added.0.append(&mut self.0);
                *self = added;
            }
        }
        Ok(())
    }

    pub(super) fn manifests(&self) -> Vec<PathBuf> {
        let manifests = self.0.keys().filter(|it| it.ends_with("Cargo.toml"));
        manifests.cloned().collect()
    }

    fn remove_packages(&mut self) {
        for manifest in self.manifests() {
            if let Some(package) = manifest.parent() {
                self.remove(package);
            }
        }
    }

    /// Replaces the files of a directory, except the ones of packages in it.
    pub(super) fn replace(&mut self, at: &Path, from: &Path) -> Result<()> {
        let former = self.0.iter().filter(|(path, _)| path.starts_with(at));
        let mut former = Self(
            former
                .map(|(path, it)| (path.clone(), it.clone()))
                .collect(),
        );
        let mut now = Self::default();
        if from.is_dir() {
            now.lay(at, from)?;
        }
        for tree in [&mut former, &mut now] {
            tree.remove_packages();
        }
        self.0.retain(|path, _| !former.0.contains_key(path));
        self.0.append(&mut now.0);
        Ok(())
    }

    /// Removes the files of a directory.
    fn remove(&mut self, directory: &Path) {
        self.0.retain(|path, _| !path.starts_with(directory));
    }

    pub(super) fn write(&mut self, path: &Path, text: String) {
        self.0.insert(path.to_owned(), TreeFile::Written(text));
    }

    pub(super) fn text(&self, path: &Path) -> Result<Option<String>> {
        Ok(match self.0.get(path) {
            Some(TreeFile::Copied(file)) => Some(fs::read_to_string(file).context(file.display())?),
            Some(TreeFile::Written(text)) => Some(text.clone()),
            None => None,
        })
    }

    /// Returns the Rust files of a directory.
    pub(super) fn rust_files(&self, directory: &Path) -> Vec<PathBuf> {
        let is_rust =
            |it: &&PathBuf| it.starts_with(directory) && it.extension() == Some("rs".as_ref());
        self.0.keys().filter(is_rust).cloned().collect()
    }

    /// Makes a folder contain exactly these files. Unchanged files keep their times, for cargo.
    pub(super) fn save(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder).context(folder.display())?;
        for path in Self::read(folder)?.0.keys() {
            if !self.0.contains_key(path) {
                fs::remove_file(folder.join(path)).context(path.display())?;
            }
        }
        for (path, file) in &self.0 {
            file.save(&folder.join(path))?;
        }
        Ok(())
    }
}

impl TreeFile {
    fn save(&self, path: &Path) -> Result<()> {
        let content = match self {
            Self::Copied(from) => fs::read(from).context(from.display())?,
            Self::Written(text) => text.clone().into_bytes(),
        };
        write_changed(path, content)?;
        if let Self::Copied(from) = self {
            let permissions = fs::metadata(from).context(from.display())?.permissions();
            fs::set_permissions(path, permissions).context(path.display())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_the_files_of_the_tree_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let [from, now, to] = ["from", "now", "to"].map(|it| folder.path().join(it));
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for path in [
            "src/lib.rs",
            "tests/a.rs",
            "tests/b/Cargo.toml",
            ".git/HEAD",
        ] {
            write(&format!("from/{path}"), path);
        }
        write("from/target/CACHEDIR.TAG", "");
        write("now/c.rs", "");
        write("now/own/Cargo.toml", "");
        let mut tree = SourceTree::read(&from).unwrap();
        tree.replace(Path::new("tests"), &now).unwrap();
        tree.write(Path::new("tests/c.rs"), "changed".to_owned());
        fs::create_dir_all(to.join("src")).unwrap();
        fs::write(to.join("src/old.rs"), "").unwrap();
        tree.save(&to).unwrap();
        let saved = SourceTree::read(&to).unwrap();
        let text = |path: &str| saved.text(Path::new(path)).unwrap();
        let names: Vec<String> = saved.0.keys().map(|it| it.display().to_string()).collect();
        assert_eq!(
            names,
            ["src/lib.rs", "tests/b/Cargo.toml", "tests/c.rs"].map(native)
        );
        assert_eq!(text("tests/c.rs").as_deref(), Some("changed"));
        assert_eq!(text("src/lib.rs").as_deref(), Some("src/lib.rs"));
    }

    fn native(path: &str) -> String {
        path.replace('/', std::path::MAIN_SEPARATOR_STR)
    }
}
