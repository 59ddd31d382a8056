//! Today's tests laid over the earlier sources.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use proc_macro2::TokenTree;

use super::manifest::{self, ManifestPlaces};
use super::test_modules::{ATTRIBUTE, appended, modules_elsewhere, without_test};
use super::tree::SourceTree;
use crate::commands::compare::sides::ComparedSide;
use crate::error::{Context as _, Result};
use crate::sources::rust_files;
use crate::sources::tokens::each;
use crate::workspace::{Package, Workspace};

/// The earlier sources with today's tests.
pub(super) struct Overlay {
    tree: SourceTree,
    /// The folder where the tree is saved.
    folder: PathBuf,
    /// The path of the earlier workspace in the tree.
    inner: PathBuf,
    appended: Vec<AppendedTests>,
    /// The reasons why tests can't run, by file, and by function unless all are affected.
    left_out: BTreeMap<(PathBuf, Option<String>), String>,
}

/// Tests that are appended to a source file.
struct AppendedTests {
    /// The file in the tree, and its text without the tests.
    file: PathBuf,
    former: String,
    /// The files in the tree that these tests come from.
    sources: Vec<PathBuf>,
}

impl Overlay {
    /// Copies the sources of a side. Its tests are unchanged until [`Self::lay`].
    pub(super) fn new(side: &ComparedSide, sources: &Path, folder: PathBuf) -> Result<Self> {
        let directory = &side.workspace.directory;
        // Earlier packages may need others next to their workspace.
        let top = directory
            .ancestors()
            .find(|it| it.parent() == Some(sources));
        let top = top.unwrap_or(directory);
        let inner = directory.strip_prefix(top).unwrap_or(Path::new(""));
        let mut laid = Self {
            tree: SourceTree::read(top)?,
            folder,
            inner: inner.to_owned(),
            appended: Vec::new(),
            left_out: BTreeMap::new(),
        };
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
    pub(super) fn lay(
        &mut self,
        from: &Workspace,
        then: &Package,
        now: (&Workspace, &Package),
    ) -> Result<()> {
        let (workspace, package) = now;
        let at = then.directory.strip_prefix(&from.directory);
        let at = self.inner.join(at.unwrap_or(Path::new("")));
        self.lay_manifest(&at, workspace, package)?;
        self.tree.remove(&at.join("tests"));
        let files = rust_files(&package.directory.join("tests"));
        if !files.is_empty() {
            self.tree
                .lay(&at.join("tests"), &package.directory.join("tests"))?;
        }
        let sources = rust_files(&package.directory.join("src"));
        for file in files.iter().chain(&sources) {
            // Data files of tests may not be text.
            let text = fs::read_to_string(file).unwrap_or_default();
            for path in named_files(&text) {
                let from = package.directory.join(&path);
                if let (Some(place), true) = (inside_tree(&at.join(path)), from.is_file()) {
                    self.tree.lay(&place, &from)?;
                }
            }
        }
        for file in sources {
            self.append(&at, package, &file)?;
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

    /// Appends the tests in one of today's source files to the earlier file.
    fn append(&mut self, at: &Path, package: &Package, file: &Path) -> Result<()> {
        let now = fs::read_to_string(file).context(file.display())?;
        let in_tree = |it: &Path| at.join(it.strip_prefix(&package.directory).unwrap_or(it));
        let mut sources = Vec::new();
        if now.contains(ATTRIBUTE) {
            sources.push(in_tree(file));
        }
        let mut elsewhere = Vec::new();
        for name in modules_elsewhere(&now) {
            let (file, folder) = module_files(file, &name);
            let Some(file) = file.filter(|it| has_ensembles(it)) else {
                continue;
            };
            self.tree.lay(&in_tree(&file), &file)?;
            if folder.is_dir() {
                self.tree.lay(&in_tree(&folder), &folder)?;
            }
            sources.push(in_tree(&file));
            elsewhere.push(name);
        }
        let file = in_tree(file);
        let Some(former) = self.tree.text(&file)? else {
            let name = file.strip_prefix(at).unwrap_or(&file).display();
            self.leave_out(sources, &format!("{name} isn't there"));
            return Ok(());
        };
        if let Some(text) = appended(&former, &now, |name| elsewhere.iter().any(|it| it == name)) {
            self.tree.write(&file, text);
            self.appended.push(AppendedTests {
                file,
                former,
                sources,
            });
        }
        Ok(())
    }

    fn leave_out(&mut self, sources: Vec<PathBuf>, reason: &str) {
        for source in sources {
            self.left_out.insert((source, None), reason.to_owned());
        }
    }

    /// Removes the test at the line of an error, or all tests appended to that file. Returns false
    /// if there were none.
    pub(super) fn take_out(&mut self, file: &Path, line: usize, error: &str) -> Result<bool> {
        let file = self.inner.join(file);
        let reason = format!("doesn't compile there: {error}");
        let text = self.tree.text(&file)?;
        if let Some((text, test)) = text.and_then(|text| without_test(&text, line)) {
            self.tree.write(&file, text);
            self.left_out.insert((file, Some(test)), reason);
            return Ok(true);
        }
        let is_about = |it: &AppendedTests| it.file == file || it.sources.contains(&file);
        let Some(position) = self.appended.iter().position(is_about) else {
            return Ok(false);
        };
        let tests = self.appended.remove(position);
        self.tree.write(&tests.file, tests.former);
        self.leave_out(tests.sources, &reason);
        Ok(true)
    }

    /// Returns the reason why a test in a workspace file can't run.
    pub(super) fn why_left_out(&self, file: &Path, test: &str) -> Option<&str> {
        let function = test.rsplit("::").next().unwrap_or(test).to_owned();
        let file = self.inner.join(file);
        let reason = self.left_out.get(&(file.clone(), Some(function)));
        let reason = reason.or_else(|| self.left_out.get(&(file, None)));
        reason.map(String::as_str)
    }

    /// Writes the files and returns them as a side.
    pub(super) fn save(&self, side: &ComparedSide) -> Result<ComparedSide> {
        self.tree.save(&self.folder)?;
        let manifest = self.folder.join(&self.inner).join("Cargo.toml");
        ComparedSide::open(side.label.clone(), &manifest, side.build.clone())
    }
}

/// Returns true if the text of a source file mentions ensemble tests.
pub(super) fn has_ensembles(file: &Path) -> bool {
    fs::read_to_string(file).is_ok_and(|text| text.contains(ATTRIBUTE))
}

/// Returns the file of a module declared in another file, if it exists, and the folder of its
/// submodules.
fn module_files(parent: &Path, name: &str) -> (Option<PathBuf>, PathBuf) {
    let folder = parent.parent().unwrap_or(Path::new(""));
    let stem = parent.file_stem().unwrap_or_default();
    let folder = match ["lib", "main", "mod"].iter().any(|it| stem == *it) {
        true => folder.to_owned(),
        false => folder.join(stem),
    };
    let own = folder.join(name);
    let files = [folder.join(format!("{name}.rs")), own.join("mod.rs")];
    (files.into_iter().find(|it| it.is_file()), own)
}

/// Removes `..` from a path; `None` if it leads out of the tree, where nothing may be written.
fn inside_tree(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => plain.push(name),
            Component::CurDir => {}
            Component::ParentDir if plain.pop() => {}
            _ => return None,
        }
    }
    Some(plain)
}

/// Returns the files that a source uses as `definition` or `rows`.
fn named_files(source: &str) -> Vec<String> {
    let mut files = Vec::new();
    each(source.parse().unwrap_or_default(), &mut |tokens, at| {
        if matches!(&tokens[at], TokenTree::Ident(it) if it == "definition" || it == "rows") {
            let value = match (tokens.get(at + 1), tokens.get(at + 2)) {
                (Some(TokenTree::Group(it)), _) => it.stream().into_iter().next(),
                (Some(TokenTree::Punct(it)), value) if it.as_char() == '=' => value.cloned(),
                _ => None,
            };
            files.extend(value.and_then(text_of));
        }
        true
    });
    files
}

fn text_of(token: TokenTree) -> Option<String> {
    let text: syn::LitStr = syn::parse2(token.into()).ok()?;
    Some(text.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_names_the_files_of_definitions_and_rows() {
        let source = r#"
            #[ensemble_test(definition = "a.json", size = 3, name = "b.json")]
            fn f(rows: u8) { EnsembleTest::new("c").definition("d.json") }
            #[tdg::ensemble_test(rows = "data/e.csv")]
            fn g() {}
        "#;
        assert_eq!(named_files(source), ["a.json", "d.json", "data/e.csv"]);
    }

    #[test]
    fn named_files_stay_in_the_tree() {
        let places = ["b/../../shared/x.json", "../../../../x.json", "/x.json"];
        let places = places.map(|it| inside_tree(&Path::new("crates/a").join(it)));
        assert_eq!(places, [Some("crates/shared/x.json".into()), None, None]);
    }
}
