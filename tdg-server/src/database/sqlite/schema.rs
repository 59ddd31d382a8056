//! The tables, and how a database of an earlier format gets them.
//!
//! Up to format 4, a server's database was a store of test runs with tables added to it, and both
//! were counted together. Since format 5 it is a kind of file of its own, with its own
//! `application_id`, and its formats are counted on their own.

use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};
use tdg_service::Uuid;

use super::error::{DbError, DbResult};

/// In the header of every server's database: "tdgs".
const APPLICATION_ID: i64 = 0x7464_6773;

/// The last format that servers and test runs shared.
const SHARED_FORMAT: i64 = 4;

/// The formats before this one.
const EARLIER_FORMAT: i64 = 5;
const PREVIOUS_FORMAT: i64 = 6;

/// The format that this server writes, and the latest that it reads.
const FORMAT: i64 = 7;

// Times are microseconds since 1970 UTC, identifiers 16 bytes. Every key begins with the account.
// Large values have tables of their own, or come last in their row, so that the columns before them
// are read without following their pages; `bytes` is the length of the large value that belongs to
// the row. Small rows are kept in the order of their key (WITHOUT ROWID).
//
// Foreign keys do not cascade: deleting an object removes the rows beneath it one table at a time.
// Assertions, outputs and rows have none, because they are deleted in parts, long after their owner
// (see `garbage`).
const TABLES: &str = "
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

-- text: canonical JSON.
CREATE TABLE definition (
    account INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    project BLOB NOT NULL,
    added INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (account, uuid),
    FOREIGN KEY (account, project) REFERENCES project (account, uuid)
);
CREATE INDEX definition_by_project ON definition (account, project, added, uuid);
CREATE INDEX definition_by_time ON definition (account, added, uuid);

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
    bytes INTEGER NOT NULL,
    PRIMARY KEY (account, uuid),
    FOREIGN KEY (account, definition) REFERENCES definition (account, uuid)
) WITHOUT ROWID;
CREATE INDEX ensemble_by_definition ON ensemble (account, definition, added, uuid);

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
    bytes INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    kept_since INTEGER,
    policy TEXT,
    PRIMARY KEY (account, uuid),
    FOREIGN KEY (account, ensemble) REFERENCES ensemble (account, uuid)
) WITHOUT ROWID;
CREATE INDEX benchmark_by_ensemble ON benchmark (account, ensemble, added, uuid);

-- text: canonical JSON.
CREATE TABLE outputs (
    account INTEGER NOT NULL,
    benchmark BLOB NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (account, benchmark)
);

CREATE TABLE assertion (
    account INTEGER NOT NULL,
    benchmark BLOB NOT NULL,
    timestamp INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    asserted INTEGER NOT NULL,
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

-- epoch: identifies the database; one that was restored from a backup is another.
CREATE TABLE server (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    epoch BLOB NOT NULL
);
";

/// Since format 7, for synchronising. identity: that of the content, once the project is
/// synchronised. run: what an assertion tells of its run, JSON. A record is stored as it is, JSON;
/// about: the object of a tombstone, the tombstone of a revival.
const RECORDS: &str = "
ALTER TABLE definition ADD COLUMN identity BLOB;
ALTER TABLE ensemble ADD COLUMN identity BLOB;
ALTER TABLE benchmark ADD COLUMN identity BLOB;
ALTER TABLE assertion ADD COLUMN run TEXT;
CREATE INDEX definition_by_identity ON definition (account, identity);
CREATE INDEX ensemble_by_identity ON ensemble (account, identity);
CREATE INDEX benchmark_by_identity ON benchmark (account, identity);
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
";

/// From formats 4 and 5: their tables make room for those of today, are copied, and go.
const RENAME_TABLES: &str = "
ALTER TABLE account RENAME TO old_account;
ALTER TABLE api_key RENAME TO old_api_key;
ALTER TABLE project RENAME TO old_project;
ALTER TABLE definition RENAME TO old_definition;
ALTER TABLE ensemble RENAME TO old_ensemble;
ALTER TABLE packed_rows RENAME TO old_packed_rows;
ALTER TABLE benchmark RENAME TO old_benchmark;
ALTER TABLE assertion RENAME TO old_assertion;
ALTER TABLE idempotency RENAME TO old_idempotency;
";

// {unit}: the microseconds in a unit of the old times. What was of one moment then keeps its order:
// that of its number.
const COPY_TABLES: &str = "
INSERT INTO account (id, name) SELECT id, name FROM old_account;
INSERT INTO api_key (prefix, hash, account, name, scopes, added, expires, revoked)
    SELECT prefix, hash, account, name, scopes, added, expires, revoked FROM old_api_key;
INSERT INTO project (account, uuid, added, name)
    SELECT account, uuid,
        added * {unit} + row_number() OVER (PARTITION BY added ORDER BY id) - 1, name
    FROM old_project;
INSERT INTO definition (account, uuid, project, added, bytes, text)
    SELECT old_project.account, old.uuid, old_project.uuid, old.added * {unit} + tie.number - 1,
        octet_length(old.text), old.text
    FROM old_definition AS old
    JOIN (
        SELECT id, row_number() OVER (PARTITION BY added ORDER BY id) AS number
        FROM old_definition
    ) AS tie ON tie.id = old.id
    JOIN old_project ON old_project.id = old.project;
INSERT INTO ensemble (account, uuid, definition, added, name, size, seed, sampler_version, digest,
        bytes)
    SELECT old_project.account, old.uuid, old_definition.uuid,
        old.added * {unit} + row_number() OVER (PARTITION BY old.added ORDER BY old.id) - 1,
        old.name, old.size, old.seed, old.sampler_version, old.digest,
        octet_length(old_packed_rows.gzip)
    FROM old_ensemble AS old
    JOIN old_packed_rows ON old_packed_rows.ensemble = old.id
    JOIN old_definition ON old_definition.id = old.definition
    JOIN old_project ON old_project.id = old_definition.project;
INSERT INTO packed_rows (account, ensemble, gzip)
    SELECT old_project.account, old_ensemble.uuid, old.gzip
    FROM old_packed_rows AS old
    JOIN old_ensemble ON old_ensemble.id = old.ensemble
    JOIN old_definition ON old_definition.id = old_ensemble.definition
    JOIN old_project ON old_project.id = old_definition.project;
CREATE TEMP TABLE benchmark_of (
    id INTEGER PRIMARY KEY, account INTEGER, uuid BLOB, ensemble BLOB, definition BLOB,
    added INTEGER
);
INSERT INTO benchmark_of
    SELECT old.id, old_project.account, old.uuid, old_ensemble.uuid AS ensemble,
        old_definition.uuid AS definition,
        old.added * {unit} + row_number() OVER (PARTITION BY old.added ORDER BY old.id) - 1
            AS added
    FROM old_benchmark AS old
    JOIN old_ensemble ON old_ensemble.id = old.ensemble
    JOIN old_definition ON old_definition.id = old_ensemble.definition
    JOIN old_project ON old_project.id = old_definition.project;
INSERT INTO benchmark (account, uuid, ensemble, definition, added, digest, bytes, changes, policy)
    SELECT new.account, new.uuid, new.ensemble, new.definition, new.added, old.digest,
        octet_length(old.outputs), 0, old.policy
    FROM benchmark_of AS new JOIN old_benchmark AS old ON old.id = new.id;
INSERT INTO outputs (account, benchmark, text)
    SELECT new.account, new.uuid, old.outputs
    FROM benchmark_of AS new JOIN old_benchmark AS old ON old.id = new.id;
INSERT INTO assertion (account, benchmark, timestamp, uuid, asserted)
    SELECT new.account, new.uuid, old.timestamp, old.uuid, old.asserted
    FROM (
        SELECT benchmark, uuid, asserted, n + max(timestamp * {unit} - n) OVER (
            PARTITION BY benchmark ORDER BY n ROWS UNBOUNDED PRECEDING
        ) AS timestamp
        FROM old_assertion
    ) AS old CROSS JOIN benchmark_of AS new ON new.id = old.benchmark;
CREATE TEMP TABLE made (uuid BLOB PRIMARY KEY, timestamp INTEGER) WITHOUT ROWID;
INSERT OR IGNORE INTO made
    SELECT uuid, timestamp FROM assertion
    WHERE uuid IN (SELECT made FROM old_idempotency WHERE n IS NOT NULL);
INSERT INTO idempotency (account, key, fingerprint, made, made_at, added)
    SELECT old.account, old.key, old.fingerprint, old.made, made.timestamp, old.added * {unit}
    FROM old_idempotency AS old LEFT JOIN made ON made.uuid = old.made;
DROP TABLE made;
DROP TABLE benchmark_of;
DROP TABLE old_idempotency;
DROP TABLE old_assertion;
DROP TABLE old_packed_rows;
";

/// The tables of format 4 that only test runs needed.
const DROP_SHARED_TABLES: &str = "
DROP TABLE pending;
DROP TABLE test;
DROP TABLE download;
";

const DROP_TABLES: &str = "
DROP TABLE old_benchmark;
DROP TABLE old_ensemble;
DROP TABLE old_definition;
DROP TABLE old_project;
DROP TABLE old_api_key;
DROP TABLE old_account;
";

/// What kind of file it is, and what has to be done with it.
#[derive(Debug, PartialEq, Eq)]
enum State {
    Current,
    /// Nothing is in it.
    New,
    /// A server's, of the format that was shared with test runs. Except for keys, its times are in
    /// milliseconds.
    Shared,
    /// A server's of format 5.
    Earlier,
    /// A server's of format 6.
    Previous,
}

/// Creates the tables or brings them up to date, and says whether the database is new. Where they
/// are up to date, that takes a few reads and no lock.
pub(super) fn prepare(connection: &mut Connection) -> DbResult<bool> {
    if state(connection)? == State::Current {
        return Ok(false);
    }
    // Or a table that is dropped would take the rows that refer to it along.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, false)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been faster while this one waited for the lock.
    let state = state(&transaction)?;
    match state {
        State::Current => return Ok(false),
        State::New => transaction.execute_batch(TABLES)?,
        State::Previous => {}
        State::Shared => {
            copy(&transaction, "1000")?;
            transaction.execute_batch(DROP_SHARED_TABLES)?;
            transaction.execute_batch(DROP_TABLES)?;
        }
        State::Earlier => {
            copy(&transaction, "1")?;
            transaction.execute_batch(DROP_TABLES)?;
        }
    }
    transaction.execute_batch(RECORDS)?;
    let epoch = Uuid::new_v4();
    let sql = "INSERT OR IGNORE INTO server (id, epoch) VALUES (1, ?1)";
    transaction.execute(sql, [epoch.as_bytes()])?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", FORMAT)?;
    transaction.commit()?;
    Ok(state == State::New)
}

/// Whether it is a server's database, of this format or an earlier one.
pub(super) fn check(connection: &Connection) -> DbResult<()> {
    state(connection).map(drop)
}

/// Copies the rows to the tables of today. `unit` is that of the old times in microseconds.
fn copy(transaction: &Connection, unit: &str) -> rusqlite::Result<()> {
    transaction.execute_batch(RENAME_TABLES)?;
    transaction.execute_batch(TABLES)?;
    transaction.execute_batch(&COPY_TABLES.replace("{unit}", unit))
}

fn state(connection: &Connection) -> DbResult<State> {
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let count = |tables: &str| {
        let sql = format!("SELECT count(*) FROM sqlite_schema WHERE type = 'table' {tables}");
        number(&sql)
    };
    let format = number("PRAGMA user_version")?;
    match number("PRAGMA application_id")? {
        APPLICATION_ID if format == FORMAT => Ok(State::Current),
        APPLICATION_ID if format == EARLIER_FORMAT => Ok(State::Earlier),
        APPLICATION_ID if format == PREVIOUS_FORMAT => Ok(State::Previous),
        APPLICATION_ID if format > FORMAT => Err(DbError::Newer {
            found: format,
            supported: FORMAT,
        }),
        0 if format == 0 && count("")? == 0 => Ok(State::New),
        0 if format == SHARED_FORMAT => {
            // Every run of a test has a row in `test`, and a server none.
            let server_tables = count("AND name IN ('account', 'api_key', 'packed_rows')")?;
            if server_tables == 3 && number("SELECT count(*) FROM test")? == 0 {
                Ok(State::Shared)
            } else {
                Err(DbError::Store)
            }
        }
        // Earlier and later stores of test runs.
        _ if count("AND name IN ('test', 'pending', 'download')")? == 3 => Err(DbError::Store),
        _ => Err(DbError::Foreign),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::super::open;
    use super::*;

    const SERVER: &[u8] = include_bytes!("../../../../tests/fixtures/written-by/0.1.0/server.db");
    const STORE: &[u8] = include_bytes!("../../../../tests/fixtures/written-by/0.1.0/store.db");

    /// What `sqlite3 .schema` shows, and the two numbers in the header.
    fn schema(file: &Path) -> String {
        let connection = Connection::open(file).unwrap();
        let mut statement = connection
            .prepare("SELECT ifnull(sql, name) FROM sqlite_schema ORDER BY type, name")
            .unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        let mut lines: Vec<String> = rows.map(Result::unwrap).collect();
        for pragma in ["application_id", "user_version"] {
            let number: i64 = connection
                .query_row(&format!("PRAGMA {pragma}"), [], |row| row.get(0))
                .unwrap();
            lines.push(format!("{pragma} {number}"));
        }
        lines.join("\n")
    }

    fn refusal(file: &Path) -> String {
        let refused = open(file, 1).map(drop).unwrap_err().to_string();
        refused.replace(&file.display().to_string(), "tdg.db")
    }

    #[test]
    fn an_upgraded_database_has_the_tables_of_a_new_one_and_keeps_its_rows() {
        let folder = tempfile::tempdir().unwrap();
        let [new, upgraded] = ["new.db", "upgraded.db"].map(|name| folder.path().join(name));
        fs::write(&upgraded, SERVER).unwrap();
        assert!(open(&new, 1).unwrap().new);
        // Opening it again changes nothing.
        for _ in 0..2 {
            assert!(!open(&upgraded, 1).unwrap().new);
            assert_eq!(schema(&upgraded), schema(&new));
        }
        let connection = Connection::open(&upgraded).unwrap();
        let counts = [
            ("account", 2),
            ("api_key", 4),
            ("project", 4),
            ("definition", 6),
            ("ensemble", 7),
            ("packed_rows", 7),
            ("benchmark", 5),
            ("assertion", 16),
            ("idempotency", 14),
        ];
        for (table, expected) in counts {
            let sql = format!("SELECT count(*) FROM {table}");
            let found: i64 = connection.query_row(&sql, [], |row| row.get(0)).unwrap();
            assert_eq!(found, expected, "{table}");
        }
        let broken = connection
            .prepare("PRAGMA foreign_key_check")
            .unwrap()
            .exists([])
            .unwrap();
        assert!(!broken);
    }

    /// Those columns of all rows, a row a line.
    fn rows(connection: &Connection, table: &str, columns: &str, order: &str) -> Vec<String> {
        let sql = format!("SELECT concat_ws(' ', {columns}) FROM {table} ORDER BY {order}");
        let mut statement = connection.prepare(&sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    }

    #[test]
    fn a_database_of_format_5_keeps_its_rows_and_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let [new, upgraded] = ["new.db", "upgraded.db"].map(|name| folder.path().join(name));
        assert!(open(&new, 1).unwrap().new);
        let connection = Connection::open(&upgraded).unwrap();
        connection
            .execute_batch(include_str!("format-5.sql"))
            .unwrap();
        assert!(!open(&upgraded, 1).unwrap().new);
        assert_eq!(schema(&upgraded), schema(&new));
        let last = |column: &str| format!("hex(substr({column}, 16))");
        let [benchmark, ensemble, definition, project, made, uuid] = [
            "benchmark",
            "ensemble",
            "definition",
            "project",
            "made",
            "uuid",
        ]
        .map(last);
        let tables = [
            ("project", "added, name".to_owned(), "added"),
            (
                "definition",
                format!("{project}, added, bytes, text"),
                "added",
            ),
            (
                "ensemble",
                format!("{definition}, added, seed, bytes"),
                "added",
            ),
            ("packed_rows", format!("{ensemble}, hex(gzip)"), "ensemble"),
            (
                "benchmark",
                format!("{ensemble}, {definition}, added, bytes, changes, policy"),
                "added",
            ),
            ("outputs", format!("{benchmark}, text"), "benchmark"),
            (
                "assertion",
                format!("{benchmark}, timestamp, {uuid}, asserted"),
                "benchmark, timestamp",
            ),
            ("idempotency", format!("key, {made}, made_at, added"), "key"),
        ];
        let mut found = Vec::new();
        for (table, columns, order) in tables {
            let columns = format!("account, {columns}");
            let lines = rows(&connection, table, &columns, order).join("\n  ");
            found.push(format!("{table}\n  {lines}"));
        }
        insta::assert_snapshot!(found.join("\n"), @r#"
        project
          7 999999 first
          7 1000000 second
          1 1000001 another
        definition
          7 33 2000000 19 {"features":["ä"]}
        ensemble
          7 41 3000000 -1 3
        packed_rows
          7 51 010203
        benchmark
          7 51 41 4000000 5 0
          7 51 41 4000001 8 0 {"abs":1}
        outputs
          7 61 ["ä",2]
          7 62 [1,2]
        assertion
          7 61 5000000 75 1
          7 62 5000000 74 1
          7 62 5000001 73 0
          7 62 5000002 72 1
          7 62 5000009 71 0
        idempotency
          7 assertion 72 5000002 5000001
          7 project 33 1000000
        "#);
    }

    #[test]
    fn files_of_other_kinds_are_refused_and_left_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tdg.db");
        fs::write(&file, STORE).unwrap();
        let before = schema(&file);
        insta::assert_snapshot!(refusal(&file), @"tdg.db is the local store of test runs, not the database of a server: give the server a file of its own");
        assert_eq!(schema(&file), before);

        // A store to which an earlier server has added its tables.
        let connection = Connection::open(&file).unwrap();
        let tables =
            "CREATE TABLE account (id); CREATE TABLE api_key (id); CREATE TABLE packed_rows (id)";
        connection.execute_batch(tables).unwrap();
        assert!(refusal(&file).contains("the local store of test runs"));

        let other = folder.path().join("other.db");
        let connection = Connection::open(&other).unwrap();
        connection.execute_batch("CREATE TABLE t (n)").unwrap();
        let refused = open(&other, 1).map(drop).unwrap_err().to_string();
        let refused = refused.replace(&other.display().to_string(), "other.db");
        insta::assert_snapshot!(refused, @"other.db is not a database of tdg-server: give the server a file of its own");
    }

    #[test]
    fn a_newer_format_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tdg.db");
        drop(open(&file, 1).unwrap());
        let connection = Connection::open(&file).unwrap();
        connection
            .pragma_update(None, "user_version", FORMAT + 1)
            .unwrap();
        insta::assert_snapshot!(refusal(&file), @"the database tdg.db has format 8, and this tdg-server reads formats up to 7; nothing was changed: run the version that wrote it, or a later one");
    }
}
