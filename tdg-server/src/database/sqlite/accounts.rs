//! Accounts.

use async_trait::async_trait;
use rusqlite::{Row, params};
use tdg_service::{Result, ServiceError, Timestamp, Uuid};

use super::Sqlite;
use super::error::{SqliteError, SqliteResult};
use super::statement::{all, execute, first, uuid};
use crate::accounts::Limits;
use crate::database::{Account, AccountSettings, Accounts, Usage};

/// The rows that are deleted in one transaction.
const PART: i64 = 10_000;

#[async_trait]
impl Accounts for Sqlite {
    async fn settings(&self, account: Account) -> Result<Option<AccountSettings>> {
        self.query(|connection| {
            let sql = "SELECT name, limits FROM account WHERE id = ?1";
            let found = first(connection, sql, params![account.0], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
            found.map(|(name, text)| read(name, text)).transpose()
        })
        .await
    }

    async fn accounts(&self) -> Result<Vec<(Account, AccountSettings)>> {
        self.read_transaction(Account::NONE, |connection| {
            let sql = "SELECT id, name, limits FROM account ORDER BY name";
            let rows = all(connection, sql, params![], |row| {
                Ok((Account(row.get(0)?), row.get(1)?, row.get(2)?))
            })?;
            let rows = rows.into_iter();
            rows.map(|(account, name, text)| Ok((account, read(name, text)?)))
                .collect()
        })
        .await
    }

    async fn create_account(&self, settings: AccountSettings) -> Result<bool> {
        self.transaction(Account::NONE, 0, move |connection| {
            let sql = "INSERT OR IGNORE INTO account (name, limits) VALUES (?1, ?2)";
            let limits = settings.limits.to_text();
            Ok(execute(connection, sql, params![settings.name, limits])? > 0)
        })
        .await
    }

    async fn change_account(&self, account: Account, settings: AccountSettings) -> Result<bool> {
        self.transaction(Account::NONE, 0, move |connection| {
            let sql = "UPDATE OR IGNORE account SET name = ?2, limits = ?3 WHERE id = ?1";
            let limits = settings.limits.to_text();
            let params = params![account.0, settings.name, limits];
            Ok(execute(connection, sql, params)? > 0)
        })
        .await
    }

    async fn usage(&self, account: Account) -> Result<Usage> {
        self.read_transaction(account, move |connection| {
            let count = |sql| -> SqliteResult<(u64, u64)> {
                let counted = first(connection, sql, params![account.0], |row| {
                    Ok((number(row, 0)?, number(row, 1)?))
                })?;
                Ok(counted.unwrap_or_default())
            };
            let (projects, _) = count("SELECT count(*), 0 FROM project WHERE account = ?1")?;
            let (definitions, texts) =
                count("SELECT count(*), ifnull(sum(bytes), 0) FROM definition WHERE account = ?1")?;
            let (ensembles, rows) =
                count("SELECT count(*), ifnull(sum(bytes), 0) FROM ensemble WHERE account = ?1")?;
            let (benchmarks, outputs) =
                count("SELECT count(*), ifnull(sum(bytes), 0) FROM benchmark WHERE account = ?1")?;
            let sql = "SELECT kind, count(*), sum(octet_length(body)) FROM record
                 WHERE account = ?1 GROUP BY kind";
            let records = all(connection, sql, params![account.0], |row| {
                Ok((row.get::<_, String>(0)?, number(row, 1)?, number(row, 2)?))
            })?;
            let mut usage = Usage {
                projects,
                definitions,
                ensembles,
                benchmarks,
                bytes: texts + rows + outputs,
                ..Usage::default()
            };
            for (kind, count, bytes) in records {
                usage.add_records(&kind, count, bytes);
            }
            let (assertions, runs) = count(
                "SELECT count(*), ifnull(sum(octet_length(run)), 0) FROM assertion
                 WHERE account = ?1",
            )?;
            usage.add_assertions(assertions, runs);
            Ok(usage)
        })
        .await
    }

    async fn revoke_keys(&self, account: Account) -> Result<()> {
        self.transaction(Account::NONE, 0, move |connection| {
            let sql = "UPDATE api_key SET revoked = ?2 WHERE account = ?1 AND revoked IS NULL";
            let now = Timestamp::now().as_micros();
            execute(connection, sql, params![account.0, now]).map(drop)
        })
        .await
    }

    async fn some_projects(&self, account: Account) -> Result<Vec<Uuid>> {
        self.read_transaction(account, move |connection| {
            let sql = "SELECT uuid FROM project WHERE account = ?1 LIMIT 100";
            all(connection, sql, params![account.0], |row| uuid(row, 0))
        })
        .await
    }

    async fn delete_account(&self, account: Account) -> Result<()> {
        for sql in [
            "DELETE FROM idempotency WHERE account = ?1 AND key IN
                 (SELECT key FROM idempotency WHERE account = ?1 LIMIT ?2)",
            "DELETE FROM tombstone WHERE account = ?1 AND uuid IN
                 (SELECT uuid FROM tombstone WHERE account = ?1 LIMIT ?2)",
            "DELETE FROM record WHERE account = ?1 AND (project, kind, uuid) IN
                 (SELECT project, kind, uuid FROM record WHERE account = ?1 LIMIT ?2)",
        ] {
            let part = move |connection: &_| execute(connection, sql, params![account.0, PART]);
            while self.transaction(Account::NONE, 0, part).await? > 0 {}
        }
        self.transaction(Account::NONE, 0, move |connection| {
            let project = "SELECT 1 FROM project WHERE account = ?1";
            if first(connection, project, params![account.0], |_| Ok(()))?.is_some() {
                return Err(ServiceError::unavailable("the account has projects").into());
            }
            let keys = "DELETE FROM api_key WHERE account = ?1";
            execute(connection, keys, params![account.0])?;
            let sql = "DELETE FROM account WHERE id = ?1";
            execute(connection, sql, params![account.0]).map(drop)
        })
        .await
    }
}

fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)?.unsigned_abs())
}

fn read(name: String, limits: Option<String>) -> SqliteResult<AccountSettings> {
    let limits = Limits::from_text(limits.as_deref());
    let limits = limits.map_err(|error| SqliteError::corrupt("limits", error))?;
    Ok(AccountSettings { name, limits })
}
