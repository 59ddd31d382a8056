//! The revision that a change is explained against.

use std::fs;
use std::path::Path;

use tdg_engine::Verdict;

use crate::error::{Context as _, Error, Result};
use crate::git::git;
use crate::record::RecordedTest;

/// The runs of a test's history to look at.
const RUNS: usize = 200;

/// Returns the revision that the benchmark is from: `HEAD`, if its benchmark is today's and the
/// sources have changed since; else the newest commit with a run that was the same; else the commit
/// that last changed the snapshot file.
pub(super) fn earlier_revision(record: &RecordedTest) -> Result<String> {
    let directory = &record.package.directory;
    git(directory, &["rev-parse", "--verify", "--quiet", "HEAD"])
        .context("finding the earlier sources needs a git repository with a commit")?;
    let file = record.file();
    if file.is_none_or(is_committed) && has_changed(directory)? {
        return Ok("HEAD".to_owned());
    }
    if let Some(commit) = last_same(record)? {
        return Ok(commit);
    }
    let written = file.map(|it| {
        let path = it.display().to_string();
        git(directory, &["log", "-1", "--format=%H", "--", &path])
    });
    match written.transpose()?.map(|it| it.trim().to_owned()) {
        Some(commit) if !commit.is_empty() => Ok(commit),
        _ => Err(Error::new(format!(
            "the commit with the benchmark of {} is unknown; name one: `cargo tdg why {} --from \
             REVISION`",
            record.test, record.test
        ))),
    }
}

/// Returns true if the file is as in `HEAD`.
fn is_committed(file: &Path) -> bool {
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else {
        return false;
    };
    let object = format!("HEAD:./{}", name.to_string_lossy());
    let committed = git(folder, &["show", &object]);
    committed.is_ok_and(|it| fs::read_to_string(file).is_ok_and(|now| now == it))
}

/// Returns true if a file other than a snapshot differs from `HEAD`.
fn has_changed(directory: &Path) -> Result<bool> {
    let status = git(directory, &["status", "--porcelain", "--", ":/"])?;
    let is_snapshot = |it: &str| it.ends_with(".snap") || it.ends_with(".snap.new");
    Ok(status.lines().any(|it| !is_snapshot(it)))
}

/// Returns the newest commit whose run had the benchmark's outputs, if it is in the repository.
fn last_same(record: &RecordedTest) -> Result<Option<String>> {
    let Some(store) = record.store()? else {
        return Ok(None);
    };
    let directory = &record.package.directory;
    let head = git(directory, &["rev-parse", "HEAD"])?;
    let runs = record.history(&store, RUNS)?.into_iter();
    let mut same = runs
        .filter(|it| it.verdict() == Verdict::Same)
        .filter_map(|it| {
            let facts = it.facts?;
            let is_dirty =
                facts.dirty == Some(true) || facts.checkout.commit.as_deref() == Some(head.trim());
            facts.checkout.commit.filter(|_| !is_dirty)
        });
    Ok(same.find(|it| git(directory, &["cat-file", "-e", it]).is_ok()))
}
