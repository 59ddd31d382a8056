//! Removing what was deleted, and what need not be kept.

use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use tdg_service::{Result, Timestamp, Uuid};
use tokio_postgres::Row;

use super::Postgres;
use super::deletion::bury_empty;
use super::error::PostgresResult;
use super::statement::{Param, all, execute, first};
use crate::database::Account;
use crate::database::upkeep::{Keep, LISTED, ObjectSpan, Owned, PART, PART_BYTES, Unused, Upkeep};

/// How long garbage stays. Until then an assertion may arrive that found its benchmark before that
/// was deleted: longer than any statement takes, and than clocks of servers differ.
const STAY: Duration = Duration::from_secs(180);

#[async_trait]
impl Upkeep for Postgres {
    async fn collect_garbage(&self) -> Result<bool> {
        self.pool
            .of_write(Account::NONE, PART_BYTES)
            .await?
            .transaction((), |transaction, ()| Box::pin(collect(transaction)))
            .await
    }

    async fn benchmarks_in(&self, span: ObjectSpan) -> Result<Vec<Owned>> {
        self.pool
            .query(span, |client, span| {
                Box::pin(async move {
                    let sql = "SELECT account, uuid FROM benchmark
                         WHERE (account, uuid) > ($1, $2) AND account <= $3
                         ORDER BY account, uuid LIMIT $4";
                    let (account, uuid) = &span.after;
                    let params: [Param<'_>; 4] = [account, uuid, &span.last_account, &LISTED];
                    all(client, sql, &params).await?.iter().map(owned).collect()
                })
            })
            .await
    }

    async fn unused_in(
        &self,
        kind: Unused,
        span: ObjectSpan,
        before: Timestamp,
    ) -> Result<Vec<Owned>> {
        self.pool
            .query((kind, span, before), |client, (kind, span, before)| {
                Box::pin(async move {
                    let sql = match kind {
                        Unused::Ensemble => {
                            "SELECT account, uuid FROM ensemble
                             WHERE (account, uuid) > ($1, $2) AND account <= $3 AND added < $5
                                 AND NOT EXISTS (
                                     SELECT 1 FROM benchmark
                                     WHERE benchmark.account = ensemble.account
                                         AND benchmark.ensemble = ensemble.uuid)
                             ORDER BY account, uuid LIMIT $4"
                        }
                        Unused::Definition => {
                            "SELECT account, uuid FROM definition
                             WHERE (account, uuid) > ($1, $2) AND account <= $3 AND added < $5
                                 AND NOT EXISTS (
                                     SELECT 1 FROM ensemble
                                     WHERE ensemble.account = definition.account
                                         AND ensemble.definition = definition.uuid
                                         AND (ensemble.added >= $5 OR EXISTS (
                                             SELECT 1 FROM benchmark
                                             WHERE benchmark.account = ensemble.account
                                                 AND benchmark.ensemble = ensemble.uuid)))
                             ORDER BY account, uuid LIMIT $4"
                        }
                    };
                    let ((account, uuid), before) = (&span.after, before.as_micros());
                    let params: [Param<'_>; 5] =
                        [account, uuid, &span.last_account, &LISTED, &before];
                    all(client, sql, &params).await?.iter().map(owned).collect()
                })
            })
            .await
    }

    async fn count_old(&self, benchmark: Owned, keep: Keep) -> Result<u64> {
        self.pool
            .read_transaction((benchmark, keep), |transaction, (benchmark, keep)| {
                Box::pin(async move {
                    let (timestamp, before) = place(transaction, *benchmark, *keep).await?;
                    let sql = "SELECT count(*) FROM assertion
                         WHERE account = $1 AND benchmark = $2 AND (timestamp, uuid) < ($3, $4)";
                    let (account, uuid) = benchmark;
                    let params: [Param<'_>; 4] = [&account.0, uuid, &timestamp, &before];
                    let row = first(transaction, sql, &params).await?;
                    let count = row.map_or(Ok(0_i64), |row| row.try_get(0));
                    Ok(count?.unsigned_abs())
                })
            })
            .await
    }

    async fn prune_history(&self, benchmark: Owned, keep: Keep) -> Result<u64> {
        self.pool
            .transaction((benchmark, keep), |transaction, (benchmark, keep)| {
                Box::pin(async move {
                    let before = place(transaction, *benchmark, *keep).await?;
                    let removed = remove_oldest(transaction, *benchmark, before).await?;
                    if removed > 0 {
                        let sql = "UPDATE benchmark SET kept_since = $3
                             WHERE account = $1 AND uuid = $2";
                        let (account, uuid) = benchmark;
                        execute(transaction, sql, &[&account.0, uuid, &before.0]).await?;
                    }
                    Ok(removed)
                })
            })
            .await
    }

    async fn delete_unused(&self, kind: Unused, object: Owned) -> Result<bool> {
        self.pool
            .transaction((kind, object), |transaction, (kind, object)| {
                Box::pin(async move {
                    let sql = match kind {
                        Unused::Ensemble => {
                            "SELECT 1 FROM benchmark WHERE account = $1 AND ensemble = $2 LIMIT 1"
                        }
                        Unused::Definition => {
                            "SELECT 1 FROM ensemble WHERE account = $1 AND definition = $2 LIMIT 1"
                        }
                    };
                    let (account, uuid) = object;
                    if first(transaction, sql, &[&account.0, uuid])
                        .await?
                        .is_some()
                    {
                        return Ok(false);
                    }
                    bury_empty(transaction, *account, kind.kind(), *uuid).await
                })
            })
            .await
    }

    async fn renew_epoch(&self) -> Result<Uuid> {
        self.pool
            .query(Uuid::new_v4(), |client, epoch| {
                Box::pin(async move {
                    execute(client, "UPDATE server SET epoch = $1", &[epoch]).await?;
                    Ok(*epoch)
                })
            })
            .await
    }
}

/// Removes one part. Of several servers, one waits here for another.
async fn collect(transaction: &Transaction<'_>) -> PostgresResult<bool> {
    let old = Timestamp::now().as_micros() - STAY.as_micros() as i64;
    let mut removed = 0;
    while removed < PART {
        let sql = "SELECT account, uuid, kind FROM garbage WHERE deleted <= $1
             ORDER BY account, kind, uuid LIMIT 1 FOR UPDATE";
        let Some(row) = first(transaction, sql, &[&old]).await? else {
            return Ok(false);
        };
        let (owner, kind): (Owned, &str) = (owned(&row)?, row.try_get(2)?);
        removed += match kind {
            "outputs" => {
                let sql = "DELETE FROM outputs WHERE account = $1 AND benchmark = $2
                     RETURNING octet_length(text)::bigint";
                remove_large(transaction, sql, owner).await?
            }
            "packed_rows" => {
                let sql = "DELETE FROM packed_rows WHERE account = $1 AND ensemble = $2
                     RETURNING octet_length(gzip)::bigint";
                remove_large(transaction, sql, owner).await?
            }
            _ => remove_oldest(transaction, owner, EVERYTHING).await?,
        };
        if removed >= PART && kind == "assertion" {
            // There may be more of it.
            return Ok(true);
        }
        removed += 1;
        let sql = "DELETE FROM garbage WHERE account = $1 AND kind = $2 AND uuid = $3";
        let (account, uuid) = owner;
        execute(transaction, sql, &[&account.0, &kind, &uuid]).await?;
    }
    Ok(true)
}

/// Removes a large value. Its kilobytes.
async fn remove_large(
    transaction: &Transaction<'_>,
    sql: &str,
    (account, uuid): Owned,
) -> PostgresResult<u64> {
    let rows = all(transaction, sql, &[&account.0, &uuid]).await?;
    let bytes = rows.iter().map(|row| Ok(row.try_get::<_, i64>(0)?));
    Ok(bytes.sum::<PostgresResult<i64>>()?.unsigned_abs() / 1024)
}

/// After every place in a history.
const EVERYTHING: (i64, Uuid) = (i64::MAX, Uuid::max());

/// The place in a history before which nothing need be kept.
async fn place(
    transaction: &Transaction<'_>,
    (account, uuid): Owned,
    keep: Keep,
) -> PostgresResult<(i64, Uuid)> {
    let Some(number) = keep.newest else {
        return Ok(keep.place(None));
    };
    let sql = "SELECT timestamp, uuid FROM assertion WHERE account = $1 AND benchmark = $2
         ORDER BY timestamp DESC, uuid DESC LIMIT 1 OFFSET $3";
    let newer = i64::from(number) - 1;
    let newest = first(transaction, sql, &[&account.0, &uuid, &newer]).await?;
    match newest {
        Some(newest) => Ok(keep.place(Some(end(&newest)?))),
        // There are fewer.
        None => Ok((i64::MIN, Uuid::nil())),
    }
}

/// Removes the oldest assertions before that place, at most a part. How many.
async fn remove_oldest(
    transaction: &Transaction<'_>,
    (account, uuid): Owned,
    (timestamp, before): (i64, Uuid),
) -> PostgresResult<u64> {
    let sql = "SELECT timestamp, uuid FROM assertion
         WHERE account = $1 AND benchmark = $2 AND (timestamp, uuid) < ($3, $4)
         ORDER BY timestamp, uuid LIMIT 1 OFFSET $5";
    let part = PART.cast_signed();
    let params: [Param<'_>; 5] = [&account.0, &uuid, &timestamp, &before, &part];
    let row = first(transaction, sql, &params).await?;
    let (timestamp, before) = row.map_or(Ok((timestamp, before)), |row| end(&row))?;
    let sql = "DELETE FROM assertion
         WHERE account = $1 AND benchmark = $2 AND (timestamp, uuid) < ($3, $4)";
    let params: [Param<'_>; 4] = [&account.0, &uuid, &timestamp, &before];
    execute(transaction, sql, &params).await
}

fn end(row: &Row) -> PostgresResult<(i64, Uuid)> {
    Ok((row.try_get(0)?, row.try_get(1)?))
}

fn owned(row: &Row) -> PostgresResult<Owned> {
    Ok((Account(row.try_get(0)?), row.try_get(1)?))
}
