//! git's own files: `.git`, `HEAD`, loose and packed refs.
//!
//! Unsupported layouts, such as repositories with reftable, are reported as unknown.

use std::fs;
use std::path::{Path, PathBuf};

use super::Checkout;

/// The maximum length of a chain of symbolic refs. Longer ones are treated as unknown.
const DEPTH: usize = 5;

pub(super) fn read(directory: &Path) -> Option<Checkout> {
    let repository = Repository::around(directory)?;
    let head = fs::read_to_string(repository.own.join("HEAD")).ok()?;
    let Some(name) = head.strip_prefix("ref: ") else {
        let commit = hash(&head);
        return Some(Checkout {
            commit,
            branch: None,
        });
    };
    let name = name.trim_end();
    // The refs are in another format, and `HEAD` only exists for older versions of git.
    if name == "refs/heads/.invalid" {
        return None;
    }
    Some(Checkout {
        commit: repository.commit(name, DEPTH),
        branch: name.strip_prefix("refs/heads/").map(str::to_owned),
    })
}

/// The directories of a repository.
struct Repository {
    /// The directory of this worktree.
    own: PathBuf,
    /// The directory that all worktrees share.
    common: PathBuf,
}

impl Repository {
    /// Finds the repository of the nearest worktree; `None` if its layout is unsupported.
    fn around(directory: &Path) -> Option<Self> {
        let (worktree, git, kind) = directory.ancestors().find_map(|worktree| {
            let git = worktree.join(".git");
            let kind = fs::metadata(&git).ok()?;
            Some((worktree, git, kind))
        })?;
        if kind.is_dir() {
            let own = git.clone();
            return Some(Self { own, common: git });
        }
        // An added worktree, or a submodule.
        let text = fs::read_to_string(git).ok()?;
        let own = worktree.join(text.strip_prefix("gitdir: ")?.trim_end());
        let common = match fs::read_to_string(own.join("commondir")) {
            Ok(path) => own.join(path.trim_end()),
            Err(_) => own.clone(),
        };
        Some(Self { own, common })
    }

    /// Returns the commit of a ref, or `None` if it is unknown or has no commit yet.
    fn commit(&self, name: &str, depth: usize) -> Option<String> {
        let is_ref = |name: &str| {
            let mut parts = name.split('/');
            parts.next() == Some("refs") && parts.all(|part| !part.is_empty() && part != "..")
        };
        if depth == 0 || !is_ref(name) {
            return None;
        }
        match fs::read_to_string(self.common.join(name)) {
            Ok(text) => match text.strip_prefix("ref: ") {
                Some(name) => self.commit(name.trim_end(), depth - 1),
                None => hash(&text),
            },
            Err(_) => self.packed(name),
        }
    }

    fn packed(&self, name: &str) -> Option<String> {
        let refs = fs::read(self.common.join("packed-refs")).ok()?;
        let mut lines = refs.split(|byte| *byte == b'\n');
        lines.find_map(|line| {
            let (commit, rest) = str::from_utf8(line).ok()?.split_once(' ')?;
            (rest.trim_end() == name).then(|| hash(commit))?
        })
    }
}

/// Returns the text if it is a commit hash: SHA-1 or SHA-256.
pub(super) fn hash(text: &str) -> Option<String> {
    let text = text.trim_end();
    let is_hash = matches!(text.len(), 40 | 64)
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_hash.then(|| text.to_owned())
}
