//! What the server keeps beside the tables of the store.

use super::error::DbResult;
use super::tables;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};

// hash: of the key, 32 bytes. Times are microseconds since 1970 UTC. gzip: `{"vectors":…}`.
const TABLES: &str = "
CREATE TABLE IF NOT EXISTS account (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
CREATE TABLE IF NOT EXISTS api_key (
    prefix TEXT PRIMARY KEY,
    hash BLOB NOT NULL,
    account INTEGER NOT NULL REFERENCES account,
    name TEXT NOT NULL,
    scopes INTEGER NOT NULL,
    added INTEGER NOT NULL,
    expires INTEGER,
    revoked INTEGER
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS packed_rows (
    ensemble INTEGER PRIMARY KEY REFERENCES ensemble ON DELETE CASCADE,
    gzip BLOB NOT NULL
);
";

/// Brings the tables up to date.
pub(super) fn prepare(connection: &mut Connection) -> DbResult<()> {
    tables::migrate(connection)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(TABLES)?;
    Ok(transaction.commit()?)
}
