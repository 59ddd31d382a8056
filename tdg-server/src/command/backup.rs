//! `backup`: copies an SQLite database while a server uses it.

use std::fs::File;
use std::path::Path;

use crate::config::Config;
use crate::database::{self, DatabaseUrl};

pub(super) fn backup(config: &Config, copy: &Path) -> Result<(), String> {
    let DatabaseUrl::Sqlite(file) = &config.database else {
        return Err(
            "`backup` copies an SQLite file: for PostgreSQL, use pg_dump or pg_basebackup"
                .to_owned(),
        );
    };
    // VACUUM INTO would write into an empty file, which may be somebody's who is doing the same.
    if copy.exists() {
        return Err(format!(
            "{} exists: name a file that does not",
            copy.display()
        ));
    }
    database::copy_sqlite(file, copy).map_err(|error| error.to_string())?;
    // SQLite does not wait until the copy is on the disk.
    let on_disk = File::open(copy).and_then(|file| file.sync_all());
    on_disk.map_err(|error| format!("{} can't be written: {error}", copy.display()))
}
