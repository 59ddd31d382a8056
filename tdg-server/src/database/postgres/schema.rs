//! The tables, and how those of earlier versions are migrated.

use tdg_service::{Result, ServiceError, Timestamp};
use tokio_postgres::error::SqlState;

use super::error::{DbError, DbResult};
use super::pool::Pool;

/// One entry for each version; entries are only ever added.
const MIGRATIONS: [&str; 1] = [TABLES];

// Times are microseconds since 1970 UTC. An assertion has no foreign key: checking it would make
// all assertions of one benchmark wait for the same row. Deleting a benchmark deletes them by name.
const TABLES: &str = "
CREATE TABLE account (
    id bigint PRIMARY KEY,
    name text NOT NULL UNIQUE
);
CREATE TABLE api_key (
    prefix text PRIMARY KEY,
    hash bytea NOT NULL,
    account bigint NOT NULL REFERENCES account (id),
    name text NOT NULL,
    scopes smallint NOT NULL,
    added bigint NOT NULL,
    expires bigint,
    revoked bigint
);
CREATE TABLE project (
    uuid uuid PRIMARY KEY,
    account bigint NOT NULL,
    added bigint NOT NULL,
    name text NOT NULL
);
CREATE INDEX project_account ON project (account, added, uuid);
CREATE TABLE definition (
    uuid uuid PRIMARY KEY,
    project uuid NOT NULL REFERENCES project (uuid) ON DELETE CASCADE,
    account bigint NOT NULL,
    added bigint NOT NULL,
    text text NOT NULL
);
CREATE INDEX definition_project ON definition (project, added, uuid);
CREATE INDEX definition_account ON definition (account, added, uuid);
CREATE TABLE ensemble (
    uuid uuid PRIMARY KEY,
    definition uuid NOT NULL REFERENCES definition (uuid) ON DELETE CASCADE,
    account bigint NOT NULL,
    added bigint NOT NULL,
    name text NOT NULL,
    size integer NOT NULL,
    seed bigint NOT NULL,
    sampler_version integer NOT NULL,
    digest text NOT NULL
);
CREATE INDEX ensemble_definition ON ensemble (definition, added, uuid);
CREATE TABLE packed_rows (
    ensemble uuid PRIMARY KEY REFERENCES ensemble (uuid) ON DELETE CASCADE,
    gzip bytea NOT NULL
);
CREATE TABLE benchmark (
    uuid uuid PRIMARY KEY,
    ensemble uuid NOT NULL REFERENCES ensemble (uuid) ON DELETE CASCADE,
    definition uuid NOT NULL,
    account bigint NOT NULL,
    added bigint NOT NULL,
    digest text NOT NULL,
    policy text,
    outputs text NOT NULL
);
CREATE INDEX benchmark_ensemble ON benchmark (ensemble, added, uuid);
CREATE TABLE assertion (
    benchmark uuid NOT NULL,
    uuid uuid NOT NULL,
    timestamp bigint NOT NULL,
    asserted boolean NOT NULL,
    PRIMARY KEY (benchmark, uuid)
);
CREATE TABLE idempotency (
    account bigint NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    made uuid NOT NULL,
    added bigint NOT NULL,
    PRIMARY KEY (account, key)
);
CREATE INDEX idempotency_added ON idempotency (added);
";

/// Brings the tables up to date. Servers that start at once take turns: each migration begins with
/// a row that only one of them can write.
pub(super) async fn migrate(pool: &Pool) -> Result<()> {
    pool.query((), |client, ()| {
        Box::pin(async {
            let sql = "CREATE TABLE IF NOT EXISTS tdg_migration (
                 version integer PRIMARY KEY, applied bigint NOT NULL)";
            retry_if_overtaken(client.batch_execute(sql).await)
        })
    })
    .await?;
    pool.query((), |client, ()| {
        Box::pin(async {
            let sql = "SELECT max(version) FROM tdg_migration";
            let row = client.query_one(sql, &[]).await?;
            let found: i32 = row.try_get::<_, Option<i32>>(0)?.unwrap_or_default();
            let known = MIGRATIONS.len();
            if usize::try_from(found).is_ok_and(|found| found <= known) {
                return Ok(());
            }
            let message = format!(
                "the tables have version {found}, and this tdg-server reads versions up to \
                 {known}: run the version that created them, or a later one"
            );
            Err(ServiceError::unavailable(message).into())
        })
    })
    .await?;
    for (version, migration) in (1_i32..).zip(MIGRATIONS) {
        pool.transaction((version, migration), |transaction, (version, migration)| {
            Box::pin(async move {
                let applied = "SELECT 1 FROM tdg_migration WHERE version = $1";
                if transaction.query_opt(applied, &[version]).await?.is_some() {
                    return Ok(());
                }
                let now = Timestamp::now().as_micros();
                let sql = "INSERT INTO tdg_migration (version, applied) VALUES ($1, $2)";
                retry_if_overtaken(transaction.execute(sql, &[version, &now]).await)?;
                retry_if_overtaken(transaction.batch_execute(migration).await)
            })
        })
        .await?;
    }
    Ok(())
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
