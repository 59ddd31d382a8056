//! Accounts and their keys.

use crate::database::Account;
use deadpool_postgres::Client;
use tdg_service::{ServiceError, Timestamp, Uuid};
use tokio_postgres::Row;

use super::failure::{Failure, Outcome};
use super::find::{self, first};
use crate::keys::{KeyHash, KeyRecord, Prefix, Scopes};

/// The account of that name, made if there is none.
pub(super) async fn account(client: &Client, name: &str) -> Outcome<Account> {
    let id = (Uuid::new_v4().as_u64_pair().0 >> 1).cast_signed();
    let sql = "INSERT INTO account (id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    client.execute(sql, &[&id, &name]).await?;
    let row = first(client, "SELECT id FROM account WHERE name = $1", &[&name]).await?;
    let row = row.ok_or(Failure::Again)?;
    Ok(Account(row.try_get(0)?))
}

pub(super) async fn add(client: &Client, record: &KeyRecord) -> Outcome<()> {
    let sql = "INSERT INTO api_key (prefix, hash, account, name, scopes, added, expires, revoked)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    client
        .execute(
            sql,
            &[
                &record.prefix.as_str(),
                &&record.hash.as_bytes()[..],
                &record.account.0,
                &record.name,
                &record.scopes.to_bits(),
                &record.added.as_micros(),
                &record.expires.map(Timestamp::as_micros),
                &record.revoked.map(Timestamp::as_micros),
            ],
        )
        .await?;
    Ok(())
}

pub(super) async fn find(client: &Client, prefix: &Prefix) -> Outcome<Option<KeyRecord>> {
    let sql = "SELECT prefix, hash, account, name, scopes, added, expires, revoked
         FROM api_key WHERE prefix = $1";
    let found = first(client, sql, &[&prefix.as_str()]).await?;
    found.as_ref().map(record).transpose()
}

pub(super) async fn all(client: &Client) -> Outcome<Vec<(String, KeyRecord)>> {
    let sql =
        "SELECT prefix, hash, account, api_key.name, scopes, added, expires, revoked, account.name
         FROM api_key JOIN account ON account.id = api_key.account ORDER BY added";
    let rows = find::all(client, sql, &[]).await?;
    rows.iter()
        .map(|row| Ok((row.try_get(8)?, record(row)?)))
        .collect()
}

/// Whether there was such a key, not revoked yet.
pub(super) async fn revoke(client: &Client, prefix: &Prefix) -> Outcome<bool> {
    let sql = "UPDATE api_key SET revoked = $2 WHERE prefix = $1 AND revoked IS NULL";
    let now = Timestamp::now().as_micros();
    Ok(client.execute(sql, &[&prefix.as_str(), &now]).await? > 0)
}

fn record(row: &Row) -> Outcome<KeyRecord> {
    let time = |column| -> Outcome<_> {
        Ok(row
            .try_get::<_, Option<i64>>(column)?
            .map(Timestamp::from_micros))
    };
    let damaged = |_| ServiceError::Unexpected("the hash of a key has not 32 bytes".to_owned());
    let hash: &[u8] = row.try_get(1)?;
    Ok(KeyRecord {
        prefix: Prefix::from(row.try_get::<_, String>(0)?),
        hash: KeyHash::from_bytes(hash.try_into().map_err(damaged)?),
        account: Account(row.try_get(2)?),
        name: row.try_get(3)?,
        scopes: Scopes::from_bits(row.try_get(4)?),
        added: Timestamp::from_micros(row.try_get(5)?),
        expires: time(6)?,
        revoked: time(7)?,
    })
}
