//! What can go wrong with the store, in words that end with a way out.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use crate::snapshot::SnapshotError;

/// The store could not do what it was asked for. Its `Display` is one line that ends with the fix.
#[derive(Debug)]
pub struct StoreError {
    /// The database.
    pub file: PathBuf,
    /// What is wrong with it.
    pub problem: Problem,
}

/// The reason of a [`StoreError`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The file was written by a later tdg.
    Newer {
        /// The format of the file.
        found: i64,
        /// The latest format that this tdg reads.
        supported: i64,
    },
    /// The file is no database, or a damaged one. It is left as it is.
    Corrupt(String),
    /// Another process did not release it in time.
    Locked,
    /// The file or its directory can't be created or written.
    NotWritable(String),
    /// The disk is full; what was there before still is.
    Full,
    /// In this very run, another function has the same package, source file and name.
    Claimed {
        /// That function.
        by: String,
    },
    /// The pending change that was decided about is no longer the pending one.
    Superseded,
    /// A benchmark in it can't be read.
    Benchmark(SnapshotError),
    /// Anything else that SQLite or the file system reports.
    Other(String),
}

impl StoreError {
    /// A problem with the database `file`.
    pub fn new(file: &Path, problem: impl Into<Problem>) -> StoreError {
        StoreError {
            file: file.to_owned(),
            problem: problem.into(),
        }
    }

    /// Whether it is the store itself that can't be used, so that a test which has a snapshot file
    /// can be judged without it. The other problems are faults in what was asked for.
    pub fn is_unavailable(&self) -> bool {
        !matches!(
            self.problem,
            Problem::Claimed { .. } | Problem::Superseded | Problem::Benchmark(_)
        )
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        let directory = self.file.parent().unwrap_or(&self.file).display();
        // What deleting it costs: nothing that matters, unless benchmarks live there alone.
        let delete = format!(
            "delete the directory {directory} (history is lost, and benchmarks only if tdg.toml has `snapshots = false`)"
        );
        match &self.problem {
            Problem::Newer { found, supported } => write!(
                f,
                "the store {file} has format {found}, this tdg reads formats up to {supported}: use the tdg that wrote it or a later one, or {delete}"
            ),
            Problem::Corrupt(detail) => write!(
                f,
                "the store {file} is damaged ({detail}) and was left as it is: restore it, or {delete}"
            ),
            Problem::Locked => write!(
                f,
                "the store {file} stayed locked by another process: end that process, or set TDG_DIR to another directory"
            ),
            Problem::NotWritable(detail) => write!(
                f,
                "the store {file} can't be written ({detail}): make {directory} writable, or set TDG_DIR to a directory that is"
            ),
            Problem::Full => write!(
                f,
                "no space left to write the store {file}, nothing was changed in it: make room, or set TDG_DIR to a directory on another disk"
            ),
            Problem::Claimed { by } => write!(
                f,
                "{by} has the same package, source file and name: give one of the two another name with `name = \"…\"`"
            ),
            Problem::Superseded => write!(
                f,
                "the pending change is no longer the one that was looked at: look at the present one, then decide"
            ),
            Problem::Benchmark(error) => write!(f, "the store {file}: {error}"),
            Problem::Other(detail) => write!(
                f,
                "the store {file} failed ({detail}): if this is a network file system, set TDG_DIR to a directory on a local disk"
            ),
        }
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            Problem::Benchmark(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Problem {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Problem::Full,
            _ => Problem::NotWritable(error.to_string()),
        }
    }
}
