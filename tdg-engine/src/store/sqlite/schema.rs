//! The tables, and the migration from earlier formats.
//!
//! The formats of released versions are numbered from 1.

use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};
use tdg_definition::control::escape;

use super::error::StoreProblem;

/// The application id in the header of every local store: "tdgl".
const APPLICATION_ID: i64 = 0x7464_676c;

/// The migrations, one for each format. `user_version` in the file counts the applied ones, so
/// entries are only ever appended.
const MIGRATIONS: [&str; 4] = [FORMAT_1, FORMAT_2, FORMAT_3, FORMAT_4];

// Times are microseconds since 1970 UTC, set by the program. Large texts come last in their row, so
// that the columns before them are read without following their pages. The texts of definitions,
// ensembles and benchmarks never change once written. Every process reads all of this when it opens
// the store, so it is short.
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

-- seed: the 64 bits as a signed integer. drawn: whether the definition draws the rows; null until
-- needed. vectors: the rows as JSON, if no file has them.
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
    drawn INTEGER,
    vectors TEXT
);
CREATE INDEX ensemble_definition ON ensemble (definition);

-- policy: that of the last run that had a benchmark, as JSON.
CREATE TABLE test (
    id INTEGER PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
    source TEXT NOT NULL,
    name TEXT NOT NULL,
    benchmark INTEGER REFERENCES benchmark ON DELETE SET NULL,
    claim_run TEXT,
    claim_function TEXT,
    policy TEXT,
    UNIQUE (project, source, name)
);
CREATE INDEX test_benchmark ON test (benchmark);

-- test: the test that has or had it; null until a run or a decision of one comes. digest: null
-- until somebody asks.
CREATE TABLE benchmark (
    id INTEGER PRIMARY KEY,
    uuid BLOB NOT NULL UNIQUE,
    ensemble INTEGER NOT NULL REFERENCES ensemble ON DELETE CASCADE,
    test INTEGER REFERENCES test ON DELETE CASCADE,
    added INTEGER NOT NULL,
    digest TEXT,
    outputs TEXT NOT NULL
);
CREATE INDEX benchmark_ensemble ON benchmark (ensemble);
CREATE INDEX benchmark_test ON benchmark (test);

-- policy: that of the test that left the change, as JSON. shown: when a command last showed it,
-- beside the benchmark with the digest shown_beside. takes, recorded_outputs: see `PendingUpdate`.
-- shown_outputs: those that a command showed before a run left others.
CREATE TABLE pending (
    test INTEGER PRIMARY KEY REFERENCES test ON DELETE CASCADE,
    uuid BLOB NOT NULL,
    ensemble INTEGER NOT NULL REFERENCES ensemble ON DELETE CASCADE,
    added INTEGER NOT NULL,
    policy TEXT,
    takes TEXT,
    shown INTEGER,
    shown_beside TEXT,
    outputs TEXT NOT NULL,
    recorded_outputs TEXT,
    shown_outputs TEXT
);
CREATE INDEX pending_ensemble ON pending (ensemble);

-- n: on the newest of a benchmark, how many it has had so far. facts: those of the run, as JSON;
-- null where only a server saw it. origin: the address of the server that it was pulled from; null
-- if it was made here.
CREATE TABLE assertion (
    benchmark INTEGER NOT NULL REFERENCES benchmark ON DELETE CASCADE,
    timestamp INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    n INTEGER NOT NULL,
    asserted INTEGER NOT NULL,
    facts TEXT,
    origin TEXT,
    PRIMARY KEY (benchmark, timestamp, uuid)
) WITHOUT ROWID;

-- benchmark: the one that the decision made. from_…: the earlier identity, of kind `renamed`.
-- origin: as of an assertion. It only grows: a test or benchmark that has decisions stays.
CREATE TABLE decision (
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

-- Immutable texts from a server by their identity. used: when last.
CREATE TABLE download (
    key TEXT PRIMARY KEY,
    used INTEGER NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX download_used ON download (used);

CREATE TABLE tombstone (
    uuid BLOB PRIMARY KEY,
    kind TEXT NOT NULL,
    object BLOB NOT NULL,
    deleted INTEGER NOT NULL,
    revived INTEGER NOT NULL
) WITHOUT ROWID;

-- project, account, epoch, synced: what was last synchronised there, and when.
CREATE TABLE remote (
    url TEXT NOT NULL,
    project BLOB NOT NULL,
    account TEXT NOT NULL,
    epoch BLOB NOT NULL,
    synced INTEGER NOT NULL,
    PRIMARY KEY (url, project)
) WITHOUT ROWID;
";

// replaces: the digest of the outputs that the benchmark's outputs replace.
const FORMAT_2: &str = "ALTER TABLE decision ADD COLUMN replaces TEXT";

// through: the channel by which it reached the server that it was pulled from. The outputs of a
// benchmark that no test has may be a BLOB: see `archive`.
const FORMAT_3: &str = "ALTER TABLE decision ADD COLUMN through TEXT";

// arrived: the time when that server received it, if it is dated later.
const FORMAT_4: &str = "ALTER TABLE decision ADD COLUMN arrived INTEGER";

/// Refuses a database with tables or indexes that no format has: the file may have come with a
/// checkout, and a table could actually be an endless view. No query has run at this point.
pub(super) fn check(connection: &Connection) -> Result<(), StoreProblem> {
    applied_of(connection, MIGRATIONS.len())?;
    // SQLite's own objects have such names, which no other table or index can have.
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
            return Err(StoreProblem::Corrupt(what.into()));
        }
    }
    Ok(())
}

/// Migrates the database to the format of this tdg. Usually this only reads two numbers.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), StoreProblem> {
    apply(connection, &MIGRATIONS)
}

fn apply(connection: &mut Connection, migrations: &[&str]) -> Result<(), StoreProblem> {
    if applied_of(connection, migrations.len())? == migrations.len() {
        return Ok(());
    }
    // Recreating a table must not delete the rows that refer to it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, false)?;
    // Another process may have migrated while this one waited for the lock.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for migration in &migrations[applied_of(&transaction, migrations.len())?..] {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", migrations.len() as i64)?;
    Ok(transaction.commit()?)
}

/// Returns the number of applied migrations, of `most`.
fn applied_of(connection: &Connection, most: usize) -> Result<usize, StoreProblem> {
    // Read by pragmas, since the file could have tables of these names.
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    // In this order, since a process that creates the tables meanwhile writes both at once.
    let (found, program) = (number("user_version")?, number("application_id")?);
    match (program, usize::try_from(found)) {
        (0, Ok(0)) => Ok(0),
        (0, _) => Err(StoreProblem::Unreleased),
        (APPLICATION_ID, Ok(applied)) if applied <= most => Ok(applied),
        (APPLICATION_ID, Ok(_)) => Err(StoreProblem::Newer {
            found,
            supported: most as i64,
        }),
        (APPLICATION_ID, Err(_)) => Err(StoreProblem::Corrupt(
            format!("its format is {found}").into(),
        )),
        _ => Err(StoreProblem::Foreign),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_of_an_earlier_format_is_migrated_once() {
        let mut store = Connection::open_in_memory().unwrap();
        apply(&mut store, &MIGRATIONS).unwrap();
        let project = "INSERT INTO project (uuid, name, added) VALUES (x'00', 'shop', 1)";
        store.execute_batch(project).unwrap();
        let size = "ALTER TABLE project ADD COLUMN size INTEGER NOT NULL DEFAULT 7";
        let later = [&MIGRATIONS[..], &[size]].concat();
        for _ in 0..2 {
            apply(&mut store, &later).unwrap();
        }
        let sql = "SELECT name || size FROM project";
        let found: String = store.query_row(sql, [], |row| row.get(0)).unwrap();
        assert_eq!(found, "shop7");
        let newer = migrate(&mut store).unwrap_err();
        assert!(matches!(
            newer,
            StoreProblem::Newer {
                found: 5,
                supported: 4
            }
        ));
    }

    #[test]
    fn other_databases_are_refused() {
        let of = |program: i64, format: i64| {
            let mut store = Connection::open_in_memory().unwrap();
            store
                .pragma_update(None, "application_id", program)
                .unwrap();
            store.pragma_update(None, "user_version", format).unwrap();
            migrate(&mut store).map_err(|it| format!("{it:?}"))
        };
        assert_eq!(of(0, 0), Ok(()));
        assert_eq!(of(0, 1).unwrap_err(), "Unreleased");
        assert_eq!(of(0x7464_6773, 1).unwrap_err(), "Foreign");
        let damaged = of(APPLICATION_ID, -1).unwrap_err();
        assert_eq!(damaged, r#"Corrupt("its format is -1")"#);
    }
}
