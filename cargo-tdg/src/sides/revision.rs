//! The sources of a revision, from git's objects.

use std::fs;
use std::path::{Path, PathBuf};

use super::path_dependencies::with_absolute_paths;
use super::write_changed;
use crate::error::{Context as _, Error, Result};
use crate::git::{commit, git, git_with_index, shallow};

/// The sources of a revision in a separate folder.
pub(crate) struct Revision {
    /// For example `main (5d6e7f8)`.
    pub(crate) label: String,
    /// The folder that corresponds to the directory in the checkout.
    pub(crate) directory: PathBuf,
    /// Files that aren't in the revision's objects: submodules, files in LFS.
    pub(crate) gaps: Vec<String>,
    /// Set if the checkout has the same sources.
    pub(crate) is_today: bool,
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
        find_outside(&top, tree, &folder)?;
        let inner = inner.strip_prefix(&top).unwrap_or(Path::new(""));
        let short = git(directory, &["rev-parse", "--short", &commit])?;
        Ok(Self {
            label: match short.trim() {
                short if name.starts_with(short) => short.to_owned(),
                short => format!("{name} ({short})"),
            },
            directory: folder.join(inner),
            gaps: gaps(&top, tree, &folder)?,
            is_today: git(&top, &["rev-parse", "HEAD^{tree}"])?.trim() == tree
                && git(&top, &["status", "--porcelain"])?.is_empty(),
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
    // A checkout of CI has no `origin/HEAD`.
    let usual = ["origin/main", "origin/master", "main", "master"];
    let candidates = origin.iter().map(String::as_str).chain(usual);
    let candidates: Vec<&str> = candidates.collect();
    for name in &candidates {
        if let Ok(base) = git(directory, &["merge-base", "HEAD", name]) {
            return Ok(((*name).to_owned(), base.trim().to_owned()));
        }
    }
    let there = candidates.iter().find(|it| commit(directory, it).is_ok());
    Err(Error::new(match (there, shallow(directory)) {
        (Some(name), Some(hint)) => {
            format!("HEAD and {name} have no commit in common here; {hint}")
        }
        (None, Some(hint)) => format!("no default branch found; {hint}"),
        _ => "no default branch found; name a revision: `cargo tdg compare REVISION`".to_owned(),
    }))
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
    write_files(top, tree, &index, &files)?;
    for (path, commit) in submodules(top, tree)? {
        let of_module = top.join(&path);
        if of_module.join(".git").exists() {
            // Without the commit, its files stay a gap.
            drop(write_files(&of_module, &commit, &index, &files.join(&path)));
        }
    }
    match fs::rename(&files, folder) {
        // Another process created the folder first.
        Err(_) if folder.exists() => Ok(()),
        renamed => renamed.context(folder.display()),
    }
}

/// Writes the files of a tree, or of a commit, to a folder.
fn write_files(top: &Path, tree: &str, index: &Path, folder: &Path) -> Result<()> {
    git_with_index(top, &["read-tree", tree], index)?;
    let prefix = format!("--prefix={}/", folder.display());
    let arguments = ["checkout-index", "--all", "--quiet", &prefix];
    git_with_index(top, &arguments, index).map(drop)
}

/// Returns the entries of a tree: the mode, the object, and the path of each.
fn entries(top: &Path, tree: &str) -> Result<Vec<[String; 3]>> {
    let listed = git(top, &["ls-tree", "-r", "-z", "--full-tree", tree])?;
    let entries = listed.split('\0').filter_map(|entry| {
        // <mode> <type> <object>\t<path>
        let (head, path) = entry.split_once('\t')?;
        let mut head = head.split(' ');
        let (mode, object) = (head.next()?, head.nth(1)?);
        Some([mode, object, path].map(str::to_owned))
    });
    Ok(entries.collect())
}

/// Returns the paths of submodules with their commits.
fn submodules(top: &Path, tree: &str) -> Result<Vec<(String, String)>> {
    let entries = entries(top, tree)?.into_iter();
    let submodules = entries.filter(|[mode, ..]| mode == "160000");
    Ok(submodules.map(|[_, commit, path]| (path, commit)).collect())
}

fn gaps(top: &Path, tree: &str, folder: &Path) -> Result<Vec<String>> {
    let gaps = entries(top, tree)?
        .into_iter()
        .filter_map(|[mode, _, path]| {
            let file = folder.join(&path);
            let is_empty = || fs::read_dir(&file).map_or(true, |mut it| it.next().is_none());
            match mode.as_str() {
                "160000" => is_empty().then(|| format!("the submodule {path}")),
                _ => is_pointer(&file).then(|| format!("{path}, which is in LFS")),
            }
        });
    Ok(gaps.collect())
}

/// Makes the manifests of a revision find what is outside the repository, which is the same for
/// both sides.
fn find_outside(top: &Path, tree: &str, folder: &Path) -> Result<()> {
    for [_, _, manifest] in entries(top, tree)? {
        let manifest = Path::new(&manifest);
        let file = folder.join(manifest);
        let is_manifest = manifest.file_name().is_some_and(|it| it == "Cargo.toml");
        // Cargo names the fault of one that can't be read.
        if let (true, Ok(text)) = (is_manifest, fs::read_to_string(&file))
            && let Ok(moved) =
                with_absolute_paths(&text, &top.join(manifest.with_file_name("")), top)
        {
            write_changed(&file, moved)?;
        }
    }
    Ok(())
}

fn is_pointer(file: &Path) -> bool {
    let is_short = fs::metadata(file).is_ok_and(|it| it.len() < 1024);
    is_short && fs::read(file).is_ok_and(|content| content.starts_with(POINTER))
}
