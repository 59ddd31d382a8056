//! The destination of a command's result.

use std::path::{Path, PathBuf};

use clap::Args;
use tdg_engine::snapshot;

use crate::error::{Error, Result};
use crate::terminal::print_raw;

/// The options that say where a command writes its result.
#[derive(Args, Debug)]
pub(crate) struct Output {
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite the file if it exists
    #[arg(long, requires = "output")]
    force: bool,
}

impl Output {
    /// The output file, if given.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// Writes the result.
    ///
    /// # Errors
    /// Fails if the file exists and must not be overwritten.
    pub(crate) fn write(&self, text: &str) -> Result<()> {
        let Some(file) = &self.output else {
            return print_raw(text.as_bytes());
        };
        check_absent(file, self.force)?;
        Ok(snapshot::save(file, text)?)
    }
}

/// Fails if the file exists, unless it may be overwritten.
pub(crate) fn check_absent(file: &Path, force: bool) -> Result<()> {
    if !force && file.symlink_metadata().is_ok() {
        return Err(Error::new(format!(
            "{} already exists; add --force to overwrite it, or write to another file",
            file.display()
        )));
    }
    Ok(())
}
