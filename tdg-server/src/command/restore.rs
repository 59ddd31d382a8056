//! `restore`: puts a backup in the place of an SQLite database.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tdg_service::Timestamp;

use super::restored;
use crate::config::Config;
use crate::database::{self, COMPANIONS, DatabaseCopy, DatabaseUrl, RESTORING, sibling};

pub(super) async fn run(config: &Config, backup: &Path) -> Result<()> {
    let DatabaseUrl::Sqlite(file) = &config.database else {
        bail!(
            "`restore` replaces an SQLite file: for PostgreSQL, use its own programs, and then \
             `restored`"
        );
    };
    if !backup.is_file() {
        bail!("there is no backup {}", backup.display());
    }
    let _lock = database::reserve(&config.database)?;
    let copy = DatabaseCopy::write(backup, sibling(file, RESTORING))?;
    if let Some(aside) = replace(file, copy)? {
        println!("the previous database is now {}", aside.display());
    }
    restored::run(config).await
}

/// Moves the database and its companion files away, and the copy to its place. Returns the
/// database's new path, if there was one.
fn replace(file: &Path, copy: DatabaseCopy) -> Result<Option<PathBuf>> {
    // The time is in microseconds, so that earlier replaced files aren't overwritten.
    let aside = sibling(file, &format!(".before-{}", Timestamp::now().as_micros()));
    let was_there = moved(file, &aside)?;
    if let Err(error) = copy.rename(file) {
        if !file.exists() {
            moved(&aside, file)?;
        }
        return Err(error).with_context(|| failed(file));
    }
    Ok(was_there.then_some(aside))
}

/// Moves a file if it exists. Returns true if it did.
fn moved(from: &Path, to: &Path) -> Result<bool> {
    let mut was_there = false;
    for end in [""].into_iter().chain(COMPANIONS) {
        let file = sibling(from, end);
        match fs::rename(&file, sibling(to, end)) {
            Ok(()) => was_there = true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| failed(&file)),
        }
    }
    Ok(was_there)
}

fn failed(file: &Path) -> String {
    format!("{} can't be replaced", file.display())
}
