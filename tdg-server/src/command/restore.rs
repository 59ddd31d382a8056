//! `restore`: puts a backup in the place of an SQLite database.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tdg_service::Timestamp;

use super::{restored, to_text};
use crate::config::Config;
use crate::database::{self, COMPANIONS, DatabaseCopy, DatabaseUrl, RESTORING, sibling};

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
    let copy = DatabaseCopy::write(backup, sibling(file, RESTORING)).map_err(to_text)?;
    if let Some(aside) = replace(file, copy)? {
        println!("the previous database is now {}", aside.display());
    }
    restored::run(config).await
}

/// Moves the database and its companion files away, and the copy to its place. Returns the
/// database's new path, if there was one.
fn replace(file: &Path, copy: DatabaseCopy) -> Result<Option<PathBuf>, String> {
    // The time is in microseconds, so that earlier replaced files aren't overwritten.
    let aside = sibling(file, &format!(".before-{}", Timestamp::now().as_micros()));
    let was_there = moved(file, &aside)?;
    if let Err(error) = copy.rename(file) {
        if !file.exists() {
            moved(&aside, file)?;
        }
        return Err(failed(file, &error));
    }
    Ok(was_there.then_some(aside))
}

/// Moves a file if it exists. Returns true if it did.
fn moved(from: &Path, to: &Path) -> Result<bool, String> {
    let mut was_there = false;
    for end in [""].into_iter().chain(COMPANIONS) {
        let file = sibling(from, end);
        match fs::rename(&file, sibling(to, end)) {
            Ok(()) => was_there = true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(&file, &error)),
        }
    }
    Ok(was_there)
}

fn failed(file: &Path, error: &io::Error) -> String {
    format!("{} can't be replaced: {error}", file.display())
}
