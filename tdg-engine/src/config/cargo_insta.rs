//! The settings that `cargo insta test` passes to its tests, and insta's variables that forbid
//! changes.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use super::environment::Environment;
use super::error::ConfigError;
use super::update::Update;
use crate::snapshot::pending_file;

/// The settings that `cargo insta test` passes to its tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Insta {
    update: Option<Update>,
    force_pass: bool,
    forbids: Option<&'static str>,
    workspace_root: Option<PathBuf>,
    pending_dir: Option<PathBuf>,
    references_file: Option<PathBuf>,
}

impl Insta {
    /// Reads the settings from the environment.
    ///
    /// Permissive values of `INSTA_UPDATE` and `INSTA_FORCE_PASS` only count under `cargo insta
    /// test`, which sets `INSTA_CARGO_INSTA`: a value meant for insta's own tests must not accept a
    /// benchmark. Values that [forbid](Self::forbids) always count.
    ///
    /// ```
    /// use tdg_engine::config::{Insta, Update};
    ///
    /// let insta = Insta::from_environment(&|name| match name {
    ///     "INSTA_CARGO_INSTA" => Some("1".into()),
    ///     "INSTA_UPDATE" => Some("no".into()),
    ///     _ => None,
    /// })?;
    /// assert_eq!(insta.update(), Some(Update::No));
    /// # Ok::<(), tdg_engine::config::ConfigError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A variable has an invalid value.
    pub fn from_environment(environment: Environment<'_>) -> Result<Self, ConfigError> {
        let variable = |name| environment(name).filter(|value| !value.is_empty());
        let path = |name| variable(name).map(PathBuf::from);
        let mut insta = Self {
            workspace_root: path("INSTA_WORKSPACE_ROOT"),
            pending_dir: path("INSTA_PENDING_DIR"),
            references_file: path("INSTA_SNAPSHOT_REFERENCES_FILE"),
            forbids: forbidding(environment),
            ..Self::default()
        };
        if variable("INSTA_CARGO_INSTA").is_some() {
            // cargo-insta sets this instead of `INSTA_UPDATE=force` for projects without insta.
            let forced = ["INSTA_FORCE_UPDATE", "INSTA_FORCE_UPDATE_SNAPSHOTS"]
                .iter()
                .any(|name| variable(name).is_some_and(|value| value == "1"));
            insta.update = match variable("INSTA_UPDATE") {
                _ if forced => Some(Update::Always),
                None => None,
                Some(value) => parse_update(&value)?,
            };
            insta.force_pass = match variable("INSTA_FORCE_PASS") {
                None => false,
                Some(value) => parse_flag("INSTA_FORCE_PASS", &value)?,
            };
        }
        Ok(insta)
    }

    /// Returns the requested update mode; `None` leaves it to tdg's own configuration.
    pub fn update(&self) -> Option<Update> {
        self.update
    }

    /// Returns the variable that forbids recording and accepting, with its value: `INSTA_UPDATE=no`
    /// or `INSTA_FORCE_PASS=0`. cargo-mutants sets both for the tests of its mutants.
    pub fn forbids(&self) -> Option<&'static str> {
        self.forbids
    }

    /// Returns true if a test passes although its benchmark is new or changed: cargo-insta reports
    /// pending changes after all tests.
    pub fn force_pass(&self) -> bool {
        self.force_pass
    }

    /// Returns the root of the workspace, if it moved since the tests were compiled.
    pub fn workspace_root(&self) -> Option<&Path> {
        self.workspace_root.as_deref()
    }

    /// Returns the pending file of a snapshot file: next to it, or in `INSTA_PENDING_DIR` under the
    /// snapshot file's path relative to the workspace `root`.
    ///
    /// # Errors
    ///
    /// If `INSTA_PENDING_DIR` is set and the snapshot file isn't in the workspace.
    pub fn pending_file(&self, snapshot: &Path, root: &Path) -> Result<PathBuf, ConfigError> {
        let Some(pending_dir) = &self.pending_dir else {
            return Ok(pending_file(snapshot));
        };
        let root = self.workspace_root().unwrap_or(root);
        match relative_to(root, snapshot) {
            Some(relative) => Ok(pending_file(&pending_dir.join(relative))),
            None => Err(ConfigError::new(format!(
                "INSTA_PENDING_DIR is set, but {} is not in the workspace {}; unset \
                 INSTA_PENDING_DIR, or move the test into the workspace",
                snapshot.display(),
                root.display()
            ))),
        }
    }

    /// Reports this snapshot file to cargo-insta as used, so that `--unreferenced` keeps it.
    ///
    /// # Errors
    ///
    /// If `INSTA_SNAPSHOT_REFERENCES_FILE` can't be written.
    pub fn note_use(&self, snapshot: &Path) -> io::Result<()> {
        let Some(references_file) = &self.references_file else {
            return Ok(());
        };
        // cargo-insta resolves the path against its own working directory.
        let line = format!("{}\n", std::path::absolute(snapshot)?.display());
        // One write: tests of many processes append to this file.
        OpenOptions::new()
            .append(true)
            .create(true)
            .open(references_file)?
            .write_all(line.as_bytes())
    }
}

fn forbidding(environment: Environment<'_>) -> Option<&'static str> {
    let is = |name, value| environment(name).is_some_and(|set| set == value);
    if is("INSTA_UPDATE", "no") {
        return Some("INSTA_UPDATE=no");
    }
    is("INSTA_FORCE_PASS", "0").then_some("INSTA_FORCE_PASS=0")
}

fn parse_update(value: &OsString) -> Result<Option<Update>, ConfigError> {
    Ok(match value.to_str() {
        // The two tools have different defaults, especially on CI.
        Some("auto") => None,
        // For insta, this means: write new snapshots, keep changed ones pending.
        Some("unseen") => Some(Update::Auto),
        Some("always" | "1" | "force") => Some(Update::Always),
        Some("new") => Some(Update::New),
        Some("no") => Some(Update::No),
        _ => {
            let valid = "auto, always, new, unseen, no or force";
            return Err(ConfigError::new(format!(
                "INSTA_UPDATE must be {valid}, but is {value:?}"
            )));
        }
    })
}

fn parse_flag(name: &str, value: &OsString) -> Result<bool, ConfigError> {
    match value.to_str() {
        Some("0") => Ok(false),
        Some("1") => Ok(true),
        _ => Err(ConfigError::new(format!(
            "{name} must be 0 or 1, but is {value:?}"
        ))),
    }
}

/// Returns the path of a file relative to `root`, if it is inside. The paths are first compared as
/// given: under Bazel they are symbolic links to other locations.
fn relative_to(root: &Path, file: &Path) -> Option<PathBuf> {
    let relative = match file.strip_prefix(root) {
        Ok(relative) => relative.to_owned(),
        Err(_) => canonical(file)?
            .strip_prefix(canonical(root)?)
            .ok()?
            .to_owned(),
    };
    let escapes = relative
        .components()
        .any(|component| component == Component::ParentDir);
    (!escapes).then_some(relative)
}

/// Returns the canonical path. Its last components may not exist yet.
fn canonical(path: &Path) -> Option<PathBuf> {
    match fs::canonicalize(path) {
        Ok(path) => Some(path),
        Err(_) => Some(canonical(path.parent()?)?.join(path.file_name()?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insta(variables: &[(&str, &str)]) -> Result<Insta, ConfigError> {
        let variables: Vec<(String, OsString)> = variables
            .iter()
            .map(|(name, value)| (format!("INSTA_{name}"), value.into()))
            .collect();
        Insta::from_environment(&|name| {
            let (_, value) = variables.iter().find(|(known, _)| known == name)?;
            Some(value.clone())
        })
    }

    fn update(value: &str) -> Option<Update> {
        insta(&[("CARGO_INSTA", "1"), ("UPDATE", value)])
            .unwrap()
            .update()
    }

    #[test]
    fn an_empty_environment_asks_for_nothing() {
        assert_eq!(insta(&[]).unwrap(), Insta::default());
        assert_eq!(
            insta(&[("CARGO_INSTA", "1"), ("UPDATE", ""), ("FORCE_PASS", "")]).unwrap(),
            Insta::default()
        );
    }

    #[test]
    fn update_modes_are_translated() {
        assert_eq!(update("auto"), None);
        assert_eq!(update("unseen"), Some(Update::Auto));
        assert_eq!(update("new"), Some(Update::New));
        assert_eq!(update("no"), Some(Update::No));
        for value in ["always", "1", "force"] {
            assert_eq!(update(value), Some(Update::Always), "{value}");
        }
    }

    #[test]
    fn force_is_understood_where_insta_is_not_a_dependency() {
        for name in ["FORCE_UPDATE", "FORCE_UPDATE_SNAPSHOTS"] {
            let insta = insta(&[("CARGO_INSTA", "1"), ("UPDATE", "new"), (name, "1")]).unwrap();
            assert_eq!(insta.update(), Some(Update::Always));
        }
    }

    #[test]
    fn outside_cargo_insta_nothing_is_accepted_or_passed() {
        for name in ["UPDATE", "FORCE_PASS", "FORCE_UPDATE"] {
            assert_eq!(insta(&[(name, "1")]).unwrap(), Insta::default(), "{name}");
        }
    }

    #[test]
    fn both_variables_forbid_outside_cargo_insta_too() {
        let forbids = |variables: &[_]| insta(variables).unwrap().forbids();
        assert_eq!(forbids(&[("UPDATE", "no")]), Some("INSTA_UPDATE=no"));
        assert_eq!(forbids(&[("FORCE_PASS", "0")]), Some("INSTA_FORCE_PASS=0"));
        for value in ["auto", "always", "new", "unseen", "force", "yes", ""] {
            assert_eq!(forbids(&[("UPDATE", value)]), None, "{value}");
        }
        assert_eq!(forbids(&[("FORCE_PASS", "1")]), None);
    }

    #[test]
    fn force_pass_is_a_flag() {
        assert!(
            insta(&[("CARGO_INSTA", "1"), ("FORCE_PASS", "1")])
                .unwrap()
                .force_pass()
        );
        assert!(
            !insta(&[("CARGO_INSTA", "1"), ("FORCE_PASS", "0")])
                .unwrap()
                .force_pass()
        );
    }

    #[test]
    fn an_invalid_value_lists_the_valid_ones() {
        let message = |name, value| {
            insta(&[("CARGO_INSTA", "1"), (name, value)])
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            message("UPDATE", "yes"),
            r#"INSTA_UPDATE must be auto, always, new, unseen, no or force, but is "yes""#
        );
        assert_eq!(
            message("FORCE_PASS", "yes"),
            r#"INSTA_FORCE_PASS must be 0 or 1, but is "yes""#
        );
    }

    #[test]
    fn pending_files_go_next_to_the_snapshot_or_into_the_pending_directory() {
        let snapshot = Path::new("/home/shop/tests/snapshots/a__f.snap");
        let root = Path::new("/home");
        assert_eq!(
            Insta::default().pending_file(snapshot, root).unwrap(),
            Path::new("/home/shop/tests/snapshots/a__f.snap.new")
        );
        assert_eq!(
            insta(&[("PENDING_DIR", "/out")])
                .unwrap()
                .pending_file(snapshot, root)
                .unwrap(),
            Path::new("/out/shop/tests/snapshots/a__f.snap.new")
        );
        let elsewhere =
            insta(&[("PENDING_DIR", "/out"), ("WORKSPACE_ROOT", "/home/shop")]).unwrap();
        assert_eq!(
            elsewhere.pending_file(snapshot, root).unwrap(),
            Path::new("/out/tests/snapshots/a__f.snap.new")
        );
    }

    #[test]
    fn a_snapshot_outside_the_workspace_is_refused() {
        let insta = insta(&[("PENDING_DIR", "/out")]).unwrap();
        for outside in ["/else/a__f.snap", "/home/../else/a__f.snap"] {
            let error = insta
                .pending_file(Path::new(outside), Path::new("/home"))
                .unwrap_err();
            assert!(
                error.to_string().contains("is not in the workspace /home"),
                "{error}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_workspace_behind_a_symbolic_link_is_still_the_workspace() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir(&root).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&root, &link).unwrap();
        let insta = insta(&[("PENDING_DIR", "/out")]).unwrap();
        assert_eq!(
            insta
                .pending_file(&link.join("snapshots/a__f.snap"), &root)
                .unwrap(),
            Path::new("/out/snapshots/a__f.snap.new")
        );
    }

    #[test]
    fn used_snapshots_are_appended_as_absolute_paths() {
        let folder = tempfile::tempdir().unwrap();
        let references = folder.path().join("references");
        let insta = insta(&[("SNAPSHOT_REFERENCES_FILE", references.to_str().unwrap())]).unwrap();
        let absolute = folder.path().join("a__f.snap");
        insta.note_use(&absolute).unwrap();
        insta.note_use(Path::new("b__f.snap")).unwrap();
        let current = std::env::current_dir().unwrap();
        assert_eq!(
            fs::read_to_string(references).unwrap(),
            format!(
                "{}\n{}\n",
                absolute.display(),
                current.join("b__f.snap").display()
            )
        );
    }

    #[test]
    fn without_a_references_file_nothing_is_noted() {
        Insta::default()
            .note_use(Path::new("/no/such/folder/a__f.snap"))
            .unwrap();
    }
}
