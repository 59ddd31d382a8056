//! The tables, and how those of earlier versions are migrated.
//!
//! A migration is a list of steps, each one statement that may be repeated. A step is recorded in
//! the transaction that does it. Not every engine undoes what a transaction has done to tables: if
//! a server dies there, the next one repeats that step and goes on.

use deadpool_postgres::{Client, Transaction};
use tdg_service::{Result, ServiceError, Timestamp, Uuid};
use tokio_postgres::error::SqlState;

use super::error::{DbError, DbResult};
use super::pool::Pool;

/// The version of these tables. `tdg_migration` has it from the first step on, so that servers of
/// earlier versions refuse tables that are on their way.
const VERSION: i32 = 3;

// Times are microseconds since 1970 UTC. Every key begins with the account, except for the small
// tables that every node of a distributed engine can have. `bytes` is the length of the large
// value that belongs to the row, so that usage is known without reading it. `int4`, because
// `integer` has 64 bits in other engines.
//
// Foreign keys do not cascade: deleting an object removes the rows beneath it one table at a time,
// and fails if another request adds one meanwhile. Assertions, outputs and rows have none: checking
// it would make all assertions of a benchmark wait for the same row, and they are deleted in parts,
// long after their owner (see `garbage`).
const TABLES: [&str; 21] = [
    "CREATE TABLE IF NOT EXISTS account (
         id bigint PRIMARY KEY,
         name text NOT NULL UNIQUE,
         limits text
     )",
    "CREATE TABLE IF NOT EXISTS api_key (
         prefix text PRIMARY KEY,
         hash bytea NOT NULL,
         account bigint NOT NULL REFERENCES account (id),
         name text NOT NULL,
         scopes smallint NOT NULL,
         added bigint NOT NULL,
         expires bigint,
         revoked bigint,
         used bigint
     )",
    "CREATE TABLE IF NOT EXISTS project (
         account bigint NOT NULL,
         uuid uuid NOT NULL,
         added bigint NOT NULL,
         name text NOT NULL,
         PRIMARY KEY (account, uuid)
     )",
    "CREATE INDEX IF NOT EXISTS project_by_time ON project (account, added, uuid)",
    "CREATE TABLE IF NOT EXISTS definition (
         account bigint NOT NULL,
         uuid uuid NOT NULL,
         project uuid NOT NULL,
         added bigint NOT NULL,
         bytes bigint NOT NULL,
         text text NOT NULL,
         PRIMARY KEY (account, uuid),
         FOREIGN KEY (account, project) REFERENCES project (account, uuid)
     )",
    "CREATE INDEX IF NOT EXISTS definition_by_project
         ON definition (account, project, added, uuid)",
    "CREATE INDEX IF NOT EXISTS definition_by_time ON definition (account, added, uuid)",
    "CREATE TABLE IF NOT EXISTS ensemble (
         account bigint NOT NULL,
         uuid uuid NOT NULL,
         definition uuid NOT NULL,
         added bigint NOT NULL,
         name text NOT NULL,
         size int4 NOT NULL,
         seed bigint NOT NULL,
         sampler_version int4 NOT NULL,
         digest text NOT NULL,
         bytes bigint NOT NULL,
         PRIMARY KEY (account, uuid),
         FOREIGN KEY (account, definition) REFERENCES definition (account, uuid)
     )",
    "CREATE INDEX IF NOT EXISTS ensemble_by_definition
         ON ensemble (account, definition, added, uuid)",
    "CREATE TABLE IF NOT EXISTS packed_rows (
         account bigint NOT NULL,
         ensemble uuid NOT NULL,
         gzip bytea NOT NULL,
         PRIMARY KEY (account, ensemble)
     )",
    "CREATE TABLE IF NOT EXISTS benchmark (
         account bigint NOT NULL,
         uuid uuid NOT NULL,
         ensemble uuid NOT NULL,
         definition uuid NOT NULL,
         added bigint NOT NULL,
         digest text NOT NULL,
         policy text,
         bytes bigint NOT NULL,
         changes bigint NOT NULL,
         kept_since bigint,
         PRIMARY KEY (account, uuid),
         FOREIGN KEY (account, ensemble) REFERENCES ensemble (account, uuid)
     )",
    "CREATE INDEX IF NOT EXISTS benchmark_by_ensemble
         ON benchmark (account, ensemble, added, uuid)",
    "CREATE TABLE IF NOT EXISTS outputs (
         account bigint NOT NULL,
         benchmark uuid NOT NULL,
         text text NOT NULL,
         PRIMARY KEY (account, benchmark)
     )",
    "CREATE TABLE IF NOT EXISTS assertion (
         account bigint NOT NULL,
         benchmark uuid NOT NULL,
         timestamp bigint NOT NULL,
         uuid uuid NOT NULL,
         asserted boolean NOT NULL,
         PRIMARY KEY (account, benchmark, timestamp, uuid)
     )",
    // made: the object. made_at: the time of an assertion.
    "CREATE TABLE IF NOT EXISTS idempotency (
         account bigint NOT NULL,
         key text NOT NULL,
         fingerprint bytea NOT NULL,
         made uuid NOT NULL,
         made_at bigint,
         added bigint NOT NULL,
         PRIMARY KEY (account, key)
     )",
    "CREATE INDEX IF NOT EXISTS idempotency_added ON idempotency (added)",
    // An object that a request has deleted; what was beneath it has none.
    "CREATE TABLE IF NOT EXISTS tombstone (
         account bigint NOT NULL,
         uuid uuid NOT NULL,
         kind text NOT NULL,
         deleted bigint NOT NULL,
         PRIMARY KEY (account, uuid)
     )",
    // kind: the table whose rows are to be removed. uuid: their owner, which was deleted then.
    "CREATE TABLE IF NOT EXISTS garbage (
         account bigint NOT NULL,
         kind text NOT NULL,
         uuid uuid NOT NULL,
         deleted bigint NOT NULL,
         PRIMARY KEY (account, kind, uuid)
     )",
    // account: 0 if there is none. key: its prefix. kind and object: what was changed.
    "CREATE TABLE IF NOT EXISTS audit (
         account bigint NOT NULL,
         at bigint NOT NULL,
         uuid uuid NOT NULL,
         key text,
         address text,
         action text NOT NULL,
         kind text,
         object uuid,
         status int4 NOT NULL,
         request text,
         PRIMARY KEY (account, at, uuid)
     )",
    // epoch: identifies the database; one that was restored from a backup is another.
    "CREATE TABLE IF NOT EXISTS server (
         id int4 PRIMARY KEY,
         epoch uuid NOT NULL
     )",
    "INSERT INTO server (id, epoch) VALUES (1, '{epoch}') ON CONFLICT DO NOTHING",
];

/// Version 3, for synchronising. identity: that of the content, once the project is synchronised.
/// run: what an assertion tells of its run, JSON. A record is stored as it is, JSON; about: the
/// object of a tombstone, the tombstone of a revival.
const RECORDS: [&str; 9] = [
    "ALTER TABLE definition ADD COLUMN IF NOT EXISTS identity uuid",
    "ALTER TABLE ensemble ADD COLUMN IF NOT EXISTS identity uuid",
    "ALTER TABLE benchmark ADD COLUMN IF NOT EXISTS identity uuid",
    "ALTER TABLE assertion ADD COLUMN IF NOT EXISTS run text",
    "CREATE INDEX IF NOT EXISTS definition_by_identity ON definition (account, identity)",
    "CREATE INDEX IF NOT EXISTS ensemble_by_identity ON ensemble (account, identity)",
    "CREATE INDEX IF NOT EXISTS benchmark_by_identity ON benchmark (account, identity)",
    "CREATE TABLE IF NOT EXISTS record (
         account bigint NOT NULL,
         project uuid NOT NULL,
         kind text NOT NULL,
         uuid uuid NOT NULL,
         about uuid,
         body text NOT NULL,
         PRIMARY KEY (account, project, kind, uuid)
     )",
    "CREATE INDEX IF NOT EXISTS record_by_about ON record (account, about)",
];

/// Before the tables, from version 1: its tables make room.
const RENAME_VERSION_1: [&str; 7] = [
    "ALTER TABLE IF EXISTS assertion RENAME TO old_assertion",
    "ALTER TABLE IF EXISTS packed_rows RENAME TO old_packed_rows",
    "ALTER TABLE IF EXISTS benchmark RENAME TO old_benchmark",
    "ALTER TABLE IF EXISTS ensemble RENAME TO old_ensemble",
    "ALTER TABLE IF EXISTS definition RENAME TO old_definition",
    "ALTER TABLE IF EXISTS project RENAME TO old_project",
    "ALTER TABLE idempotency ADD COLUMN IF NOT EXISTS made_at bigint",
];

/// After the tables, from version 1: its rows are copied, and its tables go.
const COPY_VERSION_1: [&str; 16] = [
    "ALTER TABLE account ADD COLUMN IF NOT EXISTS limits text",
    "ALTER TABLE api_key ADD COLUMN IF NOT EXISTS used bigint",
    "INSERT INTO project (account, uuid, added, name)
         SELECT account, uuid, added, name FROM old_project",
    "INSERT INTO definition (account, uuid, project, added, bytes, text)
         SELECT account, uuid, project, added, octet_length(text), text FROM old_definition",
    "INSERT INTO ensemble (account, uuid, definition, added, name, size, seed, sampler_version,
             digest, bytes)
         SELECT account, uuid, definition, added, name, size, seed, sampler_version, digest,
             octet_length(gzip)
         FROM old_ensemble JOIN old_packed_rows ON old_packed_rows.ensemble = old_ensemble.uuid",
    "INSERT INTO packed_rows (account, ensemble, gzip)
         SELECT account, uuid, gzip
         FROM old_ensemble JOIN old_packed_rows ON old_packed_rows.ensemble = old_ensemble.uuid",
    "INSERT INTO benchmark (account, uuid, ensemble, definition, added, digest, policy, bytes,
             changes)
         SELECT account, uuid, ensemble, definition, added, digest, policy, octet_length(outputs), 0
         FROM old_benchmark",
    "INSERT INTO outputs (account, benchmark, text) SELECT account, uuid, outputs FROM old_benchmark",
    "INSERT INTO assertion (account, benchmark, timestamp, uuid, asserted)
         SELECT old_benchmark.account, old_assertion.benchmark, old_assertion.timestamp,
             old_assertion.uuid, old_assertion.asserted
         FROM old_assertion JOIN old_benchmark ON old_benchmark.uuid = old_assertion.benchmark",
    "UPDATE idempotency SET made_at = old_assertion.timestamp
         FROM old_assertion WHERE old_assertion.uuid = idempotency.made",
    "DROP TABLE IF EXISTS old_assertion",
    "DROP TABLE IF EXISTS old_benchmark",
    "DROP TABLE IF EXISTS old_packed_rows",
    "DROP TABLE IF EXISTS old_ensemble",
    "DROP TABLE IF EXISTS old_definition",
    "DROP TABLE IF EXISTS old_project",
];

/// The tables that know how far migrating has come.
const PROGRESS: [&str; 2] = [
    "CREATE TABLE IF NOT EXISTS tdg_migration (
         version int4 PRIMARY KEY, applied bigint NOT NULL)",
    "CREATE TABLE IF NOT EXISTS tdg_migration_step (
         version int4, step int4, applied bigint NOT NULL, PRIMARY KEY (version, step))",
];

/// The first step.
const BEGIN: &str =
    "INSERT INTO tdg_migration (version, applied) VALUES ({version}, {now}) ON CONFLICT DO NOTHING";

/// Brings the tables up to date. Servers that start at once take turns: each step begins with a row
/// that only one of them can write.
pub(super) async fn migrate(pool: &Pool) -> Result<()> {
    pool.query((), |client, ()| Box::pin(refuse_others(client)))
        .await?;
    for table in PROGRESS {
        pool.query(table, |client, table| {
            Box::pin(async { retry_if_overtaken(client.batch_execute(table).await) })
        })
        .await?;
    }
    let found = pool
        .query((), |client, ()| Box::pin(Progress::find(client)))
        .await?;
    if found.version > VERSION {
        return Err(ServiceError::unavailable(format!(
            "the tables have version {}, and this tdg-server reads versions up to {VERSION}; \
             nothing was changed: run the version that created them, or a later one",
            found.version
        )));
    }
    let mut version_2 = vec![BEGIN];
    if found.has_version_1 {
        version_2.extend(RENAME_VERSION_1);
    }
    version_2.extend(TABLES);
    if found.has_version_1 {
        version_2.extend(COPY_VERSION_1);
    }
    let version_3 = [BEGIN].into_iter().chain(RECORDS).collect();
    for (version, steps) in [(2, version_2), (VERSION, version_3)] {
        let taken = pool.query(version, |client, version| {
            Box::pin(steps_taken(client, *version))
        });
        if taken.await? == steps.len() as i64 {
            continue;
        }
        for (step, sql) in (0_i32..).zip(steps) {
            let now = Timestamp::now().as_micros().to_string();
            let sql = sql
                .replace("{version}", &version.to_string())
                .replace("{now}", &now)
                .replace("{epoch}", &Uuid::new_v4().to_string());
            pool.long_transaction((version, step, sql), |transaction, (version, step, sql)| {
                Box::pin(take(transaction, *version, *step, sql))
            })
            .await?;
        }
    }
    Ok(())
}

/// How many steps towards a version were taken.
async fn steps_taken(client: &Client, version: i32) -> DbResult<i64> {
    let sql = "SELECT count(*) FROM tdg_migration_step WHERE version = $1";
    Ok(client.query_one(sql, &[&version]).await?.try_get(0)?)
}

/// Refuses a schema where somebody else's table has the name of one of these. `tdg_migration` is
/// there before any other of the server's.
async fn refuse_others(client: &Client) -> DbResult<()> {
    let sql = "SELECT table_name::text FROM information_schema.tables
         WHERE table_schema = current_schema() AND table_name IN (
             'tdg_migration', 'account', 'api_key', 'project', 'definition', 'ensemble',
             'packed_rows', 'benchmark', 'outputs', 'assertion', 'idempotency', 'tombstone',
             'garbage', 'audit', 'server', 'record')";
    let rows = client.query(sql, &[]).await?;
    let tables = rows.iter().map(|row| row.try_get(0));
    let tables: Vec<&str> = tables.collect::<std::result::Result<_, _>>()?;
    match tables[..] {
        [other, ..] if !tables.contains(&"tdg_migration") => {
            Err(ServiceError::unavailable(format!(
                "the schema has a table `{other}` that tdg-server did not create; nothing was \
                 changed: give the server a database of its own, or a schema of its own \
                 (`CREATE SCHEMA tdg`, and `?options=-csearch_path%3Dtdg` in the URL)"
            ))
            .into())
        }
        _ => Ok(()),
    }
}

/// Takes a step that was not yet taken.
async fn take(transaction: &Transaction<'_>, version: i32, step: i32, sql: &str) -> DbResult<()> {
    let record = "INSERT INTO tdg_migration_step (version, step, applied) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING";
    let now = Timestamp::now().as_micros();
    // This waits for another server that is taking it.
    let recorded = transaction
        .execute(record, &[&version, &step, &now])
        .await?;
    if recorded == 0 {
        return Ok(());
    }
    retry_if_overtaken(transaction.batch_execute(sql).await)
}

struct Progress {
    /// The latest version that the tables have, or are on their way to.
    version: i32,
    has_version_1: bool,
}

impl Progress {
    async fn find(client: &Client) -> DbResult<Self> {
        let sql = "SELECT max(version)::int4, min(version)::int4 FROM tdg_migration";
        let row = client.query_one(sql, &[]).await?;
        let version: Option<i32> = row.try_get(0)?;
        Ok(Progress {
            version: version.unwrap_or_default(),
            has_version_1: row.try_get::<_, Option<i32>>(1)? == Some(1),
        })
    }
}

/// Another server was faster: look again.
fn retry_if_overtaken<T>(result: std::result::Result<T, tokio_postgres::Error>) -> DbResult<T> {
    const OVERTAKEN: [&SqlState; 4] = [
        &SqlState::UNIQUE_VIOLATION,
        &SqlState::DUPLICATE_TABLE,
        &SqlState::DUPLICATE_OBJECT,
        &SqlState::INTERNAL_ERROR,
    ];
    result.map_err(|error| match error.code() {
        Some(code) if OVERTAKEN.contains(&code) => DbError::Conflict,
        _ => error.into(),
    })
}
