//! Accounts and their keys.

use async_trait::async_trait;
use rusqlite::{Row, params};
use tdg_service::{Result, Timestamp};

use super::Sqlite;
use super::statement::{all, execute, first, time};
use crate::database::{Account, Keys};
use crate::keys::{KeyHash, KeyRecord, Prefix, Scopes};

#[async_trait]
impl Keys for Sqlite {
    async fn account(&self, name: &str) -> Result<Account> {
        let name = name.to_owned();
        self.transaction(Account::NONE, 0, move |connection| {
            let sql = "INSERT OR IGNORE INTO account (name) VALUES (?1)";
            execute(connection, sql, params![name])?;
            let sql = "SELECT id FROM account WHERE name = ?1";
            let id = connection
                .prepare_cached(sql)?
                .query_row([name], |row| row.get(0))?;
            Ok(Account(id))
        })
        .await
    }

    async fn add_key(&self, record: KeyRecord) -> Result<()> {
        self.transaction(Account::NONE, 0, move |connection| {
            let sql = "INSERT INTO api_key
                 (prefix, hash, account, name, scopes, added, expires, revoked)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
            let params = params![
                record.prefix.as_str(),
                record.hash.as_bytes(),
                record.account.0,
                &record.name,
                record.scopes.to_bits(),
                record.added.as_micros(),
                record.expires.map(Timestamp::as_micros),
                record.revoked.map(Timestamp::as_micros),
            ];
            execute(connection, sql, params).map(drop)
        })
        .await
    }

    async fn key(&self, prefix: &Prefix) -> Result<Option<KeyRecord>> {
        self.query(|connection| {
            let sql = "SELECT prefix, hash, account, name, scopes, added, expires, revoked, used
                 FROM api_key WHERE prefix = ?1";
            first(connection, sql, params![prefix.as_str()], read)
        })
        .await
    }

    async fn keys(&self) -> Result<Vec<(String, KeyRecord)>> {
        self.read_transaction(Account::NONE, |connection| {
            let sql = "SELECT prefix, hash, account, api_key.name, scopes, added, expires,
                     revoked, used, account.name
                 FROM api_key JOIN account ON account.id = api_key.account ORDER BY added";
            all(connection, sql, params![], |row| {
                Ok((row.get(9)?, read(row)?))
            })
        })
        .await
    }

    async fn use_keys(&self, uses: Vec<(Prefix, Timestamp)>) -> Result<()> {
        self.transaction(Account::NONE, 0, move |connection| {
            let sql = "UPDATE api_key SET used = ?2 WHERE prefix = ?1";
            for (prefix, used) in &uses {
                execute(connection, sql, params![prefix.as_str(), used.as_micros()])?;
            }
            Ok(())
        })
        .await
    }

    async fn revoke_key(&self, prefix: &Prefix) -> Result<bool> {
        let prefix = prefix.clone();
        self.transaction(Account::NONE, 0, move |connection| {
            let sql = "UPDATE api_key SET revoked = ?2 WHERE prefix = ?1 AND revoked IS NULL";
            let now = Timestamp::now().as_micros();
            Ok(execute(connection, sql, params![prefix.as_str(), now])? > 0)
        })
        .await
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<KeyRecord> {
    let optional_time = |column| -> rusqlite::Result<_> {
        let micros: Option<i64> = row.get(column)?;
        Ok(micros.map(Timestamp::from_micros))
    };
    Ok(KeyRecord {
        prefix: Prefix::from(row.get::<_, String>(0)?),
        hash: KeyHash::from_bytes(row.get(1)?),
        account: Account(row.get(2)?),
        name: row.get(3)?,
        scopes: Scopes::from_bits(row.get(4)?),
        added: time(row, 5)?,
        expires: optional_time(6)?,
        revoked: optional_time(7)?,
        used: optional_time(8)?,
    })
}
