//! The tables, and their migration from earlier formats.
//!
//! The formats of released versions count from 1.

use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};
use tdg_service::Uuid;

use crate::database::error::{DatabaseResult, SqliteFailure};

/// The application ID in the header of every server's database: "tdgd".
const APPLICATION_ID: i64 = 0x7464_6764;

/// The application ID of builds before the first release.
const UNRELEASED: i64 = 0x7464_6773;

/// The application ID of local stores of test runs.
const STORE: i64 = 0x7464_676c;

/// The migration to each format. `user_version` in the file counts the applied ones, so entries are
/// only ever added.
const MIGRATIONS: [&str; 5] = [FORMAT_1, FORMAT_2, FORMAT_3, FORMAT_4, FORMAT_5];

// Times are microseconds since 1970 UTC, identifiers 16 bytes. Every key begins with the account.
// Large values have separate tables or come last in their row, so that the columns before them are
// read without following their pages; `bytes` is the length of the large value that belongs to the
// row. Small rows are kept in the order of their key (WITHOUT ROWID).
//
// Foreign keys do not cascade: deleting an object removes the rows beneath it one table at a time.
// Assertions, outputs and rows have none, because they are deleted in parts, long after their owner
// (see `garbage`).
const FORMAT_1: &str = "
-- AUTOINCREMENT: an account never has the number of one that was deleted.
-- limits: the account's own, JSON.
CREATE TABLE account (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    limits TEXT
);

-- hash: of the key, 32 bytes. used: to the hour.
CREATE TABLE api_key (
    prefix TEXT PRIMARY KEY,
    hash BLOB NOT NULL,
    account INTEGER NOT NULL REFERENCES account,
    name TEXT NOT NULL,
    scopes INTEGER NOT NULL,
    added INTEGER NOT NULL,
    expires INTEGER,
    revoked INTEGER,
    used INTEGER
) WITHOUT ROWID;

CREATE TABLE project (
    account INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    added INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (account, uuid)
) WITHOUT ROWID;
CREATE INDEX project_by_time ON project (account, added, uuid);

-- identity, here and below: that of the content, once the project is synchronised. text: canonical
-- JSON.
CREATE TABLE definition (
    account INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    project BLOB NOT NULL,
    added INTEGER NOT NULL,
    identity BLOB,
    bytes INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (account, uuid),
    FOREIGN KEY (account, project) REFERENCES project (account, uuid)
);
CREATE INDEX definition_by_project ON definition (account, project, added, uuid);
CREATE INDEX definition_by_time ON definition (account, added, uuid);
CREATE INDEX definition_by_identity ON definition (account, identity);

-- seed: the 64 bits, as a signed integer.
CREATE TABLE ensemble (
    account INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    definition BLOB NOT NULL,
    added INTEGER NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    sampler_version INTEGER NOT NULL,
    digest TEXT NOT NULL,
    identity BLOB,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (account, uuid),
    FOREIGN KEY (account, definition) REFERENCES definition (account, uuid)
) WITHOUT ROWID;
CREATE INDEX ensemble_by_definition ON ensemble (account, definition, added, uuid);
CREATE INDEX ensemble_by_identity ON ensemble (account, identity);

-- gzip: {\"vectors\":…}.
CREATE TABLE packed_rows (
    account INTEGER NOT NULL,
    ensemble BLOB NOT NULL,
    gzip BLOB NOT NULL,
    PRIMARY KEY (account, ensemble)
);

-- changes: counts those of the history. kept_since: the time of the oldest assertion that was kept,
-- if any were pruned. policy: canonical JSON.
CREATE TABLE benchmark (
    account INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    ensemble BLOB NOT NULL,
    definition BLOB NOT NULL,
    added INTEGER NOT NULL,
    digest TEXT NOT NULL,
    identity BLOB,
    bytes INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    kept_since INTEGER,
    policy TEXT,
    PRIMARY KEY (account, uuid),
    FOREIGN KEY (account, ensemble) REFERENCES ensemble (account, uuid)
) WITHOUT ROWID;
CREATE INDEX benchmark_by_ensemble ON benchmark (account, ensemble, added, uuid);
CREATE INDEX benchmark_by_identity ON benchmark (account, identity);

-- text: canonical JSON.
CREATE TABLE outputs (
    account INTEGER NOT NULL,
    benchmark BLOB NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (account, benchmark)
);

-- run: what it tells of the run, JSON.
CREATE TABLE assertion (
    account INTEGER NOT NULL,
    benchmark BLOB NOT NULL,
    timestamp INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    asserted INTEGER NOT NULL,
    run TEXT,
    PRIMARY KEY (account, benchmark, timestamp, uuid)
) WITHOUT ROWID;

-- made: the uuid of the created object. made_at: the time of an assertion.
CREATE TABLE idempotency (
    account INTEGER NOT NULL,
    key TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    made BLOB NOT NULL,
    made_at INTEGER,
    added INTEGER NOT NULL,
    PRIMARY KEY (account, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_by_time ON idempotency (added);

-- An object that a request has deleted; what was beneath it has none.
CREATE TABLE tombstone (
    account INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    kind TEXT NOT NULL,
    deleted INTEGER NOT NULL,
    PRIMARY KEY (account, uuid)
) WITHOUT ROWID;

-- kind: the table whose rows are to be removed. uuid: their owner, which was deleted then.
CREATE TABLE garbage (
    account INTEGER NOT NULL,
    kind TEXT NOT NULL,
    uuid BLOB NOT NULL,
    deleted INTEGER NOT NULL,
    PRIMARY KEY (account, kind, uuid)
) WITHOUT ROWID;

-- account: 0 if there is none. key: its prefix. kind and object: what was changed.
CREATE TABLE audit (
    account INTEGER NOT NULL,
    at INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    key TEXT,
    address TEXT,
    action TEXT NOT NULL,
    kind TEXT,
    object BLOB,
    status INTEGER NOT NULL,
    request TEXT,
    PRIMARY KEY (account, at, uuid)
) WITHOUT ROWID;

-- A record of synchronising is stored as it is, JSON. about: the object of a tombstone, the
-- tombstone of a revival.
CREATE TABLE record (
    account INTEGER NOT NULL,
    project BLOB NOT NULL,
    kind TEXT NOT NULL,
    uuid BLOB NOT NULL,
    about BLOB,
    body TEXT NOT NULL,
    PRIMARY KEY (account, project, kind, uuid)
) WITHOUT ROWID;
CREATE INDEX record_by_about ON record (account, about);

-- epoch: identifies the database; one that was restored from a backup is another.
CREATE TABLE server (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    epoch BLOB NOT NULL
);

-- Without figures, SQLite assumes that an account has ten objects of a kind, and reads them all.
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('definition', 'sqlite_autoindex_definition_1', '1000000 100000 1'),
    ('definition', 'definition_by_project', '1000000 100000 100 1 1'),
    ('definition', 'definition_by_time', '1000000 100000 1 1'),
    ('definition', 'definition_by_identity', '1000000 100000 1'),
    ('ensemble', 'sqlite_autoindex_ensemble_1', '1000000 100000 1'),
    ('ensemble', 'ensemble_by_definition', '1000000 100000 10 1 1'),
    ('ensemble', 'ensemble_by_identity', '1000000 100000 1'),
    ('benchmark', 'sqlite_autoindex_benchmark_1', '1000000 100000 1'),
    ('benchmark', 'benchmark_by_ensemble', '1000000 100000 10 1 1'),
    ('benchmark', 'benchmark_by_identity', '1000000 100000 1');
";

// Columns and indexes for pages: the runs and decisions of a test, and signed-in users.
const FORMAT_2: &str = "
ALTER TABLE assertion ADD COLUMN test BLOB;
UPDATE assertion SET test = unhex(replace(json_extract(run, '$.test'), '-', ''))
    WHERE run IS NOT NULL;
CREATE INDEX assertion_by_test ON assertion (account, test, timestamp, uuid)
    WHERE test IS NOT NULL;

ALTER TABLE record ADD COLUMN test BLOB;
UPDATE record SET test = unhex(replace(json_extract(body, '$.test'), '-', ''))
    WHERE kind = 'decision';
CREATE INDEX record_by_test ON record (account, test, uuid) WHERE test IS NOT NULL;

-- hash: of the identifier in the browser, 32 bytes. key: its prefix. used: to some minutes.
CREATE TABLE session (
    hash BLOB PRIMARY KEY,
    key TEXT NOT NULL,
    begun INTEGER NOT NULL,
    used INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX session_by_time ON session (begun);

-- Whoever could write could delete.
UPDATE api_key SET scopes = scopes + 8 WHERE scopes >= 4 AND scopes < 8;
";

const FORMAT_3: &str = "
-- branch: of the run, if it tells.
ALTER TABLE assertion ADD COLUMN branch TEXT;
UPDATE assertion SET branch = json_extract(run, '$.branch') WHERE run IS NOT NULL;
CREATE INDEX assertion_by_branch ON assertion (account, test, branch, timestamp, uuid)
    WHERE branch IS NOT NULL;

-- What was deleted and is kept, with the columns of the tables that it was in.
-- object: what a request has deleted, with all beneath it. key: its prefix.
CREATE TABLE deletion (
    account INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    object BLOB NOT NULL,
    kind TEXT NOT NULL,
    deleted INTEGER NOT NULL,
    key TEXT,
    address TEXT,
    PRIMARY KEY (account, uuid)
) WITHOUT ROWID;
CREATE INDEX deletion_by_time ON deletion (deleted);

CREATE TABLE deleted_project AS SELECT *, uuid AS deletion FROM project WHERE false;
CREATE TABLE deleted_definition AS SELECT *, uuid AS deletion FROM definition WHERE false;
CREATE TABLE deleted_ensemble AS SELECT *, uuid AS deletion FROM ensemble WHERE false;
CREATE TABLE deleted_benchmark AS SELECT *, uuid AS deletion FROM benchmark WHERE false;
CREATE TABLE deleted_record AS SELECT *, uuid AS deletion FROM record WHERE false;
CREATE UNIQUE INDEX deleted_project_by_deletion ON deleted_project (account, deletion, uuid);
CREATE UNIQUE INDEX deleted_definition_by_deletion ON deleted_definition (account, deletion, uuid);
CREATE UNIQUE INDEX deleted_ensemble_by_deletion ON deleted_ensemble (account, deletion, uuid);
CREATE UNIQUE INDEX deleted_benchmark_by_deletion ON deleted_benchmark (account, deletion, uuid);
CREATE UNIQUE INDEX deleted_record_by_deletion ON deleted_record (account, deletion, uuid, kind);
CREATE INDEX deleted_ensemble_by_uuid ON deleted_ensemble (account, uuid);
CREATE INDEX deleted_benchmark_by_uuid ON deleted_benchmark (account, uuid);

-- projects: those that the key is limited to, if it is: identifiers with commas between them.
ALTER TABLE api_key ADD COLUMN projects TEXT;

CREATE TABLE webhook (
    account INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    added INTEGER NOT NULL,
    PRIMARY KEY (account, uuid)
) WITHOUT ROWID;

-- A message for a webhook. body: JSON. due: when it is sent, or none if all attempts have failed.
-- error: why the last of them did.
CREATE TABLE delivery (
    account INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    webhook BLOB NOT NULL,
    body TEXT NOT NULL,
    added INTEGER NOT NULL,
    due INTEGER,
    attempts INTEGER NOT NULL,
    error TEXT,
    PRIMARY KEY (account, uuid)
) WITHOUT ROWID;
CREATE INDEX delivery_by_due ON delivery (due) WHERE due IS NOT NULL;
CREATE INDEX delivery_failed ON delivery (added) WHERE due IS NULL;

-- A device that asks to be let in. hash: of its code, 32 bytes. code: what a person types. key: the
-- prefix of the key that let it in.
CREATE TABLE login (
    hash BLOB PRIMARY KEY,
    uuid BLOB NOT NULL UNIQUE,
    code TEXT NOT NULL UNIQUE,
    client TEXT NOT NULL,
    address TEXT,
    begun INTEGER NOT NULL,
    key TEXT,
    denied INTEGER NOT NULL
) WITHOUT ROWID;
";

// Clocks that are ahead, people named by a proxy, and the parents of keys.
const FORMAT_4: &str = "
-- credible: of a run, its time or its arrival, whichever is earlier.
ALTER TABLE assertion ADD COLUMN credible INTEGER;
UPDATE assertion SET credible = timestamp WHERE test IS NOT NULL;
DROP INDEX assertion_by_test;
CREATE INDEX assertion_by_credible ON assertion (account, test, credible, uuid)
    WHERE test IS NOT NULL;

-- arrived: when a decision came that is dated later.
ALTER TABLE record ADD COLUMN arrived INTEGER;
ALTER TABLE deleted_record ADD COLUMN arrived INTEGER;

ALTER TABLE audit ADD COLUMN person TEXT;

-- let_in_by: the prefix of the key that let it in, if it came by a page.
ALTER TABLE api_key ADD COLUMN let_in_by TEXT;

-- network: of the address. session: the hash of the one that typed the code last.
ALTER TABLE login ADD COLUMN network TEXT;
ALTER TABLE login ADD COLUMN session BLOB;
";

// Pauses of webhooks, and the bytes of deletions.
const FORMAT_5: &str = "
-- paused: until then, nothing is sent. failures: the attempts that have failed one after the other.
ALTER TABLE webhook ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhook ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
CREATE INDEX delivery_by_webhook ON delivery (account, webhook, uuid) WHERE due IS NOT NULL;

DROP INDEX assertion_by_branch;
CREATE INDEX assertion_by_branch ON assertion (account, test, branch, credible, uuid)
    WHERE branch IS NOT NULL;

-- bytes: of what it keeps, once they are counted.
ALTER TABLE deletion ADD COLUMN bytes INTEGER;
CREATE INDEX deletion_uncounted ON deletion (account, uuid) WHERE bytes IS NULL;
";

/// Creates the tables or brings them up to date. Returns true if the database is new. Current
/// tables take a few reads and no lock.
pub(super) fn prepare(connection: &mut Connection) -> DatabaseResult<bool> {
    apply(connection, &MIGRATIONS)
}

/// Fails if this isn't a server's database of the current or an earlier format.
pub(super) fn check(connection: &Connection) -> DatabaseResult<()> {
    match applied_of(connection, MIGRATIONS.len())? {
        0 => Err(SqliteFailure::Empty.into()),
        _ => Ok(()),
    }
}

fn apply(connection: &mut Connection, migrations: &[&str]) -> DatabaseResult<bool> {
    let format = migrations.len();
    if applied_of(connection, format)? == format {
        return Ok(false);
    }
    // Otherwise, dropping a table would delete the rows that refer to it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, false)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have migrated while this one waited for the lock.
    let applied = applied_of(&transaction, format)?;
    for migration in &migrations[applied..] {
        transaction.execute_batch(migration)?;
    }
    let epoch = Uuid::new_v4();
    let sql = "INSERT OR IGNORE INTO server (id, epoch) VALUES (1, ?1)";
    transaction.execute(sql, [epoch.as_bytes()])?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", format as i64)?;
    transaction.commit()?;
    Ok(applied == 0)
}

/// Returns the number of applied migrations, at most `most`.
fn applied_of(connection: &Connection, most: usize) -> DatabaseResult<usize> {
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    // The order matters: another process that creates the tables writes all of this at once.
    let is_empty = number("SELECT count(*) FROM sqlite_schema")? == 0;
    let found = number("PRAGMA user_version")?;
    match (number("PRAGMA application_id")?, usize::try_from(found)) {
        (APPLICATION_ID, Ok(applied)) if applied <= most => Ok(applied),
        (APPLICATION_ID, _) => Err(SqliteFailure::Newer {
            found,
            supported: most as i64,
        }
        .into()),
        (0, Ok(0)) if is_empty => Ok(0),
        (UNRELEASED, _) => Err(SqliteFailure::Unreleased.into()),
        (STORE, _) => Err(SqliteFailure::Store.into()),
        _ => Err(SqliteFailure::Foreign.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::open;
    use super::*;

    #[test]
    fn a_database_of_an_earlier_format_is_migrated_once() {
        let mut database = Connection::open_in_memory().unwrap();
        assert!(apply(&mut database, &[FORMAT_1]).unwrap());
        let of_test = r#"{"test":"6f0c1c1e-0d3a-4c3b-9d56-0f1f2a7c9b10"}"#;
        let rows = format!(
            "INSERT INTO assertion VALUES (1, x'01', 1, x'02', 1, '{of_test}'),
                 (1, x'01', 2, x'03', 1, NULL);
             INSERT INTO record VALUES (1, x'04', 'decision', x'05', NULL, '{of_test}'),
                 (1, x'04', 'revival', x'06', NULL, '{{}}');"
        );
        database.execute_batch(&rows).unwrap();
        for _ in 0..2 {
            assert!(!apply(&mut database, &MIGRATIONS).unwrap());
        }
        for table in ["assertion", "record"] {
            let sql = format!("SELECT hex(max(test)), count(*) FROM {table}");
            let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
            let found: (String, i64) = database.query_row(&sql, [], read).unwrap();
            assert_eq!(found, ("6F0C1C1E0D3A4C3B9D560F1F2A7C9B10".to_owned(), 2));
        }
    }

    #[test]
    fn objects_are_found_by_their_identity() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tdg.db");
        drop(open(&file, 1).unwrap());
        let connection = Connection::open(&file).unwrap();
        for table in ["definition", "ensemble", "benchmark"] {
            let sql = format!(
                "EXPLAIN QUERY PLAN SELECT * FROM {table} WHERE account = 1 AND identity = x'00'"
            );
            let plan: String = connection.query_row(&sql, [], |row| row.get(3)).unwrap();
            let by_identity = format!("{table}_by_identity (account=? AND identity=?)");
            assert!(plan.ends_with(&by_identity), "{plan}");
        }
    }
}
