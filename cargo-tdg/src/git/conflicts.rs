//! The files with conflicts in a merge, a rebase or the like.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::{blobs, git};
use crate::error::Result;

/// The unmerged files in a directory and below.
#[derive(Debug)]
pub(crate) struct Unmerged {
    directory: PathBuf,
    files: VersionObjects,
    /// Files that were unmerged and have since been added.
    added: VersionObjects,
}

/// The objects of base, ours and theirs; `None` for a side that has deleted the file.
type VersionObjects = BTreeMap<PathBuf, [Option<String>; 3]>;

/// The versions of an unmerged file.
#[derive(Debug)]
pub(crate) struct Versions {
    /// The common ancestor's version; `None` if both sides added the file.
    pub(crate) base: Option<String>,
    pub(crate) ours: Option<String>,
    pub(crate) theirs: Option<String>,
}

/// The names of the two sides: branch and commit, where known.
#[derive(Clone, Debug)]
pub(crate) struct Sides {
    pub(crate) ours: String,
    pub(crate) theirs: String,
}

impl Unmerged {
    /// Lists the unmerged files in a directory and below.
    pub(crate) fn below(directory: &Path) -> Result<Self> {
        Ok(Self {
            directory: directory.to_owned(),
            files: objects(directory, "--unmerged")?,
            added: objects(directory, "--resolve-undo")?,
        })
    }

    /// Returns true if the file is unmerged or contains conflict markers.
    pub(crate) fn has(&self, file: &Path) -> bool {
        let has_markers = || {
            let text = fs::read(file).unwrap_or_default();
            text.split(|byte| *byte == b'\n')
                .any(|line| line.starts_with(b"<<<<<<<"))
        };
        self.files.contains_key(file) || has_markers()
    }

    /// Reads the versions of a file; `None` if git has none. Git keeps them for a while after
    /// adding.
    pub(crate) fn versions(&self, file: &Path) -> Result<Option<Versions>> {
        let Some(objects) = self.files.get(file).or_else(|| self.added.get(file)) else {
            return Ok(None);
        };
        let known = objects.iter().flatten().map(String::as_str);
        let mut texts = blobs(&self.directory, known)?.into_iter();
        let mut text = |object: &Option<String>| {
            let text = object.as_ref().and_then(|_| texts.next());
            text.map(String::from_utf8).transpose()
        };
        let [base, ours, theirs] = objects;
        Ok(Some(Versions {
            base: text(base)?,
            ours: text(ours)?,
            theirs: text(theirs)?,
        }))
    }

    /// Returns the names of the sides. In a rebase, ours is the branch below and theirs the commit
    /// that is being applied.
    pub(crate) fn sides(&self) -> Sides {
        let heads = [
            "MERGE_HEAD",
            "REBASE_HEAD",
            "CHERRY_PICK_HEAD",
            "REVERT_HEAD",
        ];
        let theirs = heads.iter().find_map(|head| self.name(head));
        Sides {
            ours: self.name("HEAD").unwrap_or_else(|| "HEAD".to_owned()),
            theirs: theirs.unwrap_or_else(|| "the other side".to_owned()),
        }
    }

    /// Returns `prices (5d6e7f8)`, or `5d6e7f8 "Raise prices"` if no branch points at the commit.
    fn name(&self, commit: &str) -> Option<String> {
        let ask = |arguments: &[&str]| {
            let answer = git(&self.directory, arguments).ok()?;
            let answer = answer.trim();
            (!answer.is_empty()).then(|| answer.to_owned())
        };
        let short = ask(&["rev-parse", "--quiet", "--verify", "--short", commit])?;
        let branch = ask(&["branch", "--format=%(refname:short)", "--points-at", commit]);
        let mut branches = branch.iter().flat_map(|text| text.lines());
        // Git lists a rebase in parentheses.
        let branch = branches.find(|name| !name.starts_with('('));
        Some(match branch {
            Some(branch) => format!("{branch} ({short})"),
            None => match ask(&["log", "-1", "--format=%s", commit]) {
                Some(subject) => format!("{short} {subject:?}"),
                None => short,
            },
        })
    }
}

/// Lists files with the objects of their versions.
fn objects(directory: &Path, which: &str) -> Result<VersionObjects> {
    let listed = git(directory, &["ls-files", which, "-z", "--", "."])?;
    let mut files = VersionObjects::new();
    for entry in listed.split('\0').filter(|entry| !entry.is_empty()) {
        // <mode> <object> <stage>\t<path>
        let (head, path) = entry.split_once('\t').unwrap_or((entry, ""));
        let words: Vec<&str> = head.split(' ').collect();
        if let [_, object, stage @ ("1" | "2" | "3")] = words.as_slice() {
            let stage = stage
                .bytes()
                .map(|byte| usize::from(byte - b'1'))
                .sum::<usize>();
            let objects = files.entry(directory.join(path)).or_default();
            objects[stage] = Some((*object).to_owned());
        }
    }
    Ok(files)
}
