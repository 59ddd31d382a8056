//! The git checkout in which a run or a decision was made.
//!
//! Every run records its commit and branch, so they are read from git's own files. Decisions are
//! rare; their other facts come from running git.

mod files;
mod lock;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::config::{Environment, ci_branch, name, process_environment};
pub use lock::changed_dependencies;

/// The commit and the branch of a checkout; `None` if unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkout {
    /// The full hash of the commit.
    pub commit: Option<String>,
    /// The branch, such as `main`. For a detached HEAD, the branch that the CI system names.
    pub branch: Option<String>,
}

impl Checkout {
    /// Reads the checkout around `directory` from git's files, without starting a process.
    pub fn read(directory: &Path, environment: Environment<'_>) -> Self {
        let mut checkout = files::read(directory).unwrap_or_default();
        if checkout.commit.is_some() && checkout.branch.is_none() {
            checkout.branch = ci_branch(environment);
        }
        checkout
    }

    /// Returns true if both are known to be on the same branch.
    pub fn is_on_branch_of(&self, other: &Self) -> bool {
        self.branch.is_some() && self.branch == other.branch
    }

    /// Returns true if both may be on the same branch: an unknown branch may be any.
    pub fn shares_branch(&self, other: &Self) -> bool {
        let branches = self.branch.as_ref().zip(other.branch.as_ref());
        branches.is_none_or(|(one, other)| one == other)
    }
}

/// The git checkout around a directory, as it was when this process first read it.
#[derive(Debug)]
pub struct Git {
    directory: PathBuf,
    checkout: Checkout,
    is_dirty: OnceLock<Option<bool>>,
    user: OnceLock<Option<String>>,
}

impl Git {
    /// Returns the checkout around `directory`, which is read once per process.
    pub fn around(directory: &Path) -> Arc<Self> {
        static KNOWN: Mutex<Vec<Arc<Git>>> = Mutex::new(Vec::new());

        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(git) = known.iter().find(|git| git.directory == directory) {
            return git.clone();
        }
        let git = Arc::new(Self {
            directory: directory.to_owned(),
            checkout: Checkout::read(directory, &process_environment),
            is_dirty: OnceLock::new(),
            user: OnceLock::new(),
        });
        known.push(git.clone());
        git
    }

    /// The commit and the branch.
    pub fn checkout(&self) -> &Checkout {
        &self.checkout
    }

    /// Returns true if files differ from the commit, ignoring snapshot files, which decisions
    /// change. Starts git.
    pub fn is_dirty(&self) -> Option<bool> {
        *self.is_dirty.get_or_init(|| {
            let status = [
                "--no-optional-locks",
                "status",
                "--porcelain",
                "--untracked-files=normal",
                "--",
                ":/",
                ":(exclude,top,glob)**/*.snap",
                ":(exclude,top,glob)**/*.snap.new",
            ];
            Some(!self.ask(&status)?.is_empty())
        })
    }

    /// Returns the name that git would write into a commit, without an email address. Starts git.
    pub fn user(&self) -> Option<&str> {
        let identities = ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"];
        let user = self.user.get_or_init(|| {
            let ask = |identity| self.ask(&["-c", "user.useConfigOnly=true", "var", identity]);
            name(identities.into_iter().find_map(ask)?.split_once(" <")?.0)
        });
        user.as_deref()
    }

    /// Returns true if the commit contains this file unchanged. Starts git.
    pub fn has(&self, file: &Path) -> bool {
        let Some(file) = file.to_str() else {
            return false;
        };
        let ask = |arguments: &[&str]| self.ask(&[arguments, &["--", file]].concat());
        ask(&["ls-files", "--error-unmatch"]).is_some()
            && ask(&["--no-optional-locks", "status", "--porcelain"])
                .is_some_and(|it| it.is_empty())
    }

    /// Returns true if HEAD contains that commit. Starts git.
    pub fn has_commit(&self, commit: &str) -> bool {
        // The commit comes from a server, so it must not be taken for an option.
        let ask = |commit: String| self.ask(&["merge-base", "--is-ancestor", &commit, "HEAD"]);
        files::hash(commit).and_then(ask).is_some()
    }

    /// Returns the output of a git command; `None` on failure or under Miri.
    fn ask(&self, arguments: &[&str]) -> Option<String> {
        if cfg!(miri) {
            return None;
        }
        let mut git = Command::new("git");
        git.arg("-C").arg(&self.directory).args(arguments);
        // A hook sets these for its own repository, relative to another directory.
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
            git.env_remove(OsStr::new(variable));
        }
        // Only the name is needed, but git gives none without an address.
        git.envs([
            ("GIT_AUTHOR_EMAIL", "nobody"),
            ("GIT_COMMITTER_EMAIL", "nobody"),
        ]);
        let output = git.stdin(Stdio::null()).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim_end().to_owned())
    }
}
