//! Atomic writes of files.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::temporary;

/// The line about the ensemble starts within this many bytes.
const HEAD: u64 = 64 * 1024;

/// Replaces the text of the file atomically and creates its folder.
///
/// # Errors
///
/// If the file can't be written. It is then unchanged, and no other file is left behind.
pub fn save(path: &Path, text: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), SaveError> {
    let failed = |source| SaveError {
        path: path.to_owned(),
        removing: false,
        source,
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(failed)?;
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.for_each(|entry| temporary::remove_abandoned(&entry));
    let (mut file, temporary) = temporary::create(folder).map_err(failed)?;
    let mut write = || {
        if let Ok(replaced) = fs::metadata(path) {
            // Some systems don't support permissions.
            let _ = file.set_permissions(replaced.permissions());
        }
        file.write_all(text.as_ref())?;
        file.sync_all()
    };
    let written = write();
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

/// Like [`save`], but only replaces snapshots.
///
/// # Errors
///
/// Same as [`save`]; also if the file isn't a snapshot.
pub fn replace(path: &Path, text: &str) -> Result<(), SaveError> {
    if is_snapshot(path).is_ok_and(|is_snapshot| !is_snapshot) {
        return Err(SaveError {
            path: path.to_owned(),
            removing: false,
            source: io::Error::other("it is not a snapshot of tdg; move it away"),
        });
    }
    save(path, text)
}

/// Removes a snapshot and returns true if there was one.
///
/// # Errors
///
/// If it exists and can't be removed.
pub fn remove(path: &Path) -> Result<bool, SaveError> {
    use io::ErrorKind::{NotADirectory, NotFound};
    match is_snapshot(path).and_then(|is_snapshot| match is_snapshot {
        true => fs::remove_file(path).map(|()| true),
        false => Ok(false),
    }) {
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(false),
        removed => removed.map_err(|source| SaveError {
            path: path.to_owned(),
            removing: true,
            source,
        }),
    }
}

/// Returns true if a file is a snapshot of tdg, even if it is damaged or in conflict. Other tools,
/// such as insta, use the same file names.
fn is_snapshot(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    let mut lines = head.split(|byte| *byte == b'\n');
    Ok(lines.any(|line| line.starts_with(b"{\"tdg\":")))
}

/// An error for a file that could not be written or removed.
#[derive(Debug)]
pub struct SaveError {
    path: PathBuf,
    removing: bool,
    source: io::Error,
}

impl SaveError {
    /// Returns the file that was to be written or removed.
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
    use std::time::{Duration, SystemTime};

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

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("total.rs");
        save(&path, "one").unwrap();
        let mode = || path.metadata().unwrap().permissions().mode() & 0o777;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
        save(&path, "two").unwrap();
        assert_eq!(mode(), 0o750);
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
        let foreign = [".tdg-notes.tmp", ".tdg-2-a.tmp", "old.tmp"].map(leftover);
        let long_ago = SystemTime::now() - Duration::from_secs(2 * 60 * 60);
        for path in [&old].into_iter().chain(&foreign) {
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
            [
                ".tdg-1-0.tmp",
                ".tdg-2-a.tmp",
                ".tdg-notes.tmp",
                "a__f.snap",
                "old.tmp"
            ]
        );
        assert_eq!(fs::read_to_string(recent).unwrap(), "half");
    }

    #[test]
    fn removing_returns_whether_the_file_existed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a__f.snap.new");
        save(&path, SNAPSHOT).unwrap();
        assert!(remove(&path).unwrap());
        assert!(!remove(&path).unwrap());
        assert!(
            remove(folder.path())
                .unwrap_err()
                .to_string()
                .contains("can't be removed")
        );
    }

    const SNAPSHOT: &str = "---\nexpression: f\n---\n{\"tdg\":1,\"size\":0}\n";

    #[test]
    fn a_file_of_another_tool_is_neither_replaced_nor_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a__f.snap.new");
        let of_insta = "---\nsource: src/lib.rs\nexpression: total\n---\n12\n";
        save(&path, of_insta).unwrap();
        assert!(!remove(&path).unwrap());
        let message = replace(&path, SNAPSHOT).unwrap_err().to_string();
        assert!(
            message.ends_with("it is not a snapshot of tdg; move it away"),
            "{message}"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), of_insta);
        // A snapshot of tdg is replaced in any state.
        let conflict = format!("<<<<<<< ours\r\n{SNAPSHOT}=======\r\n");
        fs::write(&path, conflict).unwrap();
        replace(&path, SNAPSHOT).unwrap();
        assert!(remove(&path).unwrap());
        replace(&path, SNAPSHOT).unwrap();
    }

    #[test]
    fn a_missing_file_counts_as_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a__f.snap");
        save(&file, "text").unwrap();
        assert!(!remove(&file.join("not a directory")).unwrap());
    }
}
