//! The results of the last `cargo tdg test`: one line of JSON for each run, written by the tests.

mod circumstances;
mod unclaimed;

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::mem;
use std::path::{Path, PathBuf};

use tdg_definition::json;
use tdg_engine::results::{self, RUNS};

use crate::error::{Context as _, Error, Result};
use crate::workspace::Workspace;

pub(crate) use circumstances::Circumstances;
pub(crate) use tdg_engine::results::{TestRun, VARIABLE};
pub(crate) use unclaimed::{Unclaimed, UnclaimedBenchmark, unclaimed};

/// The directory of the results: the variable's value, or else a directory of this workspace in
/// cargo's target directory, which workspaces can share.
pub(crate) fn directory(workspace: &Workspace) -> Result<PathBuf> {
    if let Some(directory) = results::directory() {
        // Absolute, since tests run in the directories of their packages.
        return Ok(std::path::absolute(directory)?);
    }
    let mut hasher = DefaultHasher::new();
    workspace.directory.hash(&mut hasher);
    let name = format!("results-{:016x}", hasher.finish());
    Ok(workspace.target_directory.join("tdg").join(name))
}

/// Creates the directory, or removes the results of the last run from it.
pub(crate) fn clear(directory: &Path) -> Result<()> {
    fs::create_dir_all(directory).context(directory.display())?;
    for entry in fs::read_dir(directory).context(directory.display())? {
        let path = entry?.path();
        let is_result = path.file_name().is_some_and(|name| name == RUNS)
            || path
                .extension()
                .is_some_and(|extension| extension == "snap");
        if is_result {
            fs::remove_file(&path).context(path.display())?;
        }
    }
    Ok(())
}

/// The results of the last run, by package, source file and name, each of its last attempt, and as
/// it began if it did not end; `None` if there was no run.
pub(crate) fn read(directory: &Path) -> Result<Option<Vec<TestRun>>> {
    let file = directory.join(RUNS);
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        // A run without ensemble tests writes nothing.
        Err(_) if directory.is_dir() => return Ok(Some(Vec::new())),
        Err(_) => return Ok(None),
    };
    let run = |line: &str| {
        let value = json::parse(line).context(file.display())?;
        TestRun::from_value(&value, directory).ok_or_else(|| {
            let file = file.display();
            Error::new(format!(
                "{file} was written by another version of tdg; run `cargo tdg test` again"
            ))
        })
    };
    let mut runs: Vec<TestRun> = Vec::new();
    for run in text.lines().map(run) {
        let run = run?;
        let is_start = |start: &TestRun| {
            !start.has_ended && (&start.test, start.attempt) == (&run.test, run.attempt)
        };
        if run.has_ended
            && let Some(start) = runs.iter().rposition(is_start)
        {
            runs.remove(start);
        }
        runs.push(run);
    }
    runs.sort_by(|one, other| (&one.test, one.attempt).cmp(&(&other.test, other.attempt)));
    runs.dedup_by(|retry, run| {
        let is_retry = retry.test == run.test && retry.attempt > run.attempt;
        if is_retry {
            mem::swap(retry, run);
        }
        is_retry
    });
    Ok(Some(runs))
}
