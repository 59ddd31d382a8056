//! Accounts and their keys.

use super::error::DbResult;
use crate::database::Account;
use rusqlite::{Connection, OptionalExtension, Row};
use tdg_service::Timestamp;

use crate::keys::{KeyHash, KeyRecord, Prefix, Scopes};

/// The account of that name, made if there is none.
pub(super) fn account(connection: &Connection, name: &str) -> DbResult<Account> {
    connection
        .prepare_cached("INSERT OR IGNORE INTO account (name) VALUES (?1)")?
        .execute([name])?;
    let id = connection
        .prepare_cached("SELECT id FROM account WHERE name = ?1")?
        .query_row([name], |row| row.get(0))?;
    Ok(Account(id))
}

pub(super) fn add(connection: &Connection, record: &KeyRecord) -> DbResult<()> {
    connection
        .prepare_cached(
            "INSERT INTO api_key (prefix, hash, account, name, scopes, added, expires, revoked)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute((
            record.prefix.as_str(),
            record.hash.as_bytes(),
            record.account.0,
            &record.name,
            record.scopes.to_bits(),
            record.added.as_micros(),
            record.expires.map(Timestamp::as_micros),
            record.revoked.map(Timestamp::as_micros),
        ))?;
    Ok(())
}

pub(super) fn find(connection: &Connection, prefix: &Prefix) -> DbResult<Option<KeyRecord>> {
    let found = connection
        .prepare_cached(
            "SELECT prefix, hash, account, name, scopes, added, expires, revoked
             FROM api_key WHERE prefix = ?1",
        )?
        .query_row([prefix.as_str()], record)
        .optional()?;
    Ok(found)
}

pub(super) fn all(connection: &Connection) -> DbResult<Vec<(String, KeyRecord)>> {
    let mut statement = connection.prepare_cached(
        "SELECT prefix, hash, account, api_key.name, scopes, added, expires, revoked, account.name
         FROM api_key JOIN account ON account.id = api_key.account ORDER BY added",
    )?;
    let keys = statement.query_map([], |row| Ok((row.get(8)?, record(row)?)))?;
    Ok(keys.collect::<rusqlite::Result<_>>()?)
}

/// Whether there was such a key, not revoked yet.
pub(super) fn revoke(connection: &Connection, prefix: &Prefix) -> DbResult<bool> {
    let sql = "UPDATE api_key SET revoked = ?2 WHERE prefix = ?1 AND revoked IS NULL";
    let now = Timestamp::now().as_micros();
    Ok(connection
        .prepare_cached(sql)?
        .execute((prefix.as_str(), now))?
        > 0)
}

fn record(row: &Row<'_>) -> rusqlite::Result<KeyRecord> {
    let time = |column| -> rusqlite::Result<_> {
        Ok(row
            .get::<_, Option<i64>>(column)?
            .map(Timestamp::from_micros))
    };
    Ok(KeyRecord {
        prefix: Prefix::from(row.get::<_, String>(0)?),
        hash: KeyHash::from_bytes(row.get(1)?),
        account: Account(row.get(2)?),
        name: row.get(3)?,
        scopes: Scopes::from_bits(row.get(4)?),
        added: Timestamp::from_micros(row.get(5)?),
        expires: time(6)?,
        revoked: time(7)?,
    })
}
