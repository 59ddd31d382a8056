//! Temporary files next to their final path, so that a file is either complete or absent.

use std::fs::{self, DirEntry, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::process_id;

/// Names that cargo-insta ignores, and that don't look like something to commit.
const PREFIX: &str = ".tdg-";
const SUFFIX: &str = ".tmp";

/// No write takes this long: an older file was left behind by a killed process.
const ABANDONED_AFTER: Duration = Duration::from_secs(60 * 60);

/// Creates a file in the folder of the final one, since a rename can't cross file systems.
pub(crate) fn create(folder: &Path) -> io::Result<(File, PathBuf)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    loop {
        let count = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{PREFIX}{}-{count}{SUFFIX}", process_id()));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            // Left behind by an earlier process with this id, or by one in another container.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(file) => return Ok((file, path)),
        }
    }
}

/// Removes the file if a killed process left it behind. Errors are ignored.
pub(crate) fn remove_abandoned(entry: &DirEntry) {
    let is_abandoned = || {
        let file = entry.metadata().ok().filter(|it| it.is_file())?;
        Some(file.modified().ok()?.elapsed().ok()? > ABANDONED_AFTER)
    };
    if entry.file_name().to_str().is_some_and(is_name) && is_abandoned() == Some(true) {
        let _ = fs::remove_file(entry.path());
    }
}

/// Returns true if [`create`] generates names like this one.
fn is_name(name: &str) -> bool {
    let ids = name
        .strip_prefix(PREFIX)
        .and_then(|it| it.strip_suffix(SUFFIX));
    ids.and_then(|ids| ids.split_once('-'))
        .is_some_and(|(process, count)| is_number(process) && is_number(count))
}

pub(crate) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_taken_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (_, first) = create(folder.path()).unwrap();
        let name = first.file_name().unwrap().to_str().unwrap();
        assert!(is_name(name));
        let count = name
            .strip_suffix(SUFFIX)
            .unwrap()
            .rsplit('-')
            .next()
            .unwrap();
        let count: u64 = count.parse().unwrap();
        for count in count..count + 50 {
            let name = format!("{PREFIX}{}-{count}{SUFFIX}", process_id());
            fs::write(folder.path().join(name), "half").unwrap();
        }
        let (_, next) = create(folder.path()).unwrap();
        assert_eq!(fs::read_to_string(next).unwrap(), "");
        assert_eq!(fs::read_to_string(first).unwrap(), "half");
    }
}
