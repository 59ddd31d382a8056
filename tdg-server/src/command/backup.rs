//! `backup`: copies an SQLite database while a server uses it.

use std::fs::{self, File};
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
    let name = copy.display();
    if copy.exists() {
        return Err(format!("{name} exists: name a file that does not"));
    }
    let copied = database::copy_sqlite(file, copy).map_err(|error| error.to_string());
    // SQLite does not wait until the copy is on the disk.
    let on_disk = copied.and_then(|()| {
        let synced = File::open(copy).and_then(|file| file.sync_all());
        synced.map_err(|error| format!("{name} can't be written: {error}"))
    });
    if on_disk.is_err() {
        // A part of a database is no backup.
        let _ = fs::remove_file(copy);
    }
    on_disk
}
