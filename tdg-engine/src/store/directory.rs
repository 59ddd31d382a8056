//! The directory of the local store. tdg only uses directories that it created.

use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::Path;

use super::filesystem::unless_gone;
use super::{MARK, StoreProblem};

/// The file with tdg's mark, which also makes git ignore the directory.
const MARKED: &str = ".gitignore";

/// Creates the directory and marks it as tdg's, unless that is already done.
///
/// # Errors
/// Same as [`is_made`].
pub(super) fn make(directory: &Path) -> Result<(), StoreProblem> {
    if is_made(directory)? {
        return Ok(());
    }
    fs::create_dir_all(directory)?;
    // Processes that start at the same time may all write it.
    let mut options = OpenOptions::new();
    let mut file = options
        .append(true)
        .create(true)
        .open(directory.join(MARKED))?;
    if file.metadata()?.len() == 0 {
        file.write_all(format!("{MARK}\n*\n").as_bytes())?;
    }
    Ok(())
}

/// Returns true if tdg created the directory; false if it is missing or empty.
///
/// # Errors
/// If it belongs to something else, or a file of the store would be reached through a link.
pub(super) fn is_made(directory: &Path) -> Result<bool, StoreProblem> {
    refuse_link(directory)?;
    let Some(entries) = unless_gone(fs::read_dir(directory))? else {
        return Ok(false);
    };
    let mut is_empty = true;
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_symlink() && is_own(&entry.file_name()) {
            return Err(StoreProblem::Link(entry.path()));
        }
        is_empty &= entry.file_name() == MARKED;
    }
    // The mark is read last: a process that adds other files has written it before.
    let mut start = Vec::new();
    if let Some(file) = unless_gone(fs::File::open(directory.join(MARKED)))? {
        file.take(MARK.len() as u64).read_to_end(&mut start)?;
    }
    match is_empty && start.is_empty() {
        _ if start == MARK.as_bytes() => Ok(true),
        true => Ok(false),
        false => Err(StoreProblem::Unmarked),
    }
}

/// Refuses a link in place of the directory.
pub(super) fn refuse_link(directory: &Path) -> Result<(), StoreProblem> {
    match fs::symlink_metadata(directory) {
        Ok(found) if found.is_symlink() => Err(StoreProblem::Link(directory.to_owned())),
        _ => Ok(()),
    }
}

/// Returns true if the store uses a file of that name.
fn is_own(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else {
        return false;
    };
    name.starts_with("store.") || [MARKED, "running", "runs"].contains(&name)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_directory_that_is_absent_or_empty_is_made_once() {
        let root = tempfile::tempdir().unwrap();
        let absent = root.path().join("a/b");
        for directory in [root.path(), &absent] {
            assert!(!is_made(directory).unwrap());
            make(directory).unwrap();
            assert!(is_made(directory).unwrap());
            make(directory).unwrap();
            let marked = fs::read_to_string(directory.join(MARKED)).unwrap();
            assert_eq!(marked, "# The local store of tdg.\n*\n");
            fs::remove_file(directory.join(MARKED)).unwrap();
        }
        // As if a process was killed before it wrote the mark.
        fs::write(absent.join(MARKED), "").unwrap();
        make(&absent).unwrap();
        // git may convert line endings.
        fs::write(absent.join(MARKED), "# The local store of tdg.\r\n*\r\n").unwrap();
        fs::write(absent.join("notes.txt"), "").unwrap();
        assert!(is_made(&absent).unwrap());
    }

    #[test]
    fn a_foreign_directory_is_refused_and_left_alone() {
        for (name, text) in [
            ("runs", ""),
            ("store.db", ""),
            (MARKED, "*\n"),
            (MARKED, "# The"),
        ] {
            let root = tempfile::tempdir().unwrap();
            fs::write(root.path().join(name), text).unwrap();
            for refused in [make(root.path()), is_made(root.path()).map(drop)] {
                assert!(
                    matches!(refused, Err(StoreProblem::Unmarked)),
                    "{name}: {refused:?}"
                );
            }
            assert_eq!(names(root.path()), [name]);
            assert_eq!(fs::read_to_string(root.path().join(name)).unwrap(), text);
        }
    }

    #[cfg(unix)]
    #[test]
    fn no_file_of_the_store_is_where_a_link_leads() {
        use std::os::unix::fs::symlink;

        let root = tempfile::tempdir().unwrap();
        let (store, link) = (root.path().join("store"), root.path().join("link"));
        make(&store).unwrap();
        symlink(&store, &link).unwrap();
        assert!(matches!(make(&link), Err(StoreProblem::Link(at)) if at == link));
        for name in ["running", "runs", "store.db", "store.db-wal", "store.lock"] {
            let link = store.join(name);
            symlink(root.path().join("nowhere"), &link).unwrap();
            assert!(matches!(make(&store), Err(StoreProblem::Link(at)) if at == link));
            fs::remove_file(link).unwrap();
        }
        symlink(root.path().join("nowhere"), store.join("notes.txt")).unwrap();
        assert!(is_made(&store).unwrap());
    }

    #[test]
    fn all_that_begin_at_once_make_it() {
        for _ in 0..50 {
            let root = tempfile::tempdir().unwrap();
            let directory = root.path().join(".tdg");
            thread::scope(|scope| {
                for number in 0..8 {
                    let directory = &directory;
                    scope.spawn(move || {
                        make(directory).unwrap();
                        fs::write(directory.join(format!("store.{number}")), "").unwrap();
                    });
                }
            });
            assert_eq!(names(&directory).len(), 9);
        }
    }
}
