//! The tables, and how a database of an earlier format gets them.
//!
//! Up to format 4, a server's database was a store of test runs with tables added to it, and both
//! were counted together. Since format 5 it is a kind of file of its own, with its own
//! `application_id`, and its formats are counted on their own.

use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};

use super::error::{DbError, DbResult};

/// In the header of every server's database: "tdgs".
const APPLICATION_ID: i64 = 0x7464_6773;

/// The last format that servers and test runs shared.
const SHARED_FORMAT: i64 = 4;

/// The format that this server writes, and the latest that it reads.
const FORMAT: i64 = 5;

// Times are microseconds since 1970 UTC. Large values come last in their row, so that the columns
// before them are read without following their pages. Every table below the projects has the
// account, so that a look-up by account and identifier needs no join.
const TABLES: &str = "
CREATE TABLE account (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);

-- hash: of the key, 32 bytes.
CREATE TABLE api_key (
    prefix TEXT PRIMARY KEY,
    hash BLOB NOT NULL,
    account INTEGER NOT NULL REFERENCES account,
    name TEXT NOT NULL,
    scopes INTEGER NOT NULL,
    added INTEGER NOT NULL,
    expires INTEGER,
    revoked INTEGER
) WITHOUT ROWID;

CREATE TABLE project (
    id INTEGER PRIMARY KEY,
    uuid BLOB NOT NULL UNIQUE,
    account INTEGER NOT NULL,
    added INTEGER NOT NULL,
    name TEXT NOT NULL
);
CREATE INDEX project_account ON project (account);

-- text: canonical JSON.
CREATE TABLE definition (
    id INTEGER PRIMARY KEY,
    uuid BLOB NOT NULL UNIQUE,
    project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
    account INTEGER NOT NULL,
    added INTEGER NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX definition_project ON definition (project);
CREATE INDEX definition_account ON definition (account);

-- seed: the 64 bits, as a signed integer.
CREATE TABLE ensemble (
    id INTEGER PRIMARY KEY,
    uuid BLOB NOT NULL UNIQUE,
    definition INTEGER NOT NULL REFERENCES definition ON DELETE CASCADE,
    account INTEGER NOT NULL,
    added INTEGER NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    sampler_version INTEGER NOT NULL,
    digest TEXT NOT NULL
);
CREATE INDEX ensemble_definition ON ensemble (definition);

-- gzip: {\"vectors\":…}.
CREATE TABLE packed_rows (
    ensemble INTEGER PRIMARY KEY REFERENCES ensemble ON DELETE CASCADE,
    gzip BLOB NOT NULL
);

-- policy and outputs: canonical JSON.
CREATE TABLE benchmark (
    id INTEGER PRIMARY KEY,
    uuid BLOB NOT NULL UNIQUE,
    ensemble INTEGER NOT NULL REFERENCES ensemble ON DELETE CASCADE,
    account INTEGER NOT NULL,
    added INTEGER NOT NULL,
    digest TEXT NOT NULL,
    policy TEXT,
    outputs TEXT NOT NULL
);
CREATE INDEX benchmark_ensemble ON benchmark (ensemble);

-- n counts a benchmark's assertions from 1 without gaps, so the newest are a range of it.
CREATE TABLE assertion (
    benchmark INTEGER NOT NULL REFERENCES benchmark ON DELETE CASCADE,
    n INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    timestamp INTEGER NOT NULL,
    asserted INTEGER NOT NULL,
    PRIMARY KEY (benchmark, n)
) WITHOUT ROWID;

-- made: the uuid of the created object. n: of an assertion.
CREATE TABLE idempotency (
    account INTEGER NOT NULL,
    key TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    made BLOB NOT NULL,
    n INTEGER,
    added INTEGER NOT NULL,
    PRIMARY KEY (account, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_added ON idempotency (added);
";

/// From format 4: its tables make room for those of today, are copied, and go, together with the
/// tables that only test runs needed. Except for keys, its times are in milliseconds.
const RENAME_SHARED_TABLES: &str = "
DROP INDEX project_name;
DROP INDEX definition_project;
DROP INDEX ensemble_definition;
DROP INDEX benchmark_ensemble;
DROP INDEX idempotency_added;
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
const COPY_SHARED_TABLES: &str = "
INSERT INTO account SELECT id, name FROM old_account;
INSERT INTO api_key
    SELECT prefix, hash, account, name, scopes, added, expires, revoked FROM old_api_key;
INSERT INTO project SELECT id, uuid, account, added * 1000, name FROM old_project;
INSERT INTO definition
    SELECT old.id, old.uuid, old.project, project.account, old.added * 1000, old.text
    FROM old_definition AS old JOIN project ON project.id = old.project;
INSERT INTO ensemble
    SELECT old.id, old.uuid, old.definition, definition.account, old.added * 1000, old.name,
        old.size, old.seed, old.sampler_version, old.digest
    FROM old_ensemble AS old JOIN definition ON definition.id = old.definition;
INSERT INTO packed_rows SELECT ensemble, gzip FROM old_packed_rows;
INSERT INTO benchmark
    SELECT old.id, old.uuid, old.ensemble, ensemble.account, old.added * 1000, old.digest,
        old.policy, old.outputs
    FROM old_benchmark AS old JOIN ensemble ON ensemble.id = old.ensemble;
INSERT INTO assertion SELECT benchmark, n, uuid, timestamp * 1000, asserted FROM old_assertion;
INSERT INTO idempotency
    SELECT account, key, fingerprint, made, n, added * 1000 FROM old_idempotency;
DROP TABLE old_idempotency;
DROP TABLE old_assertion;
DROP TABLE old_packed_rows;
DROP TABLE pending;
DROP TABLE test;
DROP TABLE download;
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
    /// A server's, of the format that was shared with test runs.
    Shared,
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
        State::Shared => {
            transaction.execute_batch(RENAME_SHARED_TABLES)?;
            transaction.execute_batch(TABLES)?;
            transaction.execute_batch(COPY_SHARED_TABLES)?;
        }
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", FORMAT)?;
    transaction.commit()?;
    Ok(state == State::New)
}

/// Whether it is a server's database, of this format or an earlier one.
pub(super) fn check(connection: &Connection) -> DbResult<()> {
    state(connection).map(drop)
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
        insta::assert_snapshot!(refusal(&file), @"the database tdg.db has format 6, and this tdg-server reads formats up to 5: run the version that wrote it, or a later one");
    }
}
