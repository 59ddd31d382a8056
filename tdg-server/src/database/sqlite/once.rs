//! Requests that were done already.

use rusqlite::{Connection, params};
use uuid::Uuid;

use super::error::{DbError, DbResult};
use super::statement::uuid;
use super::statement::{self, execute, first};
use crate::database::Account;
use tdg_service::{IdempotencyKey, Once, ServiceError};

/// What a request has made.
pub(super) struct Made {
    pub(super) uuid: Uuid,
    /// Its number, if it is an assertion.
    pub(super) n: Option<i64>,
}

/// What this request has made before, if it is still there.
pub(super) fn repeated<T>(
    connection: &Connection,
    account: Account,
    once: Option<&Once>,
    find: impl FnOnce(Made) -> DbResult<T>,
) -> DbResult<Option<T>> {
    let Some(once) = once else { return Ok(None) };
    let found = first(
        connection,
        "SELECT fingerprint, made, n FROM idempotency WHERE account = ?1 AND key = ?2 AND added > ?3",
        params![account.0, once.key.as_str(), statement::now() - LIFETIME],
        |row| {
            let same = row.get_ref(0)?.as_blob()? == once.fingerprint.as_bytes();
            let made = Made {
                uuid: uuid(row, 1)?,
                n: row.get(2)?,
            };
            Ok((same, made))
        },
    )?;
    match found {
        None => Ok(None),
        Some((false, _)) => Err(once.conflict().into()),
        Some((true, made)) => match find(made) {
            Err(DbError::Refused(ServiceError::NotFound(..))) => Ok(None),
            found => found.map(Some),
        },
    }
}

/// Keeps what this request has made, and forgets those that are too old.
pub(super) fn remember(
    connection: &Connection,
    account: Account,
    once: Option<&Once>,
    made: &Made,
) -> DbResult<()> {
    let Some(once) = once else { return Ok(()) };
    let now = statement::now();
    execute(
        connection,
        "DELETE FROM idempotency WHERE added <= ?1",
        params![now - LIFETIME],
    )?;
    execute(
        connection,
        "INSERT OR REPLACE INTO idempotency (account, key, fingerprint, made, n, added)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            account.0,
            once.key.as_str(),
            once.fingerprint.as_bytes(),
            made.uuid.as_bytes(),
            made.n,
            now
        ],
    )?;
    Ok(())
}

/// In milliseconds.
const LIFETIME: i64 = IdempotencyKey::LIFETIME.as_millis() as i64;
