//! Requests that were done already.

use std::time::Duration;

use deadpool_postgres::Transaction;
use tdg::{
    service::{IdempotencyKey, Once, Timestamp, Uuid},
    store::service::Account,
};
use tokio::time::sleep;

use super::{
    failure::{Failure, Outcome},
    find::first,
    pool::Pool,
};

/// In microseconds.
const LIFETIME: i64 = IdempotencyKey::LIFETIME.as_micros() as i64;
const EVERY: Duration = Duration::from_secs(60 * 60);

/// What a request makes, or has made before.
pub(super) struct Made {
    pub(super) uuid: Uuid,
    pub(super) is_new: bool,
}

/// Finds what the request has made, or keeps that it is about to make `new`.
pub(super) async fn begin(
    unit: &Transaction<'_>,
    account: Account,
    new: Uuid,
    once: Option<&Once>,
) -> Outcome<Made> {
    let new = Made {
        uuid: new,
        is_new: true,
    };
    let Some(once) = once else { return Ok(new) };
    let now = Timestamp::now().as_micros();
    let key = once.key.as_str();
    let fingerprint = &once.fingerprint.as_bytes()[..];
    let sql = "SELECT fingerprint, made, added FROM idempotency WHERE account = $1 AND key = $2";
    let before = first(unit, sql, &[&account.0, &key]).await?;
    let mut replaced = None;
    if let Some(row) = before {
        let (known, made): (&[u8], Uuid) = (row.try_get(0)?, row.try_get(1)?);
        let is_old = row.try_get::<_, i64>(2)? <= now - LIFETIME;
        match (is_old, known == fingerprint) {
            (true, _) => replaced = Some(made),
            (false, false) => return Err(once.conflict().into()),
            (false, true) if is_there(unit, made).await? => {
                return Ok(Made {
                    uuid: made,
                    is_new: false,
                });
            }
            (false, true) => replaced = Some(made),
        }
    }
    let sql = "INSERT INTO idempotency (account, key, fingerprint, made, added)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (account, key) DO UPDATE
         SET fingerprint = excluded.fingerprint, made = excluded.made, added = excluded.added
         WHERE idempotency.made = $6";
    let statement = unit.prepare_cached(sql).await?;
    let kept = unit
        .execute(
            &statement,
            &[&account.0, &key, &fingerprint, &new.uuid, &now, &replaced],
        )
        .await?;
    // The same request came by another way at the same moment: look what it has made.
    if kept == 0 {
        Err(Failure::Again)
    } else {
        Ok(new)
    }
}

/// Whether what was made is there still, whatever it is.
async fn is_there(unit: &Transaction<'_>, made: Uuid) -> Outcome<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM project WHERE uuid = $1)
             OR EXISTS (SELECT 1 FROM definition WHERE uuid = $1)
             OR EXISTS (SELECT 1 FROM ensemble WHERE uuid = $1)
             OR EXISTS (SELECT 1 FROM benchmark WHERE uuid = $1)
             OR EXISTS (SELECT 1 FROM assertion JOIN benchmark ON benchmark.uuid = assertion.benchmark
                        WHERE assertion.uuid = $1)";
    let row = first(unit, sql, &[&made]).await?;
    Ok(row.map_or(Ok(false), |row| row.try_get(0))?)
}

/// Forgets keys that are too old, now and then, for as long as the server runs.
pub(super) fn forget_old(pool: &Pool) {
    let pool = pool.clone();
    tokio::spawn(async move {
        loop {
            let forgotten = pool
                .statement((), |client, ()| {
                    Box::pin(async {
                        let old = Timestamp::now().as_micros() - LIFETIME;
                        client
                            .execute("DELETE FROM idempotency WHERE added <= $1", &[&old])
                            .await?;
                        Ok(())
                    })
                })
                .await;
            if let Err(error) = forgotten {
                tracing::warn!(%error, "old idempotency keys could not be deleted");
            }
            sleep(EVERY).await;
        }
    });
}
