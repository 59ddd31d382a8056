//! The error for a snapshot file that can't be read.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

/// An error in a snapshot file, with its location and the fix.
#[derive(Debug)]
pub struct SnapshotError(Box<FileErrorDetails>);

#[derive(Debug)]
struct FileErrorDetails {
    path: Option<PathBuf>,
    line: Option<usize>,
    problem: String,
    fix: &'static str,
    cause: Option<Box<dyn Error + Send + Sync>>,
}

pub(super) const RESTORE: &str = "restore it from version control, or delete it to record again";

impl SnapshotError {
    pub(crate) fn new(problem: impl Into<String>, fix: &'static str) -> Self {
        Self(Box::new(FileErrorDetails {
            path: None,
            line: None,
            problem: problem.into(),
            fix,
            cause: None,
        }))
    }

    /// An error for a file damaged by hand or by accident.
    pub(super) fn damaged(problem: impl Into<String>) -> Self {
        Self::new(problem, RESTORE)
    }

    /// Sets the cause; the message already contains its text.
    pub(super) fn caused_by(mut self, cause: impl Error + Send + Sync + 'static) -> Self {
        self.0.cause = Some(Box::new(cause));
        self
    }

    /// Sets the line, counted from 1.
    pub(super) fn at_line(mut self, line: usize) -> Self {
        self.0.line = Some(line);
        self
    }

    /// Sets the file.
    pub fn in_file(mut self, path: &Path) -> Self {
        self.0.path = Some(path.to_owned());
        self
    }

    /// Returns the file, if the snapshot came from one.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// Returns the line, counted from 1, if the error is in a single one.
    pub fn line(&self) -> Option<usize> {
        self.0.line
    }
}

/// Writes `<path>, line <line>: <problem>; <fix>`.
impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FileErrorDetails {
            path,
            line,
            problem,
            fix,
            cause: _,
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

impl Error for SnapshotError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.cause.as_deref().map(|cause| cause as _)
    }
}
