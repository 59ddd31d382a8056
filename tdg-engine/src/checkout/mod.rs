//! The git checkout that a run or a decision was made in.
//!
//! Every run names its commit and branch, so they are read from git's own files. Decisions are
//! rare: for the rest, git is asked.

mod files;
mod lock;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::config::name;
pub use lock::changed_dependencies;

/// The commit and the branch of a checkout; `None` is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkout {
    /// The full hash of the commit.
    pub commit: Option<String>,
    /// The branch, such as `main`; `None` also for a detached HEAD.
    pub branch: Option<String>,
}

impl Checkout {
    /// What git's files say of the checkout around `directory`. No process is started.
    pub fn read(directory: &Path) -> Self {
        files::read(directory).unwrap_or_default()
    }

    /// Whether both may be of one branch: an unknown one may be any.
    pub fn shares_branch(&self, other: &Self) -> bool {
        let branches = self.branch.as_ref().zip(other.branch.as_ref());
        branches.is_none_or(|(one, other)| one == other)
    }
}

/// The git checkout around a directory, as it was when this process first asked.
#[derive(Debug)]
pub struct Git {
    directory: PathBuf,
    checkout: Checkout,
    is_dirty: OnceLock<Option<bool>>,
    user: OnceLock<Option<String>>,
}

impl Git {
    /// The checkout around `directory`, read once per process.
    pub fn around(directory: &Path) -> Arc<Self> {
        static KNOWN: Mutex<Vec<Arc<Git>>> = Mutex::new(Vec::new());

        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(git) = known.iter().find(|git| git.directory == directory) {
            return git.clone();
        }
        let git = Arc::new(Self {
            directory: directory.to_owned(),
            checkout: Checkout::read(directory),
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

    /// Whether the files are not those of the commit, other than snapshot files, which decisions
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

    /// The name of the user in git's configuration, without an e-mail address. Starts git.
    pub fn user(&self) -> Option<&str> {
        let user = self
            .user
            .get_or_init(|| name(&self.ask(&["config", "user.name"])?));
        user.as_deref()
    }

    /// Whether the commit has this file as it is. Starts git.
    pub fn has(&self, file: &Path) -> bool {
        let Some(file) = file.to_str() else {
            return false;
        };
        let ask = |arguments: &[&str]| self.ask(&[arguments, &["--", file]].concat());
        ask(&["ls-files", "--error-unmatch"]).is_some()
            && ask(&["--no-optional-locks", "status", "--porcelain"])
                .is_some_and(|it| it.is_empty())
    }

    /// The output of a git command.
    fn ask(&self, arguments: &[&str]) -> Option<String> {
        let mut git = Command::new("git");
        git.arg("-C").arg(&self.directory).args(arguments);
        // A hook sets them for its own repository, relative to another directory.
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
            git.env_remove(OsStr::new(variable));
        }
        let output = git.stdin(Stdio::null()).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim_end().to_owned())
    }
}
