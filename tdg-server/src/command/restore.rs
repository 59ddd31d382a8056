//! `restore`: puts a backup in the place of an SQLite database.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tdg_service::Timestamp;

use super::{restored, to_text};
use crate::config::Config;
use crate::database::{self, DatabaseUrl};

/// The files of a database: itself, and what SQLite has beside it.
const FILES: [&str; 3] = ["", "-wal", "-shm"];

pub(super) async fn run(config: &Config, backup: &Path) -> Result<(), String> {
    let DatabaseUrl::Sqlite(file) = &config.database else {
        return Err(
            "`restore` replaces an SQLite file: for PostgreSQL, use its own programs, and then \
             `restored`"
                .to_owned(),
        );
    };
    if !backup.is_file() {
        return Err(format!("there is no backup {}", backup.display()));
    }
    let _lock = database::reserve(&config.database).map_err(to_text)?;
    let copy = beside(file, ".restoring");
    // Of a restoration that was interrupted.
    let _ = fs::remove_file(&copy);
    let copied = database::copy_sqlite(backup, &copy).map_err(to_text);
    let copied = copied.and_then(|()| synced(&copy).map_err(|error| failed(&copy, &error)));
    let replaced = copied.and_then(|()| replace(file, &copy));
    if replaced.is_err() {
        let _ = fs::remove_file(&copy);
    }
    if let Some(aside) = replaced? {
        println!("what was there is now {}", aside.display());
    }
    restored::run(config).await
}

/// Moves the database away, with all that belongs to it, and the copy to its place. Returns where
/// it is now, if there was one.
fn replace(file: &Path, copy: &Path) -> Result<Option<PathBuf>, String> {
    // To the microsecond: what was replaced before stays as it is.
    let aside = beside(file, &format!(".before-{}", Timestamp::now().as_micros()));
    let was_there = moved(file, &aside)?;
    if let Err(error) = fs::rename(copy, file) {
        moved(&aside, file)?;
        return Err(failed(file, &error));
    }
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
    synced(folder.unwrap_or(Path::new("."))).map_err(|error| failed(file, &error))?;
    Ok(was_there.then_some(aside))
}

/// Whether there was a database to move.
fn moved(from: &Path, to: &Path) -> Result<bool, String> {
    let mut was_there = false;
    for end in FILES {
        let file = beside(from, end);
        match fs::rename(&file, beside(to, end)) {
            Ok(()) => was_there = true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(&file, &error)),
        }
    }
    Ok(was_there)
}

/// Waits until it is on the disk.
fn synced(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

fn failed(file: &Path, error: &io::Error) -> String {
    format!("{} can't be replaced: {error}", file.display())
}

/// A file whose name begins alike.
fn beside(file: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(end);
    PathBuf::from(name)
}
