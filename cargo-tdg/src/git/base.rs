//! The files that differ between an earlier revision and the working tree.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{commit, git, git_with_index, shallow};
use crate::error::{Context as _, Error, Result};

/// The revision to compare the working tree with.
#[derive(Debug)]
pub(crate) struct Base {
    /// The revision as given.
    pub(crate) revision: String,
    /// The commit of the revision, or its merge base with `HEAD`.
    pub(crate) commit: String,
    /// `origin/main (1a2b3c4)`, `the merge base with origin/main (1a2b3c4)`
    pub(crate) label: String,
    /// The directory that returned paths start with.
    directory: PathBuf,
    top: PathBuf,
}

/// A file that differs from the base. A renamed file has two paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangedFile {
    /// The path in the base and its object; `None` if the file is new.
    pub(crate) before: Option<(PathBuf, String)>,
    /// The path in the working tree; `None` if the file was deleted.
    pub(crate) after: Option<PathBuf>,
}

impl Base {
    /// Returns the merge base of a revision and `HEAD`, as for a pull request, or for `revision..`
    /// the revision itself.
    pub(crate) fn resolve(directory: &Path, revision: &str) -> Result<Self> {
        let top = git(directory, &["rev-parse", "--show-toplevel"])
            .context("comparing with a revision needs a git repository")?;
        let (name, is_exact) = match revision.strip_suffix("..") {
            Some(name) => (name, true),
            None => (revision, false),
        };
        let named = commit(directory, name)?;
        let commit = match is_exact {
            true => named.clone(),
            false => merge_base(directory, name, &named)?,
        };
        let short = git(directory, &["rev-parse", "--short", &commit])?;
        let of = if commit == named {
            ""
        } else {
            "the merge base with "
        };
        Ok(Self {
            revision: revision.to_owned(),
            label: match short.trim() {
                short if name.starts_with(short) => format!("{of}{name}"),
                short => format!("{of}{name} ({short})"),
            },
            commit,
            directory: directory.to_owned(),
            top: PathBuf::from(top.trim_end()),
        })
    }

    /// Returns the changed files with this ending, including untracked ones. A file counts as
    /// renamed if at least half of its lines are the same.
    pub(crate) fn changed_files(&self, ending: &str) -> Result<Vec<ChangedFile>> {
        let files = format!(":(top,glob)**/*{ending}");
        let new = ["ls-files", "--others", "--exclude-standard", "-z", "--"];
        let new = git(&self.top, &[&new[..], &[&files]].concat())?;
        let compare = [
            "--no-optional-locks",
            "diff",
            "--raw",
            "-z",
            "--no-abbrev",
            "--find-renames",
            "--no-relative",
            "-l0",
            &self.commit,
            "--",
            &files,
        ];
        let listed = match new.is_empty() {
            true => git(&self.top, &compare)?,
            // Git detects renames only among files in its index.
            false => {
                let index = git(
                    &self.top,
                    &["rev-parse", "--path-format=absolute", "--git-path", "index"],
                )?;
                let copy = tempfile::NamedTempFile::new()?;
                fs::copy(index.trim_end(), copy.path()).context(index.trim_end())?;
                let mut add = vec!["add", "--intent-to-add", "--"];
                add.extend(new.split('\0').filter(|it| !it.is_empty()));
                git_with_index(&self.top, &add, copy.path())?;
                git_with_index(&self.top, &compare, copy.path())?
            }
        };
        let base = git(&self.directory, &["rev-parse", "--show-prefix"])?;
        let path = |path: &str| match path.strip_prefix(base.trim_end()) {
            Some(rest) => self.directory.join(rest),
            None => self.top.join(path),
        };
        Ok(parsed(&listed, path))
    }
}

/// Returns the merge base of `HEAD` and another commit.
fn merge_base(directory: &Path, name: &str, commit: &str) -> Result<String> {
    let base = git(directory, &["merge-base", commit, "HEAD"]).map_err(|_| {
        let hint = match shallow(directory) {
            Some(hint) => hint.to_owned(),
            None => format!("to compare with it anyway, write `--since {name}..`"),
        };
        Error::new(format!("{name} and HEAD have no commit in common; {hint}"))
    })?;
    Ok(base.trim().to_owned())
}

/// Parses the output of `git diff --raw -z`, with each file once.
fn parsed(listed: &str, path: impl Fn(&str) -> PathBuf) -> Vec<ChangedFile> {
    let mut fields = listed.split('\0');
    let (mut files, mut known) = (Vec::new(), BTreeSet::new());
    // :<mode> <mode> <object> <object> <status>
    while let (Some(head), Some(first)) = (fields.next(), fields.next()) {
        let words: Vec<&str> = head.split(' ').collect();
        let [_, _, object, _, status] = words.as_slice() else {
            break;
        };
        let last = if status.starts_with('R') {
            fields.next()
        } else {
            Some(first)
        };
        if !known.insert(first) {
            continue;
        }
        files.push(ChangedFile {
            before: (*status != "A").then(|| (path(first), (*object).to_owned())),
            after: last.filter(|_| *status != "D").map(&path),
        });
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_file_has_two_paths_and_an_unmerged_one_is_listed_once() {
        let path = |path: &str| PathBuf::from(path);
        let listed = ":100644 100644 a1 b2 M\0changed\0:000000 100644 00 00 A\0new\0\
                      :100644 000000 c3 00 D\0gone\0:100644 100644 d4 e5 R087\0old\0moved to\0\
                      :100644 000000 f6 00 U\0both\0:100644 100644 f6 00 M\0both\0";
        let of = |before: Option<(&str, &str)>, after: Option<&str>| ChangedFile {
            before: before.map(|(path, object)| (path.into(), object.to_owned())),
            after: after.map(PathBuf::from),
        };
        assert_eq!(
            parsed(listed, path),
            [
                of(Some(("changed", "a1")), Some("changed")),
                of(None, Some("new")),
                of(Some(("gone", "c3")), None),
                of(Some(("old", "d4")), Some("moved to")),
                of(Some(("both", "f6")), Some("both")),
            ]
        );
        assert_eq!(parsed("", path), []);
    }
}
