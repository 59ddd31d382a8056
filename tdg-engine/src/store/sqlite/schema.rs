//! The tables, and how a file of an earlier format becomes one of this.

use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};

use super::error::Problem;

/// One entry for each format. `user_version` in the file counts those that were applied, so entries
/// are only ever added.
const MIGRATIONS: [&str; 4] = [FORMAT_1, FORMAT_2, FORMAT_3, FORMAT_4];

/// The format that this tdg writes, and the latest that it reads.
pub(super) const FORMAT: i64 = MIGRATIONS.len() as i64;

// Times are milliseconds since 1970 UTC, made in the program. Large texts come last in their row, so
// that what stands before them is read without following their pages. A definition's, an ensemble's
// and a benchmark's text never changes once it is written.
pub(super) const FORMAT_1: &str = "
CREATE TABLE project (
    id INTEGER PRIMARY KEY,
    uuid BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL,
    added INTEGER NOT NULL
);
CREATE INDEX project_name ON project (name);

CREATE TABLE definition (
    id INTEGER PRIMARY KEY,
    uuid BLOB NOT NULL UNIQUE,
    project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
    added INTEGER NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX definition_project ON definition (project);

-- seed: the 64 bits, read as a signed integer. vectors: JSON rows, only where no file holds them.
CREATE TABLE ensemble (
    id INTEGER PRIMARY KEY,
    uuid BLOB NOT NULL UNIQUE,
    definition INTEGER NOT NULL REFERENCES definition ON DELETE CASCADE,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    sampler_version INTEGER NOT NULL,
    digest TEXT NOT NULL,
    added INTEGER NOT NULL,
    vectors TEXT
);
CREATE INDEX ensemble_definition ON ensemble (definition);

CREATE TABLE test (
    id INTEGER PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
    source TEXT NOT NULL,
    name TEXT NOT NULL,
    benchmark INTEGER REFERENCES benchmark ON DELETE SET NULL,
    claim_run TEXT,
    claim_function TEXT,
    UNIQUE (project, source, name)
);
CREATE INDEX test_benchmark ON test (benchmark);

-- test: whose benchmark it is or was; null for one that was made through the service interface.
CREATE TABLE benchmark (
    id INTEGER PRIMARY KEY,
    uuid BLOB NOT NULL UNIQUE,
    ensemble INTEGER NOT NULL REFERENCES ensemble ON DELETE CASCADE,
    test INTEGER REFERENCES test ON DELETE CASCADE,
    added INTEGER NOT NULL,
    reason TEXT,
    outputs TEXT NOT NULL
);
CREATE INDEX benchmark_ensemble ON benchmark (ensemble);
CREATE INDEX benchmark_test ON benchmark (test);

CREATE TABLE pending (
    test INTEGER PRIMARY KEY REFERENCES test ON DELETE CASCADE,
    uuid BLOB NOT NULL,
    ensemble INTEGER NOT NULL REFERENCES ensemble ON DELETE CASCADE,
    added INTEGER NOT NULL,
    outputs TEXT NOT NULL
);
CREATE INDEX pending_ensemble ON pending (ensemble);

-- n counts a benchmark's assertions without gaps, so that the newest are a range of it.
CREATE TABLE assertion (
    benchmark INTEGER NOT NULL REFERENCES benchmark ON DELETE CASCADE,
    n INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    timestamp INTEGER NOT NULL,
    asserted INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    cases INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    tolerance_use REAL,
    PRIMARY KEY (benchmark, n)
) WITHOUT ROWID;
";

// policy: how the test that left the change compares outputs, as JSON.
const FORMAT_2: &str = "ALTER TABLE pending ADD COLUMN policy TEXT";

// What the service interface needs: accounts, what a benchmark is compared under, requests that may be
// repeated; and for its clients, what they need not fetch again. The new columns of a benchmark stand
// before its outputs, so the table is made anew.
const FORMAT_3: &str = "
ALTER TABLE project ADD COLUMN account INTEGER NOT NULL DEFAULT 1;
DROP INDEX project_name;
CREATE INDEX project_name ON project (account, name);

-- digest: null for those of test runs, until somebody asks. policy: JSON.
CREATE TABLE benchmark_2 (
    id INTEGER PRIMARY KEY,
    uuid BLOB NOT NULL UNIQUE,
    ensemble INTEGER NOT NULL REFERENCES ensemble ON DELETE CASCADE,
    test INTEGER REFERENCES test ON DELETE CASCADE,
    added INTEGER NOT NULL,
    reason TEXT,
    digest TEXT,
    policy TEXT,
    outputs TEXT NOT NULL
);
INSERT INTO benchmark_2 (id, uuid, ensemble, test, added, reason, outputs)
    SELECT id, uuid, ensemble, test, added, reason, outputs FROM benchmark;
DROP TABLE benchmark;
ALTER TABLE benchmark_2 RENAME TO benchmark;
CREATE INDEX benchmark_ensemble ON benchmark (ensemble);
CREATE INDEX benchmark_test ON benchmark (test);

-- made: the uuid of what was made. n: of an assertion, its number in the history.
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

-- What a service has sent and never changes, by what identifies it.
CREATE TABLE download (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL
);
";

// When a download was last used. It stands before the text, so the table is made anew; what was in it is
// fetched again.
const FORMAT_4: &str = "
DROP TABLE download;
CREATE TABLE download (
    key TEXT PRIMARY KEY,
    used INTEGER NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX download_used ON download (used);
";

/// Brings the database to [`FORMAT`]; one that is there already costs reading a number.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), Problem> {
    if applied(connection)? == MIGRATIONS.len() {
        return Ok(());
    }
    // A table that is made anew must not take what refers to it along.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, false)?;
    // Another process may have been faster while this one waited for the lock: look again inside.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for migration in &MIGRATIONS[applied(&transaction)?..] {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "user_version", FORMAT)?;
    Ok(transaction.commit()?)
}

fn applied(connection: &Connection) -> Result<usize, Problem> {
    let found: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match usize::try_from(found) {
        Ok(applied) if applied <= MIGRATIONS.len() => Ok(applied),
        Ok(_) => Err(Problem::Newer {
            found,
            supported: FORMAT,
        }),
        Err(_) => Err(Problem::Corrupt(format!("its format is {found}"))),
    }
}
