//! Requests that may be repeated.

use rusqlite::{Connection, params};
use tdg_service::{IdempotencyKey, IdempotentRequest, ServiceError, Timestamp};

use super::error::{SqliteError, SqliteResult};
use super::statement::{execute, first, uuid};
use crate::database::{Account, Made};

/// In microseconds.
const LIFETIME: i64 = IdempotencyKey::LIFETIME.as_micros() as i64;

/// Finds the object that the same request has made before. If there is none, or it is gone, `make`
/// makes it, and that is remembered.
pub(super) fn find_or_make<T>(
    connection: &Connection,
    account: Account,
    request: Option<&IdempotentRequest>,
    find: impl Fn(Made) -> SqliteResult<T>,
    make: impl FnOnce() -> SqliteResult<(Made, T)>,
) -> SqliteResult<T> {
    let Some(request) = request else {
        return Ok(make()?.1);
    };
    if let Some(made) = made_before(connection, account, request)? {
        match find(made) {
            Err(SqliteError::Refused(ServiceError::NotFound(..))) => {}
            found => return found,
        }
    }
    let (made, object) = make()?;
    remember(connection, account, request, made)?;
    Ok(object)
}

fn made_before(
    connection: &Connection,
    account: Account,
    request: &IdempotentRequest,
) -> SqliteResult<Option<Made>> {
    let sql = "SELECT fingerprint, made, made_at FROM idempotency
         WHERE account = ?1 AND key = ?2 AND added > ?3";
    let oldest = Timestamp::now().as_micros() - LIFETIME;
    let params = params![account.0, request.key.as_str(), oldest];
    let found = first(connection, sql, params, |row| {
        let is_same = row.get_ref(0)?.as_blob()? == request.fingerprint.as_bytes();
        let made = Made {
            uuid: uuid(row, 1)?,
            at: row.get::<_, Option<i64>>(2)?.map(Timestamp::from_micros),
        };
        Ok((is_same, made))
    })?;
    match found {
        Some((false, _)) => Err(request.conflict().into()),
        found => Ok(found.map(|(_, made)| made)),
    }
}

/// Remembers the object, and forgets keys that are too old.
fn remember(
    connection: &Connection,
    account: Account,
    request: &IdempotentRequest,
    made: Made,
) -> SqliteResult<()> {
    let now = Timestamp::now().as_micros();
    let sql = "DELETE FROM idempotency WHERE added <= ?1";
    execute(connection, sql, params![now - LIFETIME])?;
    let sql = "INSERT OR REPLACE INTO idempotency (account, key, fingerprint, made, made_at, added)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let params = params![
        account.0,
        request.key.as_str(),
        request.fingerprint.as_bytes(),
        made.uuid.as_bytes(),
        made.at.map(Timestamp::as_micros),
        now
    ];
    execute(connection, sql, params)?;
    Ok(())
}
