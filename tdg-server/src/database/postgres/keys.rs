//! Accounts and their keys.

use async_trait::async_trait;
use tdg_service::{Result, Timestamp, Uuid};
use tokio_postgres::Row;

use super::Postgres;
use super::error::{PostgresError, PostgresResult};
use super::statement::{Param, all, execute, first, time};
use crate::database::{Account, Keys};
use crate::keys::{KeyHash, KeyRecord, Prefix, Scopes};

#[async_trait]
impl Keys for Postgres {
    async fn account(&self, name: &str) -> Result<Account> {
        self.pool
            .query(name.to_owned(), |client, name| {
                Box::pin(async move {
                    let id = (Uuid::new_v4().as_u64_pair().0 >> 1).cast_signed();
                    let sql =
                        "INSERT INTO account (id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING";
                    execute(client, sql, &[&id, name]).await?;
                    let sql = "SELECT id FROM account WHERE name = $1";
                    let row = first(client, sql, &[name]).await?;
                    Ok(Account(row.ok_or(PostgresError::Conflict)?.try_get(0)?))
                })
            })
            .await
    }

    async fn add_key(&self, record: KeyRecord) -> Result<()> {
        self.pool
            .query(record, |client, record| {
                Box::pin(async move {
                    let sql = "INSERT INTO api_key
                         (prefix, hash, account, name, scopes, added, expires, revoked)
                         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
                    let params: [Param<'_>; 8] = [
                        &record.prefix.as_str(),
                        &&record.hash.as_bytes()[..],
                        &record.account.0,
                        &record.name,
                        &record.scopes.to_bits(),
                        &record.added.as_micros(),
                        &record.expires.map(Timestamp::as_micros),
                        &record.revoked.map(Timestamp::as_micros),
                    ];
                    execute(client, sql, &params).await.map(drop)
                })
            })
            .await
    }

    async fn key(&self, prefix: &Prefix) -> Result<Option<KeyRecord>> {
        self.pool
            .shared_query(prefix.clone(), |client, prefix| {
                Box::pin(async move {
                    let sql =
                        "SELECT prefix, hash, account, name, scopes, added, expires, revoked, used
                         FROM api_key WHERE prefix = $1";
                    let found = first(client, sql, &[&prefix.as_str()]).await?;
                    found.as_ref().map(read).transpose()
                })
            })
            .await
    }

    async fn keys(&self) -> Result<Vec<(String, KeyRecord)>> {
        self.pool
            .query((), |client, ()| {
                Box::pin(async {
                    let sql = "SELECT prefix, hash, account, api_key.name, scopes, added, expires,
                             revoked, used, account.name
                         FROM api_key JOIN account ON account.id = api_key.account ORDER BY added";
                    let rows = all(client, sql, &[]).await?;
                    let keys = rows.iter().map(|row| Ok((row.try_get(9)?, read(row)?)));
                    keys.collect()
                })
            })
            .await
    }

    async fn use_keys(&self, uses: Vec<(Prefix, Timestamp)>) -> Result<()> {
        self.pool
            .query(uses, |client, uses| {
                Box::pin(async move {
                    let sql = "UPDATE api_key SET used = given.used
                         FROM unnest($1::text[], $2::bigint[]) AS given (prefix, used)
                         WHERE api_key.prefix = given.prefix";
                    let prefixes: Vec<&str> = uses.iter().map(|(key, _)| key.as_str()).collect();
                    let times: Vec<i64> = uses.iter().map(|(_, used)| used.as_micros()).collect();
                    execute(client, sql, &[&prefixes, &times]).await.map(drop)
                })
            })
            .await
    }

    async fn revoke_key(&self, prefix: &Prefix) -> Result<bool> {
        self.pool
            .query(prefix.clone(), |client, prefix| {
                Box::pin(async move {
                    let sql =
                        "UPDATE api_key SET revoked = $2 WHERE prefix = $1 AND revoked IS NULL";
                    let now = Timestamp::now().as_micros();
                    Ok(execute(client, sql, &[&prefix.as_str(), &now]).await? > 0)
                })
            })
            .await
    }
}

fn read(row: &Row) -> PostgresResult<KeyRecord> {
    let optional_time = |column| -> PostgresResult<_> {
        let micros: Option<i64> = row.try_get(column)?;
        Ok(micros.map(Timestamp::from_micros))
    };
    let hash: &[u8] = row.try_get(1)?;
    let hash = <[u8; 32]>::try_from(hash).map_err(|error| PostgresError::corrupt("key", error))?;
    Ok(KeyRecord {
        prefix: Prefix::from(row.try_get::<_, String>(0)?),
        hash: KeyHash::from_bytes(hash),
        account: Account(row.try_get(2)?),
        name: row.try_get(3)?,
        scopes: Scopes::from_bits(row.try_get(4)?),
        added: time(row, 5)?,
        expires: optional_time(6)?,
        revoked: optional_time(7)?,
        used: optional_time(8)?,
    })
}
