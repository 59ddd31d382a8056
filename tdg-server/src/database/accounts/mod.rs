//! Accounts.

pub(super) mod audit;
mod browser_sessions;
mod keys;
pub(super) mod logins;

use tdg_service::{Result, ServiceError, Timestamp, Uuid};

use super::Database;
use super::error::{DatabaseError, DatabaseResult};
use super::row::DatabaseRow;
use super::session::DatabaseSession;
use super::sql::{Sql, SqlValues, sql};
use crate::account::{Account, AccountSettings, Usage};
use crate::accounts::Limits;
use keys::new_account;

/// The number of rows that one statement deletes.
const PART: i64 = 10_000;

impl Database {
    pub(crate) async fn settings(&self, account: Account) -> Result<Option<AccountSettings>> {
        self.look_up(account, (), |session, ()| {
            Box::pin(async move {
                let sql = sql!("SELECT name, limits FROM account WHERE id = $1");
                session.first(sql, &[], |row| read(row, 0)).await
            })
        })
        .await
    }

    /// Returns all accounts, ordered by name.
    pub(crate) async fn accounts(&self) -> Result<Vec<(Account, AccountSettings)>> {
        self.query(Account::NONE, (), |session, ()| {
            Box::pin(async move {
                let sql = sql!("SELECT id, name, limits FROM account ORDER BY name");
                session
                    .all(sql, &[], |row| Ok((row.account(0)?, read(row, 1)?)))
                    .await
            })
        })
        .await
    }

    /// Creates an account. Returns false if another has the name.
    pub(crate) async fn create_account(&self, settings: AccountSettings) -> Result<bool> {
        self.write_one(Account::NONE, 0, settings, |session, settings| {
            Box::pin(async move {
                let sql = sql!(
                    "INSERT INTO account (id, name, limits) VALUES ($1, $2, $3)
                     ON CONFLICT DO NOTHING"
                );
                let (id, limits) = (new_account(session), settings.limits.to_text());
                Ok(session
                    .execute(sql, &[&id, &settings.name, &limits])
                    .await?
                    > 0)
            })
        })
        .await
    }

    /// Changes the settings of an account. Returns false if another account has the name.
    pub(crate) async fn change_account(
        &self,
        account: Account,
        settings: AccountSettings,
    ) -> Result<bool> {
        let args = (account, settings);
        self.write_one(Account::NONE, 0, args, |session, (account, settings)| {
            Box::pin(async move {
                let sql = sql!(
                    "UPDATE account SET name = $2, limits = $3 WHERE id = $1
                     AND NOT EXISTS (SELECT 1 FROM account WHERE name = $2 AND id <> $1)"
                );
                let limits = settings.limits.to_text();
                Ok(session
                    .execute(sql, &[&account.0, &settings.name, &limits])
                    .await?
                    > 0)
            })
        })
        .await
    }

    /// Returns an account's usage. Its assertions have to be counted one by one.
    pub(crate) async fn usage(&self, account: Account) -> Result<Usage> {
        self.read(account, (), |session, ()| {
            Box::pin(async move {
                let mut usage = objects(session, ALL, &[]).await?;
                let mut gone = objects(session, GONE, &[]).await?;
                let (all, runs) = counted(session, ALL.assertions, &[]).await?;
                let (deleted, runs_deleted) = counted(session, GONE.assertions, &[]).await?;
                gone.add_assertions(deleted, runs_deleted);
                usage.add_assertions(
                    all.saturating_sub(deleted),
                    runs.saturating_sub(runs_deleted),
                );
                let (keys, length) = counted(session, IDEMPOTENCY_KEYS, &[]).await?;
                usage.bytes += Usage::keys(keys, length);
                let (deletions, garbage) = counted(session, GARBAGE, &[]).await?;
                usage.deleted = gone.bytes + garbage + deletions * Usage::DELETION;
                Ok(usage)
            })
        })
        .await
    }

    /// Returns the usage that undoing a deletion would add to an account.
    pub(crate) async fn usage_of(&self, account: Account, deletion: Uuid) -> Result<Usage> {
        self.read(account, deletion, |session, deletion| {
            Box::pin(async move {
                let mut usage = objects(session, DELETED, &[deletion]).await?;
                let (assertions, runs) = counted(session, DELETED.assertions, &[deletion]).await?;
                usage.add_assertions(assertions, runs);
                Ok(usage)
            })
        })
        .await
    }

    pub(crate) async fn revoke_keys(&self, account: Account) -> Result<()> {
        self.write_one(Account::NONE, 0, account, |session, account| {
            Box::pin(async move {
                let sql =
                    sql!("UPDATE api_key SET revoked = $2 WHERE account = $1 AND revoked IS NULL");
                let now = Timestamp::now().as_micros();
                session.execute(sql, &[&account.0, &now]).await.map(drop)
            })
        })
        .await
    }

    /// Returns some of the account's projects, or an empty list if none are left.
    pub(crate) async fn some_projects(&self, account: Account) -> Result<Vec<Uuid>> {
        self.query(Account::NONE, account, |session, account| {
            Box::pin(async move {
                let sql = sql!("SELECT uuid FROM project WHERE account = $1 LIMIT 100");
                session.all(sql, &[&account.0], |row| row.get(0)).await
            })
        })
        .await
    }

    /// Deletes an account and its keys. Fails if the account has projects.
    pub(crate) async fn delete_account(&self, account: Account) -> Result<()> {
        let parts: [Sql; 3] = [
            sql!(
                "DELETE FROM idempotency WHERE account = $1 AND key IN
                 (SELECT key FROM idempotency WHERE account = $1 LIMIT $2)"
            ),
            sql!(
                "DELETE FROM tombstone WHERE account = $1 AND uuid IN
                 (SELECT uuid FROM tombstone WHERE account = $1 LIMIT $2)"
            ),
            sql!(
                "DELETE FROM record WHERE account = $1 AND (project, kind, uuid) IN
                 (SELECT project, kind, uuid FROM record WHERE account = $1 LIMIT $2)"
            ),
        ];
        for sql in parts {
            let delete_part = || {
                self.write_one(
                    Account::NONE,
                    0,
                    (account, sql),
                    |session, (account, sql)| {
                        Box::pin(async move { session.execute(*sql, &[&account.0, &PART]).await })
                    },
                )
            };
            while delete_part().await? > 0 {}
        }
        self.write(Account::NONE, 0, account, |session, account| {
            Box::pin(async move {
                let sql = sql!("SELECT 1 FROM project WHERE account = $1 LIMIT 1");
                if session.exists(sql, &[&account.0]).await? {
                    return Err(ServiceError::unavailable("the account has projects").into());
                }
                let sql = sql!("DELETE FROM delivery WHERE account = $1");
                session.execute(sql, &[&account.0]).await?;
                let sql = sql!("DELETE FROM webhook WHERE account = $1");
                session.execute(sql, &[&account.0]).await?;
                let sql = sql!("DELETE FROM api_key WHERE account = $1");
                session.execute(sql, &[&account.0]).await?;
                let sql = sql!("DELETE FROM account WHERE id = $1");
                session.execute(sql, &[&account.0]).await.map(drop)
            })
        })
        .await
    }
}

/// Statements that count rows, and the bytes that belong to them.
struct UsageQueries {
    projects: Sql,
    definitions: Sql,
    ensembles: Sql,
    benchmarks: Sql,
    records: Sql,
    assertions: Sql,
}

macro_rules! count {
    ($prefix:literal, $within:literal, assertions: $assertions:literal) => {
        UsageQueries {
            projects: sql!(
                "SELECT count(*), CAST(0 AS bigint) FROM ",
                $prefix,
                "project
                 WHERE account = $1",
                $within
            ),
            definitions: count!($prefix, "definition", $within),
            ensembles: count!($prefix, "ensemble", $within),
            benchmarks: count!($prefix, "benchmark", $within),
            records: sql!(
                "SELECT kind, count(*), CAST(sum(octet_length(body)) AS bigint) FROM ",
                $prefix,
                "record WHERE account = $1",
                $within,
                " GROUP BY kind"
            ),
            assertions: sql!(
                "SELECT count(*), CAST(coalesce(sum(octet_length(run)), 0) AS bigint) FROM ",
                $assertions
            ),
        }
    };
    ($prefix:literal, $table:literal, $within:literal) => {
        sql!(
            "SELECT count(*), CAST(coalesce(sum(bytes), 0) AS bigint) FROM ",
            $prefix,
            $table,
            " WHERE account = $1",
            $within
        )
    };
}

const ALL: UsageQueries = count!("", "", assertions: "assertion WHERE account = $1");

/// The usage of a deletion (`$2`).
const DELETED: UsageQueries = count!(
    "deleted_",
    " AND deletion = $2",
    assertions: "assertion WHERE account = $1 AND benchmark IN (
         SELECT uuid FROM deleted_benchmark WHERE account = $1 AND deletion = $2)"
);

/// The remaining data of all deletions. Assertions stay in their table.
const GONE: UsageQueries = count!(
    "deleted_",
    "",
    assertions: "assertion WHERE account = $1 AND benchmark IN (
         SELECT uuid FROM deleted_benchmark WHERE account = $1
         UNION ALL
         SELECT uuid FROM garbage WHERE account = $1 AND kind = 'assertion')"
);

/// Counts deletions, and the bytes of large values that are to be removed.
const GARBAGE: Sql = sql!(
    "SELECT (SELECT count(*) FROM deletion WHERE account = $1),
         CAST(coalesce(sum(bytes), 0) AS bigint)
     FROM (
         SELECT octet_length(outputs.text) AS bytes FROM garbage
         JOIN outputs ON outputs.account = garbage.account AND outputs.benchmark = garbage.uuid
         WHERE garbage.account = $1 AND garbage.kind = 'outputs'
         UNION ALL
         SELECT octet_length(packed_rows.gzip) AS bytes FROM garbage
         JOIN packed_rows ON packed_rows.account = garbage.account
             AND packed_rows.ensemble = garbage.uuid
         WHERE garbage.account = $1 AND garbage.kind = 'packed_rows'
     ) AS large"
);

const IDEMPOTENCY_KEYS: Sql = sql!(
    "SELECT count(*), CAST(coalesce(sum(octet_length(key)), 0) AS bigint) FROM idempotency
     WHERE account = $1"
);

/// Counts everything except assertions.
async fn objects(
    session: DatabaseSession<'_>,
    of: UsageQueries,
    values: SqlValues<'_>,
) -> DatabaseResult<Usage> {
    let count = async |sql| counted(session, sql, values).await;
    let (projects, _) = count(of.projects).await?;
    let (definitions, texts) = count(of.definitions).await?;
    let (ensembles, rows) = count(of.ensembles).await?;
    let (benchmarks, outputs) = count(of.benchmarks).await?;
    let mut usage = Usage {
        projects,
        definitions,
        ensembles,
        benchmarks,
        bytes: texts + rows + outputs,
        ..Usage::default()
    };
    let add = |row: DatabaseRow<'_>| {
        usage.add_records(row.text(0)?, row.count(1)?, row.count(2)?);
        Ok(())
    };
    session.all(of.records, values, add).await?;
    Ok(usage)
}

async fn counted(
    session: DatabaseSession<'_>,
    sql: Sql,
    values: SqlValues<'_>,
) -> DatabaseResult<(u64, u64)> {
    let read = |row: DatabaseRow<'_>| Ok((row.count(0)?, row.count(1)?));
    Ok(session.first(sql, values, read).await?.unwrap_or_default())
}

/// Reads a name from a column, and limits from the next.
fn read(row: DatabaseRow<'_>, column: usize) -> DatabaseResult<AccountSettings> {
    let limits = Limits::from_text(row.optional_text(column + 1)?);
    Ok(AccountSettings {
        name: row.get(column)?,
        limits: limits.map_err(|error| DatabaseError::corrupt("limits", error))?,
    })
}
