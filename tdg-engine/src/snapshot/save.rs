//! Files written whole or not at all.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::process_id::process_id;

/// Names that cargo-insta ignores, and that don't look like something to commit.
const TEMPORARY_PREFIX: &str = ".tdg-";
const TEMPORARY_SUFFIX: &str = ".tmp";

/// No save takes this long: an older temporary file was left by a killed process.
const ABANDONED_AFTER: Duration = Duration::from_secs(60 * 60);

/// Replaces the text of the file atomically; creates its folder.
///
/// # Errors
///
/// If the file can't be written. It is then unchanged, and no other file is left behind.
pub fn save(path: &Path, text: &str) -> Result<(), SaveError> {
    let failed = |source| SaveError {
        path: path.to_owned(),
        removing: false,
        source,
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(failed)?;
    remove_abandoned(folder);
    let (mut file, temporary) = create_temporary(folder).map_err(failed)?;
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| file.sync_all());
    // Windows can't rename an open file.
    drop(file);
    written
        .and_then(|()| fs::rename(&temporary, path))
        .map_err(|source| {
            // The first error is the one to report.
            let _ = fs::remove_file(&temporary);
            failed(source)
        })
}

/// Removes the file, and returns whether it existed.
///
/// # Errors
///
/// If the file exists and can't be removed.
pub fn remove(path: &Path) -> Result<bool, SaveError> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        // Not by the kind of error: a read-only file system refuses before it looks for the file.
        Err(_) if !path.exists() => Ok(false),
        Err(source) => Err(SaveError {
            path: path.to_owned(),
            removing: true,
            source,
        }),
    }
}

/// In the folder of the final file, because a rename can't cross file systems.
fn create_temporary(folder: &Path) -> io::Result<(File, PathBuf)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    loop {
        let count = COUNTER.fetch_add(1, Ordering::Relaxed);
        let name = format!(
            "{TEMPORARY_PREFIX}{}-{count}{TEMPORARY_SUFFIX}",
            process_id()
        );
        let path = folder.join(name);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            // Left by an earlier process with this id, or by one in another container.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(file) => return Ok((file, path)),
        }
    }
}

/// Cleans up after killed processes, as far as possible: nothing depends on it.
fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_abandoned = || {
            let modified = entry.metadata().ok()?.modified().ok()?;
            Some(modified.elapsed().ok()? > ABANDONED_AFTER)
        };
        if is_temporary(&entry.file_name()) && is_abandoned() == Some(true) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_temporary(name: &OsString) -> bool {
    name.to_str()
        .is_some_and(|name| name.starts_with(TEMPORARY_PREFIX) && name.ends_with(TEMPORARY_SUFFIX))
}

/// A file could not be written or removed.
#[derive(Debug)]
pub struct SaveError {
    path: PathBuf,
    removing: bool,
    source: io::Error,
}

impl SaveError {
    /// The file that was to be written or removed.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            removing,
            source,
        } = self;
        let doing = if *removing { "removed" } else { "written" };
        write!(
            f,
            "{} can't be {doing} and is unchanged: {source}",
            path.display()
        )
    }
}

impl std::error::Error for SaveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_saved_file_is_all_there_is_in_its_new_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tests/snapshots/a__f.snap");
        save(&path, "one").unwrap();
        save(&path, "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(names(path.parent().unwrap()), ["a__f.snap"]);
    }

    #[test]
    fn concurrent_saves_leave_one_complete_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a__f.snap");
        std::thread::scope(|scope| {
            for letter in ["a", "b", "c", "d"] {
                let (path, text) = (&path, letter.repeat(100_000));
                scope.spawn(move || (0..10).for_each(|_| save(path, &text).unwrap()));
            }
        });
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, text[..1].repeat(100_000));
        assert_eq!(names(folder.path()), ["a__f.snap"]);
    }

    #[test]
    fn a_failed_save_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a__f.snap");
        fs::create_dir(&path).unwrap();
        let message = save(&path, "text").unwrap_err().to_string();
        let expected = format!("{} can't be written and is unchanged: ", path.display());
        assert!(message.starts_with(&expected), "{message}");
        assert_eq!(names(folder.path()), ["a__f.snap"]);
    }

    #[test]
    fn a_temporary_file_of_another_process_is_neither_used_nor_removed_until_it_is_old() {
        let folder = tempfile::tempdir().unwrap();
        let leftover = |name: &str| {
            let path = folder.path().join(name);
            fs::write(&path, "half").unwrap();
            path
        };
        let recent = leftover(".tdg-1-0.tmp");
        let old = leftover(".tdg-2-0.tmp");
        let foreign = leftover("old.tmp");
        let long_ago = SystemTime::now() - 2 * ABANDONED_AFTER;
        for path in [&old, &foreign] {
            File::options()
                .append(true)
                .open(path)
                .unwrap()
                .set_modified(long_ago)
                .unwrap();
        }
        save(&folder.path().join("a__f.snap"), "text").unwrap();
        assert_eq!(
            names(folder.path()),
            [".tdg-1-0.tmp", "a__f.snap", "old.tmp"]
        );
        assert_eq!(fs::read_to_string(recent).unwrap(), "half");
    }

    #[test]
    fn a_temporary_name_that_is_taken_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (_, first) = create_temporary(folder.path()).unwrap();
        let next: u64 = first
            .to_str()
            .unwrap()
            .rsplit('-')
            .next()
            .unwrap()
            .trim_end_matches(TEMPORARY_SUFFIX)
            .parse()
            .unwrap();
        for count in next..next + 50 {
            let name = format!(
                "{TEMPORARY_PREFIX}{}-{count}{TEMPORARY_SUFFIX}",
                process_id()
            );
            fs::write(folder.path().join(name), "half").unwrap();
        }
        save(&folder.path().join("a__f.snap"), "text").unwrap();
        assert_eq!(
            fs::read_to_string(folder.path().join("a__f.snap")).unwrap(),
            "text"
        );
        assert_eq!(fs::read_to_string(&first).unwrap(), "half");
    }

    #[test]
    fn removing_returns_whether_the_file_existed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a__f.snap.new");
        save(&path, "text").unwrap();
        assert!(remove(&path).unwrap());
        assert!(!remove(&path).unwrap());
        assert!(
            remove(folder.path())
                .unwrap_err()
                .to_string()
                .contains("can't be removed")
        );
    }

    #[test]
    fn a_missing_file_is_removed_whatever_the_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a__f.snap");
        save(&file, "text").unwrap();
        assert!(!remove(&file.join("not a directory")).unwrap());
    }
}
