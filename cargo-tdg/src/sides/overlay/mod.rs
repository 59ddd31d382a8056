//! Today's tests laid over the earlier sources.

mod manifest;
mod named_files;
mod recorder;
mod removal;
mod source_tests;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use self::manifest::ManifestPlaces;
use self::named_files::{inside_tree, named_files};
use self::removal::{without_item, without_test};
pub(crate) use self::source_tests::LaidTests;
use self::source_tests::{
    SeparateModule, laid, modules_elsewhere, tests_without_place, without_tests,
};
use self::tree::SourceTree;
use super::path_dependencies::with_absolute_paths;
use super::{ComparedSide, TargetError};
use crate::error::{Context as _, Result};
use crate::sources::rust_files;
use crate::workspace::{Package, Workspace};

/// The earlier sources with today's tests.
pub(crate) struct Overlay {
    tree: SourceTree,
    tests: LaidTests,
    /// The folder where the tree is saved.
    folder: PathBuf,
    /// The path of the earlier workspace in the tree.
    inner: PathBuf,
    laid: Vec<LaidSource>,
    /// The reasons why tests can't run, by file, and by function unless all are affected.
    left_out: BTreeMap<(PathBuf, Option<String>), String>,
}

/// The start of the reason why a test was left out.
const UNCOMPILED: &str = "doesn't compile there: ";
/// Its end if the source file with the test is new.
const ABSENT: &str = "isn't there";

/// A source file with today's tests.
struct LaidSource {
    /// The file in the tree, and its former text.
    file: PathBuf,
    former: String,
    /// The files in the tree that these tests come from.
    sources: Vec<PathBuf>,
}

/// Returns the sources of a package that may contain tests.
pub(crate) fn test_sources(package: &Package) -> Vec<PathBuf> {
    ["src", "tests"]
        .map(|it| rust_files(&package.directory.join(it)))
        .concat()
}

impl Overlay {
    /// Copies the sources of a side. Its tests are unchanged until [`Self::lay`].
    pub(crate) fn new(
        side: &ComparedSide,
        sources: &Path,
        folder: PathBuf,
        tests: LaidTests,
    ) -> Result<Self> {
        let directory = &side.workspace.directory;
        // Earlier packages may need others next to their workspace.
        let top = directory
            .ancestors()
            .find(|it| it.parent() == Some(sources));
        let top = top.unwrap_or(directory);
        let inner = directory.strip_prefix(top).unwrap_or(Path::new(""));
        let mut laid = Self {
            tree: SourceTree::read(top)?,
            tests,
            folder,
            inner: inner.to_owned(),
            laid: Vec::new(),
            left_out: BTreeMap::new(),
        };
        for manifest in laid.tree.manifests() {
            // Cargo names the fault of one that can't be read.
            if let Ok(Some(text)) = laid.tree.text(&manifest)
                && let place = top.join(manifest.with_file_name(""))
                && let Ok(moved) = with_absolute_paths(&text, &place, top)
            {
                laid.tree.write(&manifest, moved);
            }
        }
        let root = inner.join("Cargo.toml");
        if let Some(text) = laid.tree.text(&root)? {
            laid.tree.write(&root, manifest::as_root(&text)?);
        }
        if let Some(lock) = &side.lock {
            let text = fs::read_to_string(lock).context(lock.display())?;
            laid.tree.write(&inner.join("Cargo.lock"), text);
        }
        Ok(laid)
    }

    /// Lays today's tests of a package over the earlier package from the workspace `from`.
    pub(crate) fn lay(
        &mut self,
        from: &Workspace,
        then: &Package,
        now: (&Workspace, &Package),
    ) -> Result<()> {
        let (workspace, package) = now;
        let at = self.place(from, then);
        self.lay_manifest(&at, workspace, package)?;
        for folder in ["examples", "tests"] {
            let from = package.directory.join(folder);
            self.tree.replace(&at.join(folder), &from)?;
        }
        // Data files of tests may not be text.
        let read = |it: PathBuf| (it.clone(), fs::read_to_string(it).unwrap_or_default());
        let [sources, tests] = ["src", "tests"].map(|it| {
            let files = rust_files(&package.directory.join(it)).into_iter();
            files.map(read).collect::<Vec<_>>()
        });
        for (_, text) in sources.iter().chain(&tests) {
            for path in named_files(text) {
                let from = package.directory.join(&path);
                if let (Some(place), true) = (inside_tree(&at.join(path)), from.is_file()) {
                    self.tree.lay(&place, &from)?;
                }
            }
        }
        for (file, text) in without_tests(sources) {
            self.lay_tests(&at, package, (file.as_path(), text.as_str()))?;
        }
        if let LaidTests::All = self.tests {
            self.tree.add(&at, &package.directory)?;
        }
        Ok(())
    }

    fn lay_manifest(&mut self, at: &Path, workspace: &Workspace, package: &Package) -> Result<()> {
        let read = |path: &Path| fs::read_to_string(path).context(path.display());
        let root = &workspace.directory;
        let places = ManifestPlaces {
            package: &package.directory,
            workspace: root,
            tree: &self.folder.join(&self.inner),
        };
        let manifest = at.join("Cargo.toml");
        if let Some(text) = self.tree.text(&manifest)? {
            let today = read(&package.directory.join("Cargo.toml"))?;
            let root = read(&root.join("Cargo.toml"))?;
            let text = manifest::with_tests(&text, &today, &root, &places)?;
            self.tree.write(&manifest, text);
        }
        let (lock, today) = (self.inner.join("Cargo.lock"), root.join("Cargo.lock"));
        if let Some(text) = self.tree.text(&lock)?
            && today.is_file()
        {
            self.tree
                .write(&lock, manifest::locked(&text, &read(&today)?)?);
        }
        Ok(())
    }

    /// Lays the tests in one of today's source files over the earlier file.
    fn lay_tests(
        &mut self,
        at: &Path,
        package: &Package,
        (file, now): (&Path, &str),
    ) -> Result<()> {
        let in_tree = |it: &Path| at.join(it.strip_prefix(&package.directory).unwrap_or(it));
        let mut sources = Vec::new();
        if self.tests.are_in(now) {
            sources.push(in_tree(file));
        }
        let mut elsewhere = Vec::new();
        for module in modules_elsewhere(now) {
            let mut files = module.files(file).into_iter();
            let Some(tests) = files.find(|it| self.tests.are_in_file(it)) else {
                continue;
            };
            let folder = module.folder(file);
            // A file outside of the package stays as it is there.
            if tests.starts_with(&package.directory) {
                self.tree.lay(&in_tree(&tests), &tests)?;
                if folder.is_dir() {
                    self.tree.lay(&in_tree(&folder), &folder)?;
                }
                sources.push(in_tree(&tests));
            }
            elsewhere.push(module);
        }
        let file = in_tree(file);
        let Some(former) = self.tree.text(&file)? else {
            let name = file.strip_prefix(at).unwrap_or(&file).display();
            self.leave_out_all(sources, &format!("{name} {ABSENT}"));
            return Ok(());
        };
        for test in tests_without_place(&former, now, self.tests) {
            let reason = "the module around it is new".to_owned();
            self.left_out.insert((file.clone(), Some(test)), reason);
        }
        let is_elsewhere = |it: &SeparateModule| elsewhere.contains(it);
        if let Some(text) = laid(&former, now, self.tests, is_elsewhere) {
            self.tree.write(&file, text);
            self.laid.push(LaidSource {
                file,
                former,
                sources,
            });
        }
        Ok(())
    }

    /// Leaves out the tests that errors are about, unless `leave_out` changes other code. Returns
    /// false if there is nothing to leave out.
    pub(crate) fn leave_out(
        &mut self,
        errors: &[TargetError],
        mut leave_out: impl FnMut(&Path, usize) -> bool,
    ) -> Result<bool> {
        let mut is_less = false;
        // A library is compiled twice, and a file of helpers for each test program.
        let mut known = BTreeSet::new();
        for error in errors {
            if !known.insert((&error.message, &error.places)) {
                continue;
            }
            if error.target.is_example() {
                is_less |= self.empty_example(error)?;
                continue;
            }
            for (file, line) in &error.places {
                if leave_out(&self.named(file), *line)
                    || self.take_out(file, *line, &error.message)?
                {
                    is_less = true;
                    break;
                }
            }
        }
        let mut places = errors
            .iter()
            .flat_map(|error| error.places.iter().map(|(file, _)| (file, &error.message)));
        Ok(is_less || places.any(|(file, error)| self.take_out_all(file, error)))
    }

    /// Empties the example of an error, since its other items are of no use without `main`.
    fn empty_example(&mut self, error: &TargetError) -> Result<bool> {
        let root = self.named(&error.target.root);
        let is_new = !self.is_left_out(&root) && self.tree.text(&root)?.is_some();
        if is_new {
            self.tree.write(&root, "fn main() {}".to_owned());
            self.leave_out_all(vec![root], &format!("{UNCOMPILED}{}", error.message));
        }
        Ok(is_new)
    }

    fn leave_out_all(&mut self, sources: Vec<PathBuf>, reason: &str) {
        for source in sources {
            self.left_out.insert((source, None), reason.to_owned());
        }
    }

    /// Removes the test at the line of an error. Returns false if an earlier error removed it.
    fn take_out(&mut self, file: &Path, line: usize, error: &str) -> Result<bool> {
        let file = self.named(file);
        let text = self.tree.text(&file)?;
        let without = text.and_then(|text| match self.tests {
            LaidTests::Ensembles => {
                without_test(&text, line).map(|(text, name)| (text, Some(name)))
            }
            LaidTests::All => without_item(&text, line, error, self.is_all_tests(&file)),
        });
        let Some((text, test)) = without else {
            return Ok(false);
        };
        self.tree.write(&file, text);
        // Without an import, for example, some of the tests don't compile.
        if let Some(test) = test {
            let reason = format!("{UNCOMPILED}{error}");
            self.left_out.insert((file, Some(test)), reason);
        }
        Ok(true)
    }

    /// Removes all tests that were laid over the file of an error, if there are any.
    fn take_out_all(&mut self, file: &Path, error: &str) -> bool {
        let file = self.named(file);
        let is_about = |it: &LaidSource| it.file == file || it.sources.contains(&file);
        let Some(position) = self.laid.iter().position(is_about) else {
            return false;
        };
        let tests = self.laid.remove(position);
        self.tree.write(&tests.file, tests.former);
        self.leave_out_all(tests.sources, &format!("{UNCOMPILED}{error}"));
        true
    }

    /// Returns true if a file in the tree has only tests.
    fn is_all_tests(&self, file: &Path) -> bool {
        let of_laid = |it: &LaidSource| it.file != file && it.sources.iter().any(|it| it == file);
        file.components().any(|it| it.as_os_str() == "tests") || self.laid.iter().any(of_laid)
    }

    /// Returns the reason why a test in a workspace file can't run.
    pub(crate) fn why_left_out(&self, file: &Path, test: &str) -> Option<&str> {
        let function = test.rsplit("::").next().unwrap_or(test).to_owned();
        let file = self.inner.join(file);
        let reason = self.left_out.get(&(file.clone(), Some(function)));
        let reason = reason.or_else(|| self.left_out.get(&(file, None)));
        reason.map(String::as_str)
    }

    /// Returns the path of a package in the tree.
    pub(crate) fn place(&self, from: &Workspace, package: &Package) -> PathBuf {
        let at = package.directory.strip_prefix(&from.directory);
        self.inner.join(at.unwrap_or(Path::new("")))
    }

    /// Returns the path in the tree of a file that the compiler names.
    pub(super) fn named(&self, file: &Path) -> PathBuf {
        let file = file
            .strip_prefix(self.folder.join(&self.inner))
            .unwrap_or(file);
        self.inner.join(file)
    }

    /// Returns true if all of a file that the compiler names was left out.
    pub(crate) fn is_left_out(&self, file: &Path) -> bool {
        self.left_out.contains_key(&(self.named(file), None))
    }

    /// Returns the tests that were left out, each with the reason.
    pub(crate) fn left_out(&self) -> Vec<String> {
        let names = self.left_out.iter().filter_map(|((file, name), reason)| {
            let file = file.display();
            match name {
                Some(name) => Some(format!("{name} in {file}: {reason}")),
                // The file is as new as its functions.
                None if reason.ends_with(ABSENT) => None,
                None => Some(format!("{file}: {reason}")),
            }
        });
        names.collect()
    }

    /// Writes the files and returns them as a side.
    pub(crate) fn save(&self, side: &ComparedSide) -> Result<ComparedSide> {
        self.save_with(side, Vec::new())
    }

    /// Writes the files, some with other texts.
    pub(crate) fn save_with(
        &self,
        side: &ComparedSide,
        texts: Vec<(PathBuf, String)>,
    ) -> Result<ComparedSide> {
        let mut tree = self.tree.clone();
        for (path, text) in texts {
            tree.write(&path, text);
        }
        tree.save(&self.folder)?;
        let manifest = self.folder.join(&self.inner).join("Cargo.toml");
        ComparedSide::open(side.label.clone(), &manifest, side.build.clone())
    }
}
