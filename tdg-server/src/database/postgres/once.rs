//! Requests that were done already.

use std::time::Duration;

use crate::database::Account;
use deadpool_postgres::{Client, Transaction};
use tdg_service::{IdempotencyKey, Once, ServiceError, Timestamp, Uuid};
use tokio::time::sleep;
use tokio_postgres::types::ToSql;

use super::create::execute;
use super::failure::{Failure, Outcome};
use super::find::first;
use super::pool::Pool;

/// In microseconds.
const LIFETIME: i64 = IdempotencyKey::LIFETIME.as_micros() as i64;
const EVERY: Duration = Duration::from_secs(60 * 60);

/// As many are forgotten at a time: however many there are, a statement ends in time.
const PORTION: u64 = 10_000;

/// Finds what the request has made before. If that is nothing, or gone, `make` makes `new`, and this is kept.
///
/// The key is kept last: from then on others wait for it until the unit is on the disk.
pub(super) async fn find_or_make<T, F>(
    unit: &Transaction<'_>,
    account: Account,
    once: Option<&Once>,
    find: impl FnOnce(Uuid) -> F,
    (new, make): (Uuid, impl Future<Output = Outcome<T>>),
) -> Outcome<T>
where
    F: Future<Output = Outcome<T>>,
{
    let Some(once) = once else { return make.await };
    let now = Timestamp::now().as_micros();
    let key = once.key.as_str();
    let fingerprint = &once.fingerprint.as_bytes()[..];
    let sql = "SELECT fingerprint, made, added FROM idempotency WHERE account = $1 AND key = $2";
    let mut replaced: Option<Uuid> = None;
    if let Some(row) = first(unit, sql, &[&account.0, &key]).await? {
        let (known, made): (&[u8], Uuid) = (row.try_get(0)?, row.try_get(1)?);
        let is_old = row.try_get::<_, i64>(2)? <= now - LIFETIME;
        if !is_old && known != fingerprint {
            return Err(once.conflict().into());
        }
        if !is_old {
            match find(made).await {
                Err(Failure::Refused(ServiceError::NotFound(..))) => {}
                found => return found,
            }
        }
        replaced = Some(made);
    }
    let made = make.await?;
    let sql = "INSERT INTO idempotency (account, key, fingerprint, made, added)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (account, key) DO UPDATE
         SET fingerprint = excluded.fingerprint, made = excluded.made, added = excluded.added
         WHERE idempotency.made = $6";
    let params: [&(dyn ToSql + Sync); 6] = [&account.0, &key, &fingerprint, &new, &now, &replaced];
    if execute(unit, sql, &params).await? == 0 {
        // The same request came by another way at the same moment: look what it has made.
        return Err(Failure::Again);
    }
    Ok(made)
}

/// Forgets keys that are too old, now and then, for as long as the server runs.
pub(super) fn forget_old(pool: &Pool) {
    let pool = pool.clone();
    tokio::spawn(async move {
        loop {
            let old = Timestamp::now().as_micros() - LIFETIME;
            let forgotten = loop {
                let some = pool.statement(old, |client, old| Box::pin(forget_some(client, *old)));
                match some.await {
                    Ok(PORTION) => {}
                    other => break other,
                }
            };
            if let Err(error) = forgotten {
                tracing::warn!(%error, "old idempotency keys could not be deleted");
            }
            sleep(EVERY).await;
        }
    });
}

/// How many it forgot: a portion, or what was left.
async fn forget_some(client: &Client, old: i64) -> Outcome<u64> {
    let sql = "DELETE FROM idempotency WHERE (account, key) IN (
             SELECT account, key FROM idempotency WHERE added <= $1 ORDER BY added LIMIT $2)";
    execute(client, sql, &[&old, &PORTION.cast_signed()]).await
}
