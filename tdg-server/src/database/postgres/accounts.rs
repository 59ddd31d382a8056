//! Accounts.

use async_trait::async_trait;
use tdg_service::{Result, ServiceError, Timestamp, Uuid};
use tokio_postgres::Row;

use super::Postgres;
use super::error::{PostgresError, PostgresResult};
use super::statement::{Param, all, execute, first};
use crate::accounts::Limits;
use crate::database::{Account, AccountSettings, Accounts, Usage};

/// The rows that are deleted in one statement.
const PART: i64 = 10_000;

#[async_trait]
impl Accounts for Postgres {
    async fn settings(&self, account: Account) -> Result<Option<AccountSettings>> {
        self.pool
            .shared_query(account, |client, account| {
                Box::pin(async move {
                    let sql = "SELECT name, limits FROM account WHERE id = $1";
                    let row = first(client, sql, &[&account.0]).await?;
                    row.map(|row| read(&row, 0)).transpose()
                })
            })
            .await
    }

    async fn accounts(&self) -> Result<Vec<(Account, AccountSettings)>> {
        self.pool
            .query((), |client, ()| {
                Box::pin(async {
                    let sql = "SELECT id, name, limits FROM account ORDER BY name";
                    let rows = all(client, sql, &[]).await?;
                    let account = |row: &Row| Ok((Account(row.try_get(0)?), read(row, 1)?));
                    rows.iter().map(account).collect()
                })
            })
            .await
    }

    async fn create_account(&self, settings: AccountSettings) -> Result<bool> {
        self.pool
            .query(settings, |client, settings| {
                Box::pin(async move {
                    let id = (Uuid::new_v4().as_u64_pair().0 >> 1).cast_signed();
                    let sql = "INSERT INTO account (id, name, limits) VALUES ($1, $2, $3)
                         ON CONFLICT DO NOTHING";
                    let limits = settings.limits.to_text();
                    let params: [Param<'_>; 3] = [&id, &settings.name, &limits];
                    Ok(execute(client, sql, &params).await? > 0)
                })
            })
            .await
    }

    async fn change_account(&self, account: Account, settings: AccountSettings) -> Result<bool> {
        self.pool
            .query((account, settings), |client, (account, settings)| {
                Box::pin(async move {
                    let sql = "UPDATE account SET name = $2, limits = $3 WHERE id = $1
                         AND NOT EXISTS (SELECT 1 FROM account WHERE name = $2 AND id <> $1)";
                    let limits = settings.limits.to_text();
                    let params: [Param<'_>; 3] = [&account.0, &settings.name, &limits];
                    Ok(execute(client, sql, &params).await? > 0)
                })
            })
            .await
    }

    async fn usage(&self, account: Account) -> Result<Usage> {
        self.pool
            .read_transaction(account, |transaction, account| {
                Box::pin(async move {
                    let count = async |sql| -> PostgresResult<(u64, u64)> {
                        let Some(row) = first(transaction, sql, &[&account.0]).await? else {
                            return Ok((0, 0));
                        };
                        let (count, bytes): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
                        Ok((count.unsigned_abs(), bytes.unsigned_abs()))
                    };
                    let (projects, _) =
                        count("SELECT count(*), 0::bigint FROM project WHERE account = $1").await?;
                    let (definitions, texts) = count(
                        "SELECT count(*), coalesce(sum(bytes), 0)::bigint FROM definition
                         WHERE account = $1",
                    )
                    .await?;
                    let (ensembles, rows) = count(
                        "SELECT count(*), coalesce(sum(bytes), 0)::bigint FROM ensemble
                         WHERE account = $1",
                    )
                    .await?;
                    let (benchmarks, outputs) = count(
                        "SELECT count(*), coalesce(sum(bytes), 0)::bigint FROM benchmark
                         WHERE account = $1",
                    )
                    .await?;
                    let mut usage = Usage {
                        projects,
                        definitions,
                        ensembles,
                        benchmarks,
                        bytes: texts + rows + outputs,
                        ..Usage::default()
                    };
                    let sql = "SELECT kind, count(*), sum(octet_length(body))::bigint FROM record
                         WHERE account = $1 GROUP BY kind";
                    for row in &all(transaction, sql, &[&account.0]).await? {
                        let (count, bytes): (i64, i64) = (row.try_get(1)?, row.try_get(2)?);
                        let (count, bytes) = (count.unsigned_abs(), bytes.unsigned_abs());
                        usage.add_records(row.try_get(0)?, count, bytes);
                    }
                    let (assertions, runs) = count(
                        "SELECT count(*), coalesce(sum(octet_length(run)), 0)::bigint
                         FROM assertion WHERE account = $1",
                    )
                    .await?;
                    usage.add_assertions(assertions, runs);
                    Ok(usage)
                })
            })
            .await
    }

    async fn revoke_keys(&self, account: Account) -> Result<()> {
        self.pool
            .query(account, |client, account| {
                Box::pin(async move {
                    let sql =
                        "UPDATE api_key SET revoked = $2 WHERE account = $1 AND revoked IS NULL";
                    let now = Timestamp::now().as_micros();
                    execute(client, sql, &[&account.0, &now]).await.map(drop)
                })
            })
            .await
    }

    async fn some_projects(&self, account: Account) -> Result<Vec<Uuid>> {
        self.pool
            .query(account, |client, account| {
                Box::pin(async move {
                    let sql = "SELECT uuid FROM project WHERE account = $1 LIMIT 100";
                    let rows = all(client, sql, &[&account.0]).await?;
                    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
                })
            })
            .await
    }

    async fn delete_account(&self, account: Account) -> Result<()> {
        for sql in [
            "DELETE FROM idempotency WHERE account = $1 AND key IN
                 (SELECT key FROM idempotency WHERE account = $1 LIMIT $2)",
            "DELETE FROM tombstone WHERE account = $1 AND uuid IN
                 (SELECT uuid FROM tombstone WHERE account = $1 LIMIT $2)",
            "DELETE FROM record WHERE account = $1 AND (project, kind, uuid) IN
                 (SELECT project, kind, uuid FROM record WHERE account = $1 LIMIT $2)",
        ] {
            let delete_part = || {
                self.pool.query((account, sql), |client, (account, sql)| {
                    Box::pin(async move { execute(client, sql, &[&account.0, &PART]).await })
                })
            };
            while delete_part().await? > 0 {}
        }
        self.pool
            .transaction(account, |transaction, account| {
                Box::pin(async move {
                    let project = "SELECT 1 FROM project WHERE account = $1 LIMIT 1";
                    if first(transaction, project, &[&account.0]).await?.is_some() {
                        return Err(ServiceError::unavailable("the account has projects").into());
                    }
                    let keys = "DELETE FROM api_key WHERE account = $1";
                    execute(transaction, keys, &[&account.0]).await?;
                    let sql = "DELETE FROM account WHERE id = $1";
                    execute(transaction, sql, &[&account.0]).await.map(drop)
                })
            })
            .await
    }
}

/// The name in a column, and the limits in the next.
fn read(row: &Row, column: usize) -> PostgresResult<AccountSettings> {
    let limits = Limits::from_text(row.try_get(column + 1)?);
    Ok(AccountSettings {
        name: row.try_get(column)?,
        limits: limits.map_err(|error| PostgresError::corrupt("limits", error))?,
    })
}
