//! Queries to the `git` command.

mod base;
mod conflicts;

use std::io::{Seek as _, Write as _};
use std::path::Path;
use std::process::Command;

use crate::error::{Context as _, Error, Result};

pub(crate) use base::{Base, ChangedFile};
pub(crate) use conflicts::{Sides, Unmerged, Versions};

/// Returns the hash of the commit that a revision names.
pub(crate) fn commit(directory: &Path, revision: &str) -> Result<String> {
    let wanted = format!("{revision}^{{commit}}");
    let arguments = [
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        &wanted,
    ];
    let found = git(directory, &arguments).map_err(|_| {
        let hint = shallow(directory).unwrap_or("run `git fetch` if it is on a remote");
        Error::new(format!("unknown revision `{revision}`; {hint}"))
    })?;
    Ok(found.trim().to_owned())
}

/// Suggests how to fetch the rest of the history, if this clone is shallow.
pub(crate) fn shallow(directory: &Path) -> Option<&'static str> {
    let answer = git(directory, &["rev-parse", "--is-shallow-repository"]).ok()?;
    (answer.trim() == "true").then_some(
        "this clone has only the newest commits: write `fetch-depth: 0` below `uses: \
         actions/checkout` on GitHub, `GIT_DEPTH: 0` on GitLab, or run `git fetch --unshallow`",
    )
}

/// Reads the contents of objects, in order, with a single process.
pub(crate) fn blobs<'o>(
    directory: &Path,
    objects: impl Iterator<Item = &'o str>,
) -> Result<Vec<Vec<u8>>> {
    // Uses a file, since git starts writing before it has read all of a pipe.
    let mut names = tempfile::tempfile()?;
    for object in objects {
        writeln!(names, "{object}")?;
    }
    names.rewind()?;
    let mut command = Command::new("git");
    command.current_dir(directory).args(["cat-file", "--batch"]);
    let answer = bytes(command.stdin(names))?;
    let (mut rest, mut blobs) = (answer.as_slice(), Vec::new());
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        // <object> <type> <size>
        let head = String::from_utf8_lossy(&rest[..end]);
        let size = head.split(' ').nth(2).and_then(|size| size.parse().ok());
        let blob = size.and_then(|size: usize| rest.get(end + 1..)?.split_at_checked(size));
        let Some((blob, after)) = blob else {
            return Err(Error::new(format!("git: {head}; run `git fsck`")));
        };
        blobs.push(blob.to_owned());
        rest = after.get(1..).unwrap_or_default();
    }
    Ok(blobs)
}

/// Returns the time of a commit, in seconds since 1970.
pub(crate) fn commit_time(directory: &Path, revision: &str) -> Result<i64> {
    let arguments = [
        "log",
        "-1",
        "--format=%ct",
        "--end-of-options",
        revision,
        "--",
    ];
    Ok(git(directory, &arguments)?.trim().parse()?)
}

/// Runs git and returns its output.
pub(crate) fn git(directory: &Path, arguments: &[&str]) -> Result<String> {
    output(Command::new("git").current_dir(directory).args(arguments))
}

/// Runs git with another index file and returns its output.
pub(crate) fn git_with_index(directory: &Path, arguments: &[&str], index: &Path) -> Result<String> {
    let mut command = Command::new("git");
    command
        .env("GIT_INDEX_FILE", index)
        .env("GIT_LFS_SKIP_SMUDGE", "1");
    output(command.current_dir(directory).args(arguments))
}

fn output(command: &mut Command) -> Result<String> {
    Ok(String::from_utf8(bytes(command)?)?)
}

fn bytes(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.output().context("can't run git")?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(Error::new(format!("git: {}", stderr.trim())));
    }
    Ok(output.stdout)
}
