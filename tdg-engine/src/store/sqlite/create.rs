//! Creates the database exactly once, even if many processes try at the same time.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use super::error::StoreProblem;
use super::lock::FileLock;
use super::schema;
use crate::store::{filesystem, journal};

/// Creates `file` in `directory`, or waits until another process has.
///
/// It is built under another name and renamed when complete, so that no process opens a partial
/// database or sees its journal mode change.
pub(super) fn create(directory: &Path, file: &Path, timeout: Duration) -> Result<(), StoreProblem> {
    let _lock = FileLock::wait(&directory.join("store.lock"), timeout)?;
    if file.try_exists()? {
        return Ok(());
    }
    // If only the database was deleted, its log must not be replayed into the new one.
    remove_with_logs(file)?;
    let unfinished = directory.join("store.db.new");
    remove_with_logs(&unfinished)?;
    build(directory, &unfinished)?;
    // The new database doesn't have the journals' benchmarks.
    journal::close_all(directory)?;
    Ok(fs::rename(&unfinished, file)?)
}

fn build(directory: &Path, unfinished: &Path) -> Result<(), StoreProblem> {
    let mut connection = Connection::open(unfinished)?;
    // Nothing can be lost before the rename, so it is synced once, at the end.
    connection.execute_batch("PRAGMA synchronous = OFF")?;
    schema::migrate(&mut connection)?;
    // The write-ahead log needs shared memory, which doesn't work across machines.
    if !filesystem::is_network(directory) {
        // The query returns the resulting mode. Any other mode is slower but correct.
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    }
    connection.close().map_err(|(_, error)| error)?;
    Ok(fs::File::options()
        .write(true)
        .open(unfinished)?
        .sync_all()?)
}

/// Returns true for the first bytes of a file that SQLite writes: the database, its two kinds of
/// log, and the shared memory of processes. A file that was only started may have zeros.
fn is_of_sqlite(begin: [u8; 16]) -> bool {
    let shared = 3_007_000_u32.to_ne_bytes();
    let begins: [&[u8]; 6] = [
        b"SQLite format 3\0",
        b"\x37\x7f\x06\x82",
        b"\x37\x7f\x06\x83",
        b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7",
        &shared,
        &[0; 16],
    ];
    begins.iter().any(|it| begin.starts_with(it))
}

/// Removes the files of a killed process, or the remains of a database that was removed.
fn remove_with_logs(database: &Path) -> Result<(), StoreProblem> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let mut path = database.as_os_str().to_owned();
        path.push(suffix);
        let mut begin = [0; 16];
        match fs::File::open(&path).and_then(|mut file| file.read(&mut begin)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            read => read?,
        };
        if !is_of_sqlite(begin) {
            return Err(StoreProblem::InTheWay(path.into()));
        }
        fs::remove_file(&path)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::store::{Store, StoreProblem, directory};
    use std::fs;

    #[test]
    fn only_files_of_sqlite_are_removed() {
        for name in ["store.db.new", "store.db.new-journal", "store.db-wal"] {
            let root = tempfile::tempdir().unwrap();
            directory::make(root.path()).unwrap();
            let file = root.path().join(name);
            fs::write(&file, "of somebody else").unwrap();
            let refused = Store::open(root.path()).unwrap_err().problem;
            assert!(matches!(refused, StoreProblem::InTheWay(path) if path == file));
            assert_eq!(fs::read_to_string(&file).unwrap(), "of somebody else");
            for begin in ["", "SQLite format 3\0 …", "\0\0\0\0"] {
                fs::write(&file, begin).unwrap();
                Store::open(root.path()).unwrap();
                fs::remove_file(root.path().join("store.db")).unwrap();
            }
        }
    }
}
