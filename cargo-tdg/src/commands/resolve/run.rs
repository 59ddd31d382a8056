//! Runs one test as cargo would and returns its result.

use std::ffi::OsString;
use std::fs;

use tempfile::TempDir;

use crate::error::{Context as _, Error, Result};
use crate::record::RecordedTest;
use crate::results::{self, TestRun};
use crate::workspace::{Workspace, cargo_here};

/// The files that a run may write.
#[derive(Clone, Copy, Debug)]
pub(super) enum Writes {
    Nothing,
    /// Pending outputs.
    Pending,
}

/// Runs tests.
pub(super) struct ResolveRunner<'a> {
    /// The directory for the test's result.
    directory: TempDir,
    /// Additional arguments for cargo.
    arguments: &'a [OsString],
}

impl<'a> ResolveRunner<'a> {
    pub(super) fn new(workspace: &Workspace, arguments: &'a [OsString]) -> Result<Self> {
        let folder = workspace.target_directory.join("tdg");
        fs::create_dir_all(&folder).context(folder.display())?;
        // Workspaces can share a target directory.
        let directory = tempfile::Builder::new()
            .prefix("resolve-")
            .tempdir_in(folder)?;
        Ok(Self {
            directory,
            arguments,
        })
    }

    /// Runs a test and returns its result.
    ///
    /// # Errors
    /// Fails if the test doesn't run to its end.
    pub(super) fn run(&self, record: &RecordedTest, writes: Writes) -> Result<TestRun> {
        // A test with an explicit name is filtered by its function's name, which is unknown.
        let mut output = String::new();
        for filter in [Some(record.test.name.as_str()), None] {
            results::clear(self.directory.path())?;
            output = self.cargo(record, writes, filter)?;
            let runs = results::read(self.directory.path())?.unwrap_or_default();
            let is_it = |run: &TestRun| run.snapshot.as_deref() == record.file();
            if let Some(run) = runs.into_iter().find(is_it) {
                return Ok(run);
            }
        }
        Err(Error::new(format!(
            "{} did not run; fix what cargo reports first:\n{}",
            record.test,
            output.trim_end()
        )))
    }

    /// Runs cargo and returns its messages.
    fn cargo(&self, record: &RecordedTest, writes: Writes, filter: Option<&str>) -> Result<String> {
        let package = &record.test.package;
        let mut command = cargo_here(&["test", "--no-fail-fast", "--package", package]);
        command.args(self.arguments).args(filter);
        command
            .env(results::VARIABLE, self.directory.path())
            .env_remove("TDG_CASES")
            .env(
                "TDG_UPDATE",
                match writes {
                    Writes::Nothing => "no",
                    Writes::Pending => "new",
                },
            );
        let output = command.output().context("can't run cargo")?;
        Ok(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
