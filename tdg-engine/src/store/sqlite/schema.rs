//! The tables, and the migration of files of earlier formats.

use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};
use tdg_definition::control::escape;

use super::error::Problem;

/// One entry for each format. `user_version` in the file counts the applied ones, so entries are
/// only ever added.
pub(super) const MIGRATIONS: [&str; 7] = [
    FORMAT_1, FORMAT_2, FORMAT_3, FORMAT_4, FORMAT_5, FORMAT_6, FORMAT_7,
];

/// The format that this tdg writes, and the latest that it reads.
pub(super) const FORMAT: i64 = MIGRATIONS.len() as i64;

// Times are milliseconds since 1970 UTC, set by the program; from format 6 on microseconds. Large
// texts come last in their row, so that the columns before them are read without following their
// pages. The texts of definitions, ensembles and benchmarks never change once written.
const FORMAT_1: &str = "
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

-- seed: the 64 bits as a signed integer. vectors: the rows as JSON, if no file has them.
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

-- test: the test that has or had it; null for a benchmark of the service interface.
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

-- n numbers a benchmark's assertions without gaps, so that the newest are a range.
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

// policy: that of the test that left the change, as JSON.
const FORMAT_2: &str = "ALTER TABLE pending ADD COLUMN policy TEXT";

// Servers once shared this schema: accounts, the digest and policy of a benchmark, and
// `idempotency` are unused in a store. `download` is a cache of texts from a server. The table of
// benchmarks is recreated, because the new columns come before the outputs.
const FORMAT_3: &str = "
ALTER TABLE project ADD COLUMN account INTEGER NOT NULL DEFAULT 1;
DROP INDEX project_name;
CREATE INDEX project_name ON project (account, name);

-- digest: null for those of test runs. policy: JSON.
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

-- made: the uuid of the created object. n: the number of an assertion in its history.
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

-- Immutable texts from a server by their identity.
CREATE TABLE download (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL
);
";

// When a download was last used. The column comes before the text, so the table is recreated; its
// content is fetched again.
const FORMAT_4: &str = "
DROP TABLE download;
CREATE TABLE download (
    key TEXT PRIMARY KEY,
    used INTEGER NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX download_used ON download (used);
";

// Decisions have a table of their own, which only grows. Until now, the time and reason of a
// benchmark stood for them, so `reason` of a benchmark is unused from here on; only accepting a
// change gave one. A test or benchmark that has decisions can't be deleted.
//
// n numbers the decisions about a test. benchmark: the one that the decision made. from_…: the
// earlier identity, of kind `renamed`.
//
// takes, recorded_outputs: see `PendingUpdate`. shown: when a command last showed the change,
// beside the benchmark with the digest shown_beside.
const FORMAT_5: &str = "
CREATE TABLE decision (
    test INTEGER NOT NULL REFERENCES test,
    n INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    kind TEXT NOT NULL,
    time INTEGER NOT NULL,
    reason TEXT,
    author TEXT,
    commit_id TEXT,
    branch TEXT,
    dirty INTEGER,
    ci TEXT,
    benchmark INTEGER REFERENCES benchmark,
    from_package TEXT,
    from_source TEXT,
    from_name TEXT,
    PRIMARY KEY (test, n)
) WITHOUT ROWID;
INSERT INTO decision (test, n, uuid, kind, time, reason, benchmark)
    SELECT test, row_number() OVER (PARTITION BY test ORDER BY id), uuid,
        CASE WHEN reason IS NULL AND id = min(id) OVER (PARTITION BY test)
            THEN 'recorded' ELSE 'accepted' END,
        added, reason, id
    FROM benchmark WHERE test IS NOT NULL;

ALTER TABLE assertion ADD COLUMN commit_id TEXT;
ALTER TABLE assertion ADD COLUMN branch TEXT;

ALTER TABLE pending ADD COLUMN takes TEXT;
ALTER TABLE pending ADD COLUMN recorded_outputs TEXT;
ALTER TABLE pending ADD COLUMN shown INTEGER;
ALTER TABLE pending ADD COLUMN shown_beside TEXT;

-- policy: that of the last run that had a benchmark, as JSON.
ALTER TABLE test ADD COLUMN policy TEXT;
";

// A store can be synchronised with others, so its histories are in the order of time and uuid,
// which is the same everywhere. Times that were equal keep their order by the microseconds.
//
// Of an assertion, n: on the newest of a benchmark, how many it has had so far. verdict, cases,
// changed: null where only a server saw the run. policy: the one that judged it, as JSON. origin:
// the address of the server that an assertion or decision was pulled from; null if it was made
// here.
//
// Of an ensemble, drawn: whether the definition draws its rows; null until somebody asks. So is the
// digest of a benchmark.
//
// project, account, epoch, synced of a remote: what was last synchronised there, and when.
//
// Every process reads all of this when it opens the store, so what is unused goes.
const FORMAT_6: &str = "
CREATE TABLE assertion_2 (
    benchmark INTEGER NOT NULL REFERENCES benchmark ON DELETE CASCADE,
    timestamp INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    n INTEGER NOT NULL,
    asserted INTEGER NOT NULL,
    verdict TEXT,
    cases INTEGER,
    changed INTEGER,
    tolerance_use REAL,
    commit_id TEXT,
    branch TEXT,
    os TEXT,
    arch TEXT,
    policy TEXT,
    origin TEXT,
    PRIMARY KEY (benchmark, timestamp, uuid)
) WITHOUT ROWID;
INSERT INTO assertion_2 (benchmark, timestamp, uuid, n, asserted, verdict, cases, changed,
        tolerance_use, commit_id, branch)
    SELECT benchmark,
        1000 * timestamp + row_number() OVER (PARTITION BY benchmark, timestamp ORDER BY n) - 1,
        uuid, n, asserted, verdict, cases, changed, tolerance_use, commit_id, branch
    FROM assertion;
DROP TABLE assertion;
ALTER TABLE assertion_2 RENAME TO assertion;

CREATE TABLE decision_2 (
    test INTEGER NOT NULL REFERENCES test,
    time INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    kind TEXT NOT NULL,
    reason TEXT,
    author TEXT,
    commit_id TEXT,
    branch TEXT,
    dirty INTEGER,
    ci TEXT,
    benchmark INTEGER REFERENCES benchmark,
    from_package TEXT,
    from_source TEXT,
    from_name TEXT,
    origin TEXT,
    PRIMARY KEY (test, time, uuid)
) WITHOUT ROWID;
INSERT INTO decision_2 (test, time, uuid, kind, reason, author, commit_id, branch, dirty, ci,
        benchmark, from_package, from_source, from_name)
    SELECT test, 1000 * time + row_number() OVER (PARTITION BY test, time ORDER BY n) - 1,
        uuid, kind, reason, author, commit_id, branch, dirty, ci, benchmark, from_package,
        from_source, from_name
    FROM decision;
DROP TABLE decision;
ALTER TABLE decision_2 RENAME TO decision;

CREATE TABLE project_2 (
    id INTEGER PRIMARY KEY,
    uuid BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL,
    added INTEGER NOT NULL
);
INSERT INTO project_2 (id, uuid, name, added) SELECT id, uuid, name, 1000 * added FROM project;
DROP TABLE project;
ALTER TABLE project_2 RENAME TO project;
CREATE INDEX project_name ON project (name);

CREATE TABLE benchmark_2 (
    id INTEGER PRIMARY KEY,
    uuid BLOB NOT NULL UNIQUE,
    ensemble INTEGER NOT NULL REFERENCES ensemble ON DELETE CASCADE,
    test INTEGER REFERENCES test ON DELETE CASCADE,
    added INTEGER NOT NULL,
    digest TEXT,
    outputs TEXT NOT NULL
);
INSERT INTO benchmark_2 (id, uuid, ensemble, test, added, digest, outputs)
    SELECT id, uuid, ensemble, test, 1000 * added, digest, outputs FROM benchmark;
DROP TABLE benchmark;
ALTER TABLE benchmark_2 RENAME TO benchmark;
CREATE INDEX benchmark_ensemble ON benchmark (ensemble);
CREATE INDEX benchmark_test ON benchmark (test);

UPDATE definition SET added = 1000 * added;
UPDATE ensemble SET added = 1000 * added;
UPDATE pending SET added = 1000 * added, shown = 1000 * shown;
UPDATE download SET used = 1000 * used;

DROP TABLE idempotency;

ALTER TABLE ensemble ADD COLUMN drawn INTEGER;

CREATE TABLE tombstone (
    uuid BLOB PRIMARY KEY,
    kind TEXT NOT NULL,
    object BLOB NOT NULL,
    deleted INTEGER NOT NULL,
    revived INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE remote (
    url TEXT NOT NULL,
    project BLOB NOT NULL,
    account TEXT NOT NULL,
    epoch BLOB NOT NULL,
    synced INTEGER NOT NULL,
    PRIMARY KEY (url, project)
) WITHOUT ROWID;
";

// shown_outputs: those that a command showed before a run left others.
const FORMAT_7: &str = "ALTER TABLE pending ADD COLUMN shown_outputs TEXT";

/// Refuses a database with anything that no format has: the file may have come with a checkout, and
/// what looks like a table there could be a view without an end. Nothing of it is run yet.
pub(super) fn check(connection: &Connection) -> Result<(), Problem> {
    applied(connection)?;
    // What SQLite makes itself has such a name, and no other table or index can have one.
    let sql = "SELECT type, name, rootpage > 0 FROM sqlite_schema
               WHERE type NOT IN ('table', 'index') OR rootpage = 0
                   OR substr(name, 1, 7) <> 'sqlite_'";
    let mut objects = connection.prepare(sql)?;
    let mut objects = objects.query([])?;
    while let Some(object) = objects.next()? {
        let kind: String = object.get(0)?;
        let name: String = object.get(1)?;
        let made = match kind.as_str() {
            "table" => format!("CREATE TABLE {name} ("),
            _ => format!("CREATE INDEX {name} ON"),
        };
        let is_ours = MIGRATIONS.iter().any(|migration| migration.contains(&made));
        if !is_ours || !object.get::<_, bool>(2)? {
            let what = format!(
                "it has the {kind} {}, which tdg did not make",
                escape(&name)
            );
            return Err(Problem::Corrupt(what.into()));
        }
    }
    Ok(())
}

/// Brings the database to [`FORMAT`]. If it has that already, this reads two numbers.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), Problem> {
    if applied(connection)? == MIGRATIONS.len() {
        return Ok(());
    }
    // Recreating a table must not delete the rows that refer to it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, false)?;
    // Another process may have migrated while this one waited for the lock.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for migration in &MIGRATIONS[applied(&transaction)?..] {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "user_version", FORMAT)?;
    Ok(transaction.commit()?)
}

fn applied(connection: &Connection) -> Result<usize, Problem> {
    // Not as tables, of which the file could have others.
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (program, found) = (number("application_id")?, number("user_version")?);
    // Stores have none; tdg-server's databases do.
    if program != 0 {
        return Err(Problem::Foreign);
    }
    match usize::try_from(found) {
        Ok(applied) if applied <= MIGRATIONS.len() => Ok(applied),
        Ok(_) => Err(Problem::Newer {
            found,
            supported: FORMAT,
        }),
        Err(_) => Err(Problem::Corrupt(format!("its format is {found}").into())),
    }
}
