//! Why a snapshot file can't be read.

use std::fmt;
use std::path::{Path, PathBuf};

/// What is wrong with a snapshot file, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotError(Box<Details>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Details {
    path: Option<PathBuf>,
    line: Option<usize>,
    problem: String,
    fix: &'static str,
}

pub(super) const RESTORE: &str = "restore it from version control, or delete it to record anew";

impl SnapshotError {
    pub(crate) fn new(problem: impl Into<String>, fix: &'static str) -> Self {
        Self(Box::new(Details {
            path: None,
            line: None,
            problem: problem.into(),
            fix,
        }))
    }

    /// For what only a hand or an accident can have done to the file.
    pub(super) fn damaged(problem: impl Into<String>) -> Self {
        Self::new(problem, RESTORE)
    }

    /// `line` is counted from 1.
    pub(super) fn at_line(mut self, line: usize) -> Self {
        self.0.line = Some(line);
        self
    }

    /// Says in which file.
    pub fn in_file(mut self, path: &Path) -> Self {
        self.0.path = Some(path.to_owned());
        self
    }

    /// The file, if the snapshot came from one.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// The line, counted from 1, if a single one is to blame.
    pub fn line(&self) -> Option<usize> {
        self.0.line
    }
}

/// `<path>, line <line>: <what is wrong>; <what to do>`.
impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details {
            path,
            line,
            problem,
            fix,
        } = &*self.0;
        match path {
            Some(path) => write!(f, "{}", path.display())?,
            None => f.write_str("snapshot")?,
        }
        if let Some(line) = line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {problem}; {fix}")
    }
}

impl std::error::Error for SnapshotError {}
