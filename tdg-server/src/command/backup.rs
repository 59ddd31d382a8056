//! `backup`: copies an SQLite database while a server uses it.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};

use crate::config::Config;
use crate::database::{DatabaseCopy, DatabaseUrl, remove_companions, sibling};

pub(super) fn backup(config: &Config, backup: &Path) -> Result<()> {
    let DatabaseUrl::Sqlite(file) = &config.database else {
        bail!("`backup` copies an SQLite file: for PostgreSQL, use pg_dump or pg_basebackup");
    };
    let name = backup.display();
    let refuse_existing = || match backup.exists() {
        true => Err(anyhow!("{name} exists: name a file that does not")),
        false => Ok(()),
    };
    refuse_existing()?;
    let copy = DatabaseCopy::write(file, sibling(backup, ".part"))?;
    // Another backup to this file may have finished first.
    refuse_existing()?;
    remove_companions(backup);
    let renamed = copy.rename(backup);
    renamed.with_context(|| format!("{name} can't be written"))
}
