//! Requests that may be repeated.

use std::time::Duration;

use deadpool_postgres::{Client, Transaction};
use tdg_service::{IdempotencyKey, IdempotentRequest, ServiceError, Timestamp, Uuid};
use tokio::time::sleep;

use super::error::{DbError, DbResult};
use super::pool::Pool;
use super::statement::{Param, execute, first};
use crate::database::{Account, Made};

/// In microseconds.
const LIFETIME: i64 = IdempotencyKey::LIFETIME.as_micros() as i64;
const CLEANUP_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// The number of keys that one statement deletes, so that it ends in time however many there are.
const CLEANUP_BATCH: u64 = 10_000;

const KNOWN: &str = "SELECT fingerprint, made, added, made_at FROM idempotency
     WHERE account = $1 AND key = $2";

/// Replaces the object `$7`, if it is still the known one.
const REMEMBER: &str = "INSERT INTO idempotency (account, key, fingerprint, made, made_at, added)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (account, key) DO UPDATE
     SET fingerprint = excluded.fingerprint, made = excluded.made,
         made_at = excluded.made_at, added = excluded.added
     WHERE idempotency.made = $7";

/// Finds the object that the same request has made before. If there is none, or it is gone, `make`
/// makes `new`, and that is remembered.
///
/// The key is written last: from then on, other requests with the same key wait until the
/// transaction is on the disk.
pub(super) async fn find_or_make<T, F>(
    transaction: &Transaction<'_>,
    account: Account,
    request: Option<&IdempotentRequest>,
    find: impl FnOnce(Made) -> F,
    (new, make): (Made, impl Future<Output = DbResult<T>>),
) -> DbResult<T>
where
    F: Future<Output = DbResult<T>>,
{
    let Some(request) = request else {
        return make.await;
    };
    let now = Timestamp::now().as_micros();
    let key = request.key.as_str();
    let fingerprint = &request.fingerprint.as_bytes()[..];
    let mut replaced: Option<Uuid> = None;
    if let Some(row) = first(transaction, KNOWN, &[&account.0, &key]).await? {
        let (known, made): (&[u8], Uuid) = (row.try_get(0)?, row.try_get(1)?);
        let is_old = row.try_get::<_, i64>(2)? <= now - LIFETIME;
        if !is_old && known != fingerprint {
            return Err(request.conflict().into());
        }
        let at: Option<i64> = row.try_get(3)?;
        let at = at.map(Timestamp::from_micros);
        if !is_old {
            match find(Made { uuid: made, at }).await {
                Err(DbError::Refused(ServiceError::NotFound(..))) => {}
                found => return found,
            }
        }
        replaced = Some(made);
    }
    let made = make.await?;
    let params: [Param<'_>; 7] = [
        &account.0,
        &key,
        &fingerprint,
        &new.uuid,
        &new.at.map(Timestamp::as_micros),
        &now,
        &replaced,
    ];
    if execute(transaction, REMEMBER, &params).await? == 0 {
        // The same request has arrived twice at the same moment: find what the other has made.
        return Err(DbError::Conflict);
    }
    Ok(made)
}

/// Deletes expired keys from time to time, for as long as the server runs.
pub(super) fn start_cleanup(pool: &Pool) {
    let pool = pool.clone();
    tokio::spawn(async move {
        loop {
            let old = Timestamp::now().as_micros() - LIFETIME;
            let deleted = loop {
                let batch = pool.query(old, |client, old| Box::pin(delete_batch(client, *old)));
                match batch.await {
                    Ok(CLEANUP_BATCH) => {}
                    other => break other,
                }
            };
            if let Err(error) = deleted {
                tracing::warn!(%error, "expired idempotency keys could not be deleted");
            }
            sleep(CLEANUP_INTERVAL).await;
        }
    });
}

/// The number of deleted keys: fewer than a batch if no more are left.
async fn delete_batch(client: &Client, old: i64) -> DbResult<u64> {
    let sql = "DELETE FROM idempotency WHERE (account, key) IN (
             SELECT account, key FROM idempotency WHERE added <= $1 ORDER BY added LIMIT $2)";
    execute(client, sql, &[&old, &CLEANUP_BATCH.cast_signed()]).await
}
