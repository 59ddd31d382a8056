//! A crate that is compiled once and run in many places.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::Value;

use crate::{Project, Run, target_directory, workspace};

/// A crate that is compiled once.
pub struct Program {
    package: &'static str,
    /// The binaries by the name of their test target.
    binaries: BTreeMap<String, PathBuf>,
    files: Vec<(String, String)>,
}

impl Program {
    /// Returns the crate in `fixtures/shop`.
    pub fn shop() -> &'static Self {
        static SHOP: OnceLock<Program> = OnceLock::new();
        SHOP.get_or_init(|| Self::build("shop", "shop", &[]))
    }

    /// Returns the shop, built with features that change the behaviour of shared crates.
    pub fn loaded_shop() -> &'static Self {
        static SHOP: OnceLock<Program> = OnceLock::new();
        SHOP.get_or_init(|| Self::build("shop", "shop", &["--features", "loaded"]))
    }

    /// Returns the shop, built with support for a server.
    pub fn remote_shop() -> &'static Self {
        static SHOP: OnceLock<Program> = OnceLock::new();
        SHOP.get_or_init(|| Self::build("shop", "shop", &["--features", "remote"]))
    }

    /// Returns the crate in `fixtures/renames`, whose tests `after` are the renamed ones `before`.
    pub fn renames() -> &'static Self {
        static RENAMES: OnceLock<Program> = OnceLock::new();
        RENAMES.get_or_init(|| Self::build("renames", "renames", &[]))
    }

    /// Returns the crate in `fixtures/written-by/0.1.0`, with its snapshot files.
    pub fn ledger() -> &'static Self {
        static LEDGER: OnceLock<Program> = OnceLock::new();
        LEDGER.get_or_init(|| Self::build("ledger", "written-by/0.1.0/ledger", &[]))
    }

    /// Builds a fixture in a permanent folder, so that nothing is compiled twice.
    fn build(package: &'static str, fixture: &str, arguments: &[&str]) -> Self {
        let files = read_files(&workspace().join("tests/fixtures").join(fixture));
        let folder = target_directory().join("crates").join(package);
        for (path, text) in &files {
            write_if_other(&folder.join(path), text);
        }
        let no_run = [
            "test",
            "--no-run",
            "--message-format=json-render-diagnostics",
        ];
        let built = Run::cargo(&no_run, &folder).arguments(arguments).finish();
        assert!(built.success, "{}", built.stderr);
        Self {
            package,
            binaries: built.stdout.lines().filter_map(test_binary).collect(),
            files,
        }
    }

    /// Creates a fresh copy of the sources to run tests in.
    #[must_use]
    pub fn checkout(&self) -> Checkout<'_> {
        let project = Project::empty();
        for (path, text) in &self.files {
            project.write(path, text);
        }
        Checkout {
            program: self,
            project,
        }
    }
}

/// A copy of a program's sources in a temporary folder, in which its tests run.
pub struct Checkout<'p> {
    program: &'p Program,
    /// The folder.
    pub project: Project,
}

impl Checkout<'_> {
    /// Returns a run of one test of `tests/pricing.rs`, as cargo would run it here.
    pub fn pricing(&self, test: &str) -> Run {
        self.test("pricing", &["--exact", test])
    }

    /// Returns a run of a test of `tests/inputs.rs`, which reads `definitions/three.json` when run.
    pub fn inputs(&self, test: &str) -> Run {
        self.test("inputs", &["--exact", test])
    }

    /// Changes `definitions/three.json` to draw other values for a feature.
    #[track_caller]
    pub fn redraw(&self, feature: &str) {
        let from = format!(
            r#""{feature}", "type": "INTEGER", "distribution": {{"type": "uniform", "min": 1, "max": 9}}"#
        );
        let to = from.replace("\"max\": 9", "\"max\": 8");
        self.edit("definitions/three.json", &from, &to);
    }

    /// Returns a run of a test target with these arguments, as cargo would run it here.
    pub fn test(&self, target: &str, arguments: &[&str]) -> Run {
        Run::new(&self.program.binaries[target], self.project.folder())
            .arguments(arguments)
            .env("CARGO_MANIFEST_DIR", self.project.folder())
            .env("CARGO_PKG_NAME", self.program.package)
    }

    /// Returns the run with a cargo whose `test` runs an already built test target.
    pub fn with_built_tests(&self, run: Run, target: &str) -> Run {
        run.env("CARGO", workspace().join("tests/src/built-cargo"))
            .env("BUILT_TESTS", &self.program.binaries[target])
            .env("CARGO_MANIFEST_DIR", self.project.folder())
            .env("CARGO_PKG_NAME", self.program.package)
    }

    /// Returns the checkout with a store from `fixtures/written-by/0.1.0`.
    #[must_use]
    pub fn with_store(self, file: &str) -> Self {
        let written = workspace().join("tests/fixtures/written-by/0.1.0");
        self.damage_store();
        fs::copy(written.join(file), self.path(".tdg/store.db")).unwrap();
        self
    }
}

impl std::ops::Deref for Checkout<'_> {
    type Target = Project;

    fn deref(&self) -> &Project {
        &self.project
    }
}

/// Returns the name of a test target and its binary, if a message of cargo reports one.
fn test_binary(message: &str) -> Option<(String, PathBuf)> {
    let message: Value = serde_json::from_str(message).ok()?;
    let path = message.get("executable")?.as_str()?.into();
    Some((message["target"]["name"].as_str()?.to_owned(), path))
}

/// Reads all files of a fixture, and the lock file. Its manifest is `Cargo.toml.in`, so that tools
/// don't take the folder for a package of this workspace.
fn read_files(folder: &Path) -> Vec<(String, String)> {
    let tdg = workspace().join("tdg").display().to_string();
    let lock = fs::read_to_string(workspace().join("Cargo.lock")).unwrap();
    let mut files = vec![("Cargo.lock".to_owned(), lock)];
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap().replace("{tdg}", &tdg);
            let relative = path
                .strip_prefix(folder)
                .unwrap()
                .to_string_lossy()
                .replace('\\', "/");
            files.push((relative.trim_end_matches(".in").to_owned(), text));
        }
    }
    files
}

/// Writes a file only if its text differs, because cargo rebuilds rewritten files.
fn write_if_other(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|present| present == text) {
        return;
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
