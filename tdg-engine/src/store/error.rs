//! The errors of the store.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use super::MARK;
use crate::snapshot::SnapshotError;

/// An error of the store. Its `Display` is one line that ends with the fix.
#[derive(Debug)]
pub struct StoreError {
    /// The database.
    pub file: PathBuf,
    /// The problem with it.
    pub problem: StoreProblem,
}

/// The problem behind a [`StoreError`].
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreProblem {
    /// The file was written by a later tdg.
    Newer {
        /// The format of the file.
        found: i64,
        /// The latest format that this tdg reads.
        supported: i64,
    },
    /// The file was written by a build older than the first release.
    Unreleased,
    /// The file is the database of another program, such as tdg-server.
    Foreign,
    /// The directory has files, but tdg didn't create it.
    Unmarked,
    /// This symbolic link leads to the directory, or from the directory to a file of the store.
    Link(PathBuf),
    /// This file is in the place of one of tdg's.
    InTheWay(PathBuf),
    /// The file is damaged, or not a database. It is left untouched.
    Corrupt(Cause),
    /// Another process didn't release it in time.
    Locked,
    /// The file or its directory can't be created or written.
    NotWritable(Cause),
    /// The disk is full; nothing was changed.
    Full,
    /// Another function of the same run has the same package, source file and name.
    Claimed {
        /// The other function.
        by: String,
    },
    /// The decided change was replaced or cleared meanwhile.
    Superseded,
    /// A benchmark in it can't be read.
    Benchmark(SnapshotError),
    /// Anything else that SQLite or the file system reports.
    Other(Cause),
}

/// The error of SQLite or of the file system behind a [`StoreProblem`].
pub type Cause = Box<dyn Error + Send + Sync>;

impl StoreError {
    /// Creates an error about the database `file`.
    pub fn new(file: &Path, problem: impl Into<StoreProblem>) -> StoreError {
        StoreError {
            file: file.to_owned(),
            problem: problem.into(),
        }
    }

    /// Returns true if the store itself is unusable, so that a test with a snapshot file can be
    /// judged without it. All other problems are faults of the request.
    pub fn is_unavailable(&self) -> bool {
        !matches!(
            self.problem,
            StoreProblem::Claimed { .. } | StoreProblem::Superseded | StoreProblem::Benchmark(_)
        )
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        let directory = self.file.parent().unwrap_or(&self.file).display();
        let delete = format!(
            "delete the directory {directory} (this loses the history, and benchmarks only if \
             tdg.toml has `snapshots = false`)"
        );
        match &self.problem {
            StoreProblem::Newer { found, supported } => write!(
                f,
                "the store {file} has format {found}, but this tdg reads formats up to \
                 {supported}: use the tdg that wrote it or a later one, or {delete}"
            ),
            StoreProblem::Unreleased => write!(
                f,
                "the store {file} was written by an unreleased tdg, whose format no version reads: \
                 {delete}"
            ),
            StoreProblem::Foreign => write!(
                f,
                "{file} is the database of another program, such as tdg-server: set TDG_DIR to \
                 another directory"
            ),
            StoreProblem::Unmarked => write!(
                f,
                "the directory {directory} has files, but tdg did not create it (the first line of \
                 its .gitignore is not `{MARK}`): set `dir` in tdg.toml or TDG_DIR to another \
                 directory, or empty this one"
            ),
            StoreProblem::Link(link) => write!(
                f,
                "{} is a symbolic link, which tdg does not follow to its local store: remove it, or set \
                 TDG_DIR to the directory of the store",
                link.display()
            ),
            StoreProblem::InTheWay(path) => write!(
                f,
                "{} is in the place of one of tdg's files, but tdg did not write it: move it away, \
                 or set TDG_DIR to another directory",
                path.display()
            ),
            StoreProblem::Corrupt(cause) => write!(
                f,
                "the store {file} is damaged ({cause}) and was left as it is: restore it, or \
                 {delete}"
            ),
            StoreProblem::Locked => write!(
                f,
                "the store {file} stayed locked by another process: end that process, or set \
                 TDG_DIR to another directory"
            ),
            StoreProblem::NotWritable(cause) => write!(
                f,
                "the store {file} can't be written ({cause}): make {directory} writable, or set \
                 TDG_DIR to a writable directory"
            ),
            StoreProblem::Full => write!(
                f,
                "no space left to write the store {file}; nothing was changed: free some space, or \
                 set TDG_DIR to a directory on another disk"
            ),
            StoreProblem::Claimed { by } => write!(
                f,
                "{by} has the same package, source file and name: give one of the two another name \
                 with `name = \"…\"`"
            ),
            StoreProblem::Superseded => write!(
                f,
                "the pending change is no longer the one that was shown: review the current one, \
                 then decide"
            ),
            StoreProblem::Benchmark(error) => write!(f, "the store {file}: {error}"),
            StoreProblem::Other(cause) => write!(
                f,
                "the store {file} failed ({cause}): if this is a network file system, set TDG_DIR \
                 to a directory on a local disk"
            ),
        }
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.problem {
            StoreProblem::Corrupt(cause)
            | StoreProblem::NotWritable(cause)
            | StoreProblem::Other(cause) => Some(&**cause),
            StoreProblem::Benchmark(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for StoreProblem {
    fn from(error: io::Error) -> StoreProblem {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreProblem::Full,
            _ => StoreProblem::NotWritable(error.into()),
        }
    }
}
