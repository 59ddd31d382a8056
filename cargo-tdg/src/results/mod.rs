//! The results of the last `cargo tdg test`: one line of JSON for each run, written by the tests.

mod circumstances;
mod remark;
#[cfg(test)]
pub(crate) mod sample;
mod unclaimed_benchmarks;

use std::fs::{self, DirEntry, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, BufRead as _, BufReader};
use std::mem;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use tdg_definition::json;
use tdg_engine::results::{self, RUNS};
use tdg_engine::snapshot;

use crate::error::{Context as _, Error, Result};
use crate::workspace::Workspace;

pub(crate) use circumstances::Circumstances;
pub(crate) use remark::Remark;
pub(crate) use tdg_engine::results::{TestRun, VARIABLE};
pub(crate) use unclaimed_benchmarks::{Unclaimed, unclaimed};

/// Returns the directory of the results: `TDG_RESULTS`, or else this workspace's directory in
/// cargo's target directory, which several workspaces can share.
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

/// Creates the directory, or removes the results of the last run from it. Other files stay.
///
/// # Errors
/// Also fails if an unrelated file has the name of the results.
pub(crate) fn clear(directory: &Path) -> Result<()> {
    fs::create_dir_all(directory).context(directory.display())?;
    for entry in fs::read_dir(directory).context(directory.display())? {
        let entry = entry?;
        let (name, path) = (entry.file_name(), entry.path());
        if name == RUNS && !is_runs(&entry).context(path.display())? {
            return Err(Error::new(format!(
                "{} was not written by the tests of `cargo tdg test`; set TDG_RESULTS to another \
                 directory",
                path.display()
            )));
        }
        if name == RUNS {
            fs::remove_file(&path).context(path.display())?;
        } else if name.to_str().is_some_and(results::is_outputs) {
            snapshot::remove(&path)?;
        }
    }
    Ok(())
}

/// Returns true if a file has test results of any version.
fn is_runs(entry: &DirEntry) -> io::Result<bool> {
    if !entry.file_type()?.is_file() {
        return Ok(false);
    }
    let mut first = String::new();
    BufReader::new(File::open(entry.path())?).read_line(&mut first)?;
    let run = json::parse(&first).ok();
    let is_run = run.is_some_and(|run| run.get("test").is_some() && run.get("verdict").is_some());
    Ok(is_run || first.is_empty())
}

/// Reads the results of the last run, sorted by package, source file and name. Each test has its
/// last attempt, or its start if it did not end. Returns `None` if there was no run.
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
            run.failed_before = retry.report.take().or(retry.failed_before.take());
            if run.report.is_none() {
                run.finding = retry.finding.take();
            }
        }
        is_retry
    });
    Ok(Some(runs))
}

/// Returns when the last test reported, in microseconds since 1970 UTC.
pub(crate) fn ended(directory: &Path) -> Option<i64> {
    let written = fs::metadata(directory.join(RUNS)).ok()?.modified().ok()?;
    let since = written.duration_since(UNIX_EPOCH).ok()?;
    since.as_micros().try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SNAPSHOT: &str = "---\n---\n{\"tdg\":1}\n";

    #[test]
    fn only_results_of_tests_are_removed() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
        let run = "{\"test\":\"total\",\"verdict\":\"same\"}\n";
        for (name, text) in [(RUNS, run), ("1-0.snap", SNAPSHOT)] {
            write(name, text);
        }
        let others = [
            ("pricing__total.snap", SNAPSHOT),
            ("1-a.snap", SNAPSHOT),
            ("1-1.snap", "of somebody else"),
            ("notes.txt", ""),
        ];
        others.iter().for_each(|(name, text)| write(name, text));
        clear(directory.path()).unwrap();
        assert_eq!(
            fs::read_dir(directory.path()).unwrap().count(),
            others.len()
        );
        for (name, text) in others {
            let found = fs::read_to_string(directory.path().join(name)).unwrap();
            assert_eq!(found, text, "{name}");
        }
        write(RUNS, "{\"epoch\":7}\n");
        let error = clear(directory.path()).unwrap_err().to_string();
        assert!(
            error.ends_with("set TDG_RESULTS to another directory"),
            "{error}"
        );
        assert_eq!(
            fs::read_to_string(directory.path().join(RUNS)).unwrap(),
            "{\"epoch\":7}\n"
        );
    }
}
