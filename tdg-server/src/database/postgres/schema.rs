//! The tables, and their migration from earlier versions.
//!
//! A migration is a list of steps. Each is one statement that may be repeated, and is recorded in
//! the same transaction. Not every engine rolls back changes to tables, so if a server dies during
//! a step, the next one repeats it and continues.

use tdg_service::{Result, ServiceError, Timestamp, Uuid};
use tokio_postgres::error::SqlState;

use super::pool::Pool;
use crate::account::Account;
use crate::database::error::{DatabaseError, DatabaseResult};
use crate::database::pending_operation::PendingWork;
use crate::database::session::DatabaseSession;
use crate::database::sql::sql;

/// The steps to each version. The first step of a version adds it to `tdg_version`, so that servers
/// of earlier versions refuse tables that are being migrated.
const VERSIONS: [&[&str]; 5] = [&VERSION_1, &VERSION_2, &VERSION_3, &VERSION_4, &VERSION_5];

// Times are microseconds since 1970 UTC. Every key begins with the account, except in small tables
// that every node of a distributed engine can have. `bytes` is the length of the row's large value,
// so that usage can be computed without reading it. `int4` is used because `integer` has 64 bits in
// other engines.
//
// Foreign keys do not cascade: deleting an object removes the rows beneath it one table at a time,
// and fails if another request adds one in between. Assertions, outputs and rows have none:
// checking it would make all assertions of a benchmark wait for the same row, and they are deleted
// in parts, long after their owner (see `garbage`).
const VERSION_1: [&str; 27] = [
    BEGIN,
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
         identity uuid,
         bytes bigint NOT NULL,
         text text NOT NULL,
         PRIMARY KEY (account, uuid),
         FOREIGN KEY (account, project) REFERENCES project (account, uuid)
     )",
    "CREATE INDEX IF NOT EXISTS definition_by_project
         ON definition (account, project, added, uuid)",
    "CREATE INDEX IF NOT EXISTS definition_by_time ON definition (account, added, uuid)",
    "CREATE INDEX IF NOT EXISTS definition_by_identity ON definition (account, identity)",
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
         identity uuid,
         bytes bigint NOT NULL,
         PRIMARY KEY (account, uuid),
         FOREIGN KEY (account, definition) REFERENCES definition (account, uuid)
     )",
    "CREATE INDEX IF NOT EXISTS ensemble_by_definition
         ON ensemble (account, definition, added, uuid)",
    "CREATE INDEX IF NOT EXISTS ensemble_by_identity ON ensemble (account, identity)",
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
         identity uuid,
         bytes bigint NOT NULL,
         changes bigint NOT NULL,
         kept_since bigint,
         PRIMARY KEY (account, uuid),
         FOREIGN KEY (account, ensemble) REFERENCES ensemble (account, uuid)
     )",
    "CREATE INDEX IF NOT EXISTS benchmark_by_ensemble
         ON benchmark (account, ensemble, added, uuid)",
    "CREATE INDEX IF NOT EXISTS benchmark_by_identity ON benchmark (account, identity)",
    "CREATE TABLE IF NOT EXISTS outputs (
         account bigint NOT NULL,
         benchmark uuid NOT NULL,
         text text NOT NULL,
         PRIMARY KEY (account, benchmark)
     )",
    // run: the data on the run, JSON.
    "CREATE TABLE IF NOT EXISTS assertion (
         account bigint NOT NULL,
         benchmark uuid NOT NULL,
         timestamp bigint NOT NULL,
         uuid uuid NOT NULL,
         asserted boolean NOT NULL,
         run text,
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
    // An object that a request has deleted. The objects beneath it have no tombstone.
    "CREATE TABLE IF NOT EXISTS tombstone (
         account bigint NOT NULL,
         uuid uuid NOT NULL,
         kind text NOT NULL,
         deleted bigint NOT NULL,
         PRIMARY KEY (account, uuid)
     )",
    // kind: the table whose rows are to be removed. uuid: their deleted owner.
    "CREATE TABLE IF NOT EXISTS garbage (
         account bigint NOT NULL,
         kind text NOT NULL,
         uuid uuid NOT NULL,
         deleted bigint NOT NULL,
         PRIMARY KEY (account, kind, uuid)
     )",
    // account: 0 without one. key: its prefix. kind and object: the changed object.
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
    // A synchronized record that is stored verbatim, JSON. about: the object of a tombstone, or the
    // tombstone of a revival.
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
    // epoch: identifies the database. One that was restored from a backup has another.
    "CREATE TABLE IF NOT EXISTS server (
         id int4 PRIMARY KEY,
         epoch uuid NOT NULL
     )",
    "INSERT INTO server (id, epoch) VALUES (1, '{epoch}') ON CONFLICT DO NOTHING",
];

// Columns and indexes for pages: the runs and decisions of a test, and signed-in users.
const VERSION_2: [&str; 10] = [
    BEGIN,
    "ALTER TABLE assertion ADD COLUMN IF NOT EXISTS test uuid",
    "UPDATE assertion SET test = CAST(substring(run, '\"test\":\"([0-9a-f-]{36})\"') AS uuid)
         WHERE run IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS assertion_by_test ON assertion (account, test, timestamp, uuid)
         WHERE test IS NOT NULL",
    "ALTER TABLE record ADD COLUMN IF NOT EXISTS test uuid",
    "UPDATE record SET test = CAST(substring(body, '\"test\":\"([0-9a-f-]{36})\"') AS uuid)
         WHERE kind = 'decision'",
    "CREATE INDEX IF NOT EXISTS record_by_test ON record (account, test, uuid)
         WHERE test IS NOT NULL",
    // hash: of the identifier in the browser, 32 bytes. key: its prefix. used: to some minutes.
    "CREATE TABLE IF NOT EXISTS session (
         hash bytea PRIMARY KEY,
         key text NOT NULL,
         begun bigint NOT NULL,
         used bigint NOT NULL
     )",
    "CREATE INDEX IF NOT EXISTS session_by_time ON session (begun)",
    // Keys that could write could also delete.
    "UPDATE api_key SET scopes = scopes + 8 WHERE scopes >= 4 AND scopes < 8",
];

const VERSION_3: [&str; 19] = [
    BEGIN,
    // branch: the run's branch, if given. One with an escaped character is left out.
    "ALTER TABLE assertion ADD COLUMN IF NOT EXISTS branch text",
    "UPDATE assertion SET branch = substring(run, '\"branch\":\"([^\"\\\\]*)\"')
         WHERE run IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS assertion_by_branch
         ON assertion (account, test, branch, timestamp, uuid) WHERE branch IS NOT NULL",
    // Deleted data that is kept, with the columns of its original tables. object: the object that a
    // request has deleted, with its children. key: its prefix.
    "CREATE TABLE IF NOT EXISTS deletion (
         account bigint NOT NULL,
         uuid uuid NOT NULL,
         object uuid NOT NULL,
         kind text NOT NULL,
         deleted bigint NOT NULL,
         key text,
         address text,
         PRIMARY KEY (account, uuid)
     )",
    "CREATE INDEX IF NOT EXISTS deletion_by_time ON deletion (deleted)",
    "CREATE TABLE IF NOT EXISTS deleted_project (
         LIKE project, deletion uuid NOT NULL, PRIMARY KEY (account, deletion, uuid))",
    "CREATE TABLE IF NOT EXISTS deleted_definition (
         LIKE definition, deletion uuid NOT NULL, PRIMARY KEY (account, deletion, uuid))",
    "CREATE TABLE IF NOT EXISTS deleted_ensemble (
         LIKE ensemble, deletion uuid NOT NULL, PRIMARY KEY (account, deletion, uuid))",
    "CREATE TABLE IF NOT EXISTS deleted_benchmark (
         LIKE benchmark, deletion uuid NOT NULL, PRIMARY KEY (account, deletion, uuid))",
    "CREATE TABLE IF NOT EXISTS deleted_record (
         LIKE record, deletion uuid NOT NULL, PRIMARY KEY (account, deletion, uuid, kind))",
    "CREATE INDEX IF NOT EXISTS deleted_ensemble_by_uuid ON deleted_ensemble (account, uuid)",
    "CREATE INDEX IF NOT EXISTS deleted_benchmark_by_uuid ON deleted_benchmark (account, uuid)",
    // projects: those that the key is limited to, if any: identifiers with commas between them.
    "ALTER TABLE api_key ADD COLUMN IF NOT EXISTS projects text",
    "CREATE TABLE IF NOT EXISTS webhook (
         account bigint NOT NULL,
         uuid uuid NOT NULL,
         url text NOT NULL,
         secret text NOT NULL,
         added bigint NOT NULL,
         PRIMARY KEY (account, uuid)
     )",
    // A message for a webhook. body: JSON. due: when it is sent, or null if all attempts have
    // failed. error: why the last attempt failed.
    "CREATE TABLE IF NOT EXISTS delivery (
         account bigint NOT NULL,
         uuid uuid NOT NULL,
         webhook uuid NOT NULL,
         body text NOT NULL,
         added bigint NOT NULL,
         due bigint,
         attempts int4 NOT NULL,
         error text,
         PRIMARY KEY (account, uuid)
     )",
    "CREATE INDEX IF NOT EXISTS delivery_by_due ON delivery (due) WHERE due IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS delivery_failed ON delivery (added) WHERE due IS NULL",
    // A device that waits for approval. hash: of its code, 32 bytes. code: for a person to type.
    // key: the prefix of the key that let it in.
    "CREATE TABLE IF NOT EXISTS login (
         hash bytea PRIMARY KEY,
         uuid uuid NOT NULL UNIQUE,
         code text NOT NULL UNIQUE,
         client text NOT NULL,
         address text,
         begun bigint NOT NULL,
         key text,
         denied boolean NOT NULL
     )",
];

// Clocks that are ahead, people named by a proxy, and the parents of keys.
const VERSION_4: [&str; 11] = [
    BEGIN,
    // credible: of a run, the earlier of its time and its arrival.
    "ALTER TABLE assertion ADD COLUMN IF NOT EXISTS credible bigint",
    "UPDATE assertion SET credible = timestamp WHERE test IS NOT NULL",
    "DROP INDEX IF EXISTS assertion_by_test",
    "CREATE INDEX IF NOT EXISTS assertion_by_credible ON assertion (account, test, credible, uuid)
         WHERE test IS NOT NULL",
    // arrived: when a decision with a later date arrived.
    "ALTER TABLE record ADD COLUMN IF NOT EXISTS arrived bigint",
    "ALTER TABLE deleted_record ADD COLUMN IF NOT EXISTS arrived bigint",
    "ALTER TABLE audit ADD COLUMN IF NOT EXISTS person text",
    // let_in_by: the prefix of the key that let it in, if it came from a page.
    "ALTER TABLE api_key ADD COLUMN IF NOT EXISTS let_in_by text",
    // network: of the address. session: the hash of the session that typed the code last.
    "ALTER TABLE login ADD COLUMN IF NOT EXISTS network text",
    "ALTER TABLE login ADD COLUMN IF NOT EXISTS session bytea",
];

// Pauses of webhooks, and the bytes of deletions.
const VERSION_5: [&str; 8] = [
    BEGIN,
    // paused: nothing is sent before this time. failures: the number of consecutive failed
    // attempts.
    "ALTER TABLE webhook ADD COLUMN IF NOT EXISTS paused bigint NOT NULL DEFAULT 0",
    "ALTER TABLE webhook ADD COLUMN IF NOT EXISTS failures bigint NOT NULL DEFAULT 0",
    "CREATE INDEX IF NOT EXISTS delivery_by_webhook ON delivery (account, webhook, uuid)
         WHERE due IS NOT NULL",
    "DROP INDEX IF EXISTS assertion_by_branch",
    "CREATE INDEX IF NOT EXISTS assertion_by_branch
         ON assertion (account, test, branch, credible, uuid) WHERE branch IS NOT NULL",
    // bytes: the size of the kept data, once computed.
    "ALTER TABLE deletion ADD COLUMN IF NOT EXISTS bytes bigint",
    "CREATE INDEX IF NOT EXISTS deletion_uncounted ON deletion (account, uuid)
         WHERE bytes IS NULL",
];

/// The tables that record the progress of migrations.
const PROGRESS: [&str; 2] = [
    "CREATE TABLE IF NOT EXISTS tdg_version (
         version int4 PRIMARY KEY, applied bigint NOT NULL)",
    "CREATE TABLE IF NOT EXISTS tdg_version_step (
         version int4, step int4, applied bigint NOT NULL, PRIMARY KEY (version, step))",
];

/// The first step of every version.
const BEGIN: &str =
    "INSERT INTO tdg_version (version, applied) VALUES ({version}, {now}) ON CONFLICT DO NOTHING";

/// Brings the tables up to date. Servers that start at once take turns: each step begins with a row
/// that only one of them can write.
pub(super) async fn migrate(pool: &Pool) -> Result<()> {
    let server = Account::NONE;
    pool.find(server, (), |session, ()| Box::pin(refuse_others(session)))
        .await?;
    for table in PROGRESS {
        pool.find(server, table, |session, table| {
            Box::pin(create(session, table))
        })
        .await?;
    }
    let found = pool
        .find(server, (), |session, ()| Box::pin(latest_version(session)))
        .await?;
    let supported = VERSIONS.len() as i32;
    if found > supported {
        return Err(ServiceError::unavailable(format!(
            "the tables have version {found}, and this tdg-server reads versions up to {supported}; \
             nothing was changed: run the version that created them, or a later one"
        )));
    }
    for (version, steps) in (1..).zip(VERSIONS) {
        let taken = pool.find(server, version, |session, version| {
            Box::pin(steps_taken(session, *version))
        });
        if taken.await? == steps.len() as i64 {
            continue;
        }
        for (step, sql) in (0_i32..).zip(steps.iter()) {
            let now = Timestamp::now().as_micros().to_string();
            let sql = sql
                .replace("{version}", &version.to_string())
                .replace("{now}", &now)
                .replace("{epoch}", &Uuid::new_v4().to_string());
            let args = (version, step, sql);
            let take = PendingWork::new(server, args, |session, (version, step, sql)| {
                Box::pin(take(session, *version, *step, sql))
            });
            pool.long_transaction(take).await?;
        }
    }
    Ok(())
}

/// Fails if the schema lacks these tables.
pub(super) async fn require(pool: &Pool) -> Result<()> {
    let found = pool.find(Account::NONE, (), |session, ()| {
        Box::pin(refuse_others(session))
    });
    match found.await? {
        true => Ok(()),
        false => Err(ServiceError::unavailable(
            "the schema has no tables of tdg-server: name the database that the servers use, or \
             restore a dump first",
        )),
    }
}

/// Returns the number of steps that were taken towards a version.
async fn steps_taken(session: DatabaseSession<'_>, version: i32) -> DatabaseResult<i64> {
    let sql = sql!(postgres: "SELECT count(*) FROM tdg_version_step WHERE version = $1");
    let counted = session.first(sql, &[&version], |row| row.get(0)).await?;
    Ok(counted.unwrap_or_default())
}

async fn create(session: DatabaseSession<'_>, table: &str) -> DatabaseResult<()> {
    retry_if_overtaken(session.client()?.batch_execute(table).await)
}

/// Refuses a schema in which another program has a table with a name of the server's. `tdg_version`
/// is created before any other table. Returns true if any other exists.
async fn refuse_others(session: DatabaseSession<'_>) -> DatabaseResult<bool> {
    let sql = sql!(postgres: "SELECT table_name::text FROM information_schema.tables
         WHERE table_schema = current_schema() AND table_name IN (
             'tdg_version', 'tdg_migration', 'account', 'api_key', 'project', 'definition', 'ensemble',
             'packed_rows', 'benchmark', 'outputs', 'assertion', 'idempotency', 'tombstone',
             'garbage', 'audit', 'server', 'record', 'session', 'deletion',
             'deleted_project', 'deleted_definition', 'deleted_ensemble', 'deleted_benchmark',
             'deleted_record', 'webhook', 'delivery', 'login')");
    let tables: Vec<String> = session.all(sql, &[], |row| row.get(0)).await?;
    let has = |name: &str| tables.iter().any(|table| table == name);
    match &tables[..] {
        _ if has("tdg_migration") => Err(ServiceError::unavailable(
            "the tables were created by an unreleased tdg-server, whose version no other reads; \
             nothing was changed: give the server a new database or schema",
        )
        .into()),
        [other, ..] if !has("tdg_version") => Err(ServiceError::unavailable(format!(
            "the schema has a table `{other}` that tdg-server did not create; nothing was changed: \
                 give the server a separate database, or a separate schema (`CREATE SCHEMA tdg`, \
                 and `?options=-csearch_path%3Dtdg` in the URL)"
        ))
        .into()),
        _ => Ok(has("account")),
    }
}

/// Takes a step, unless it was taken before.
async fn take(
    session: DatabaseSession<'_>,
    version: i32,
    step: i32,
    sql: &str,
) -> DatabaseResult<()> {
    let record = sql!(
        postgres: "INSERT INTO tdg_version_step (version, step, applied) VALUES ($1, $2, $3)
             ON CONFLICT DO NOTHING"
    );
    let now = Timestamp::now().as_micros();
    // Waits while another server takes the step.
    if session.execute(record, &[&version, &step, &now]).await? == 0 {
        return Ok(());
    }
    retry_if_overtaken(session.client()?.batch_execute(sql).await)
}

/// Returns the latest version that the tables have or are being migrated to.
async fn latest_version(session: DatabaseSession<'_>) -> DatabaseResult<i32> {
    let sql = sql!(postgres: "SELECT max(version)::int4 FROM tdg_version");
    let latest: Option<Option<i32>> = session.first(sql, &[], |row| row.get(0)).await?;
    Ok(latest.flatten().unwrap_or_default())
}

/// Converts the error of a server that was overtaken by another into a retry.
fn retry_if_overtaken<T>(
    result: std::result::Result<T, tokio_postgres::Error>,
) -> DatabaseResult<T> {
    const OVERTAKEN: [&SqlState; 4] = [
        &SqlState::UNIQUE_VIOLATION,
        &SqlState::DUPLICATE_TABLE,
        &SqlState::DUPLICATE_OBJECT,
        &SqlState::INTERNAL_ERROR,
    ];
    result.map_err(|error| match error.code() {
        Some(code) if OVERTAKEN.contains(&code) => DatabaseError::Conflict,
        _ => error.into(),
    })
}
