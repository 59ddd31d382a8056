//! The sources of a revision, from git's objects.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Context as _, Error, Result};
use crate::git::{commit, git, git_with_index};

/// The sources of a revision in a separate folder.
pub(crate) struct Revision {
    /// For example `main (5d6e7f8)`.
    pub(crate) label: String,
    /// The folder that corresponds to the directory in the checkout.
    pub(crate) directory: PathBuf,
    /// Files that aren't in the revision's objects: submodules, files in LFS.
    pub(crate) gaps: Vec<String>,
}

/// The start of an LFS pointer file.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1";

impl Revision {
    /// Extracts the sources to a folder below `parent`, unless it exists. The checkout and its
    /// index stay unchanged.
    pub(crate) fn take(directory: &Path, name: Option<&str>, parent: &Path) -> Result<Self> {
        let top = git(directory, &["rev-parse", "--show-toplevel"])
            .context("comparing with a revision needs a git repository")?;
        let top = PathBuf::from(top.trim_end());
        let (name, commit) = match name {
            Some(name) => (name.to_owned(), commit(directory, name)?),
            None => base(directory)?,
        };
        let tree = git(directory, &["rev-parse", &format!("{commit}^{{tree}}")])?;
        let tree = tree.trim();
        let folder = parent.join(tree);
        if !folder.exists() {
            check_out(&top, tree, parent, &folder)?;
        }
        let inner = directory.canonicalize().context(directory.display())?;
        let top = top.canonicalize().context(top.display())?;
        let inner = inner.strip_prefix(&top).unwrap_or(Path::new(""));
        let short = git(directory, &["rev-parse", "--short", &commit])?;
        Ok(Self {
            label: format!("{name} ({})", short.trim()),
            directory: folder.join(inner),
            gaps: gaps(&top, tree, &folder)?,
        })
    }
}

/// Returns the merge base with the default branch.
fn base(directory: &Path) -> Result<(String, String)> {
    let origin = git(
        directory,
        &[
            "symbolic-ref",
            "--quiet",
            "--short",
            "refs/remotes/origin/HEAD",
        ],
    );
    let origin = origin.map(|it| it.trim().to_owned()).ok();
    let candidates = origin.iter().map(String::as_str).chain(["main", "master"]);
    for name in candidates {
        if let Ok(base) = git(directory, &["merge-base", "HEAD", name]) {
            return Ok((name.to_owned(), base.trim().to_owned()));
        }
    }
    Err(Error::new(
        "no default branch found; name a revision: `cargo tdg compare REVISION`",
    ))
}

/// Writes a tree's files to a folder, which appears only once it is complete.
fn check_out(top: &Path, tree: &str, parent: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(parent).context(parent.display())?;
    let partial = tempfile::Builder::new()
        .prefix("partial-")
        .tempdir_in(parent)
        .context(parent.display())?;
    let index = partial.path().join("index");
    let files = partial.path().join("files");
    fs::create_dir(&files).context(files.display())?;
    git_with_index(top, &["read-tree", tree], &index)?;
    let prefix = format!("--prefix={}/", files.display());
    git_with_index(
        top,
        &["checkout-index", "--all", "--quiet", &prefix],
        &index,
    )?;
    match fs::rename(&files, folder) {
        // Another process created the folder first.
        Err(_) if folder.exists() => Ok(()),
        renamed => renamed.context(folder.display()),
    }
}

fn gaps(top: &Path, tree: &str, folder: &Path) -> Result<Vec<String>> {
    let listed = git(top, &["ls-tree", "-r", "-z", "--full-tree", tree])?;
    let mut gaps = Vec::new();
    for entry in listed.split('\0') {
        // <mode> <type> <object>\t<path>
        let Some((head, path)) = entry.split_once('\t') else {
            continue;
        };
        if head.starts_with("160000") {
            gaps.push(format!("the submodule {path}"));
        } else if is_pointer(&folder.join(path)) {
            gaps.push(format!("{path}, which is in LFS"));
        }
    }
    Ok(gaps)
}

fn is_pointer(file: &Path) -> bool {
    let is_short = fs::metadata(file).is_ok_and(|it| it.len() < 1024);
    is_short && fs::read(file).is_ok_and(|content| content.starts_with(POINTER))
}
