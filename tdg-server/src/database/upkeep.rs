//! Maintenance that keeps the database small: collecting garbage and pruning histories.

use std::time::Duration;

use tdg_service::{ObjectKind, Result, Timestamp, Uuid};

use super::Database;
use super::deletion::delete_empty;
use super::error::DatabaseResult;
use super::row::DatabaseRow;
use super::session::DatabaseSession;
use super::sql::{Sql, SqlValues, sql};
use crate::account::Account;

/// The time for which late assertions are awaited. Idempotency keys don't live longer.
const AWAITED: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The number of assertions, or of kilobytes of large values, that one part removes.
pub(crate) const PART: u64 = 5000;

/// The approximate bytes that removing a part writes.
const PART_BYTES: usize = PART as usize * 1024;

/// The time for which assertions stay as garbage on PostgreSQL. Until then, one may arrive that
/// found its benchmark before it was deleted. No statement takes longer, and clocks of servers
/// differ by less.
const STAY: Duration = Duration::from_secs(180);

/// The number of objects that a query lists.
const LISTED: i64 = 1000;

/// An object and its account.
pub(crate) type Owned = (Account, Uuid);

/// The kinds of objects that may be unused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unused {
    Ensemble,
    Definition,
}

impl Unused {
    fn kind(self) -> ObjectKind {
        match self {
            Unused::Ensemble => ObjectKind::Ensemble,
            Unused::Definition => ObjectKind::Definition,
        }
    }

    /// Returns the query that lists such objects, see [`Database::unused_in`].
    fn listed(self) -> Sql {
        match self {
            Unused::Ensemble => sql!(
                "SELECT account, uuid FROM ensemble
                 WHERE (account, uuid) > ($1, $2) AND account <= $3 AND added < $5
                     AND NOT EXISTS (
                         SELECT 1 FROM benchmark WHERE benchmark.account = ensemble.account
                             AND benchmark.ensemble = ensemble.uuid)
                 ORDER BY account, uuid LIMIT $4"
            ),
            Unused::Definition => sql!(
                "SELECT account, uuid FROM definition
                 WHERE (account, uuid) > ($1, $2) AND account <= $3 AND added < $5
                     AND NOT EXISTS (
                         SELECT 1 FROM ensemble WHERE ensemble.account = definition.account
                             AND ensemble.definition = definition.uuid
                             AND (ensemble.added >= $5 OR EXISTS (
                                 SELECT 1 FROM benchmark
                                 WHERE benchmark.account = ensemble.account
                                     AND benchmark.ensemble = ensemble.uuid)))
                 ORDER BY account, uuid LIMIT $4"
            ),
        }
    }

    /// Returns the query that finds a child of one.
    fn within(self) -> Sql {
        match self {
            Unused::Ensemble => {
                sql!("SELECT 1 FROM benchmark WHERE account = $1 AND ensemble = $2 LIMIT 1")
            }
            Unused::Definition => {
                sql!("SELECT 1 FROM ensemble WHERE account = $1 AND definition = $2 LIMIT 1")
            }
        }
    }
}

/// Selects objects of one account or of all, in order, from one of them on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectSpan {
    after: (i64, Uuid),
    last_account: i64,
}

impl ObjectSpan {
    pub(crate) fn from_account(account: Option<Account>) -> Self {
        let Account(first) = account.unwrap_or(Account(i64::MIN));
        let Account(last) = account.unwrap_or(Account(i64::MAX));
        ObjectSpan {
            after: (first, Uuid::nil()),
            last_account: last,
        }
    }

    /// Returns the span after these objects, or `None` at the end.
    pub(crate) fn after(self, listed: &[Owned]) -> Option<Self> {
        let (account, uuid) = listed.last()?;
        Some(ObjectSpan {
            after: (account.0, *uuid),
            ..self
        })
    }
}

/// The assertions of a history to keep: both the newest ones and those since a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keep {
    newest: Option<u32>,
    since: Timestamp,
}

impl Keep {
    pub(crate) fn new(newest: Option<u32>, since: Timestamp) -> Self {
        Keep { newest, since }
    }

    /// Returns the place in the history before which assertions can be removed. `newest` is the
    /// place of the oldest of the newest ones.
    ///
    /// The last days are always kept: a repeated request finds its assertion, and runs from
    /// elsewhere are accepted when they are synchronized. An assertion is dated at most a day after
    /// its arrival, so they are ordered by arrival, except for late ones.
    fn place(&self, newest: Option<(i64, Uuid)>) -> (i64, Uuid) {
        let awaited = Timestamp::now().as_micros() - AWAITED.as_micros() as i64;
        let since = (self.since.as_micros().min(awaited), Uuid::nil());
        newest.map_or(since, |newest| newest.min(since))
    }
}

/// Every method does a short part of its work, so that others can write in between.
impl Database {
    /// Removes a part of the garbage. Returns true if there may be more.
    pub(crate) async fn collect_garbage(&self) -> Result<bool> {
        // Without garbage, this doesn't write.
        let any = self.look_up(Account::NONE, (), |session, ()| {
            let sql =
                sql!("SELECT 1 FROM garbage WHERE deleted <= $1 OR kind <> 'assertion' LIMIT 1");
            Box::pin(async move { session.exists(sql, &[&deleted_before(session)]).await })
        });
        if !any.await? {
            return Ok(false);
        }
        self.write(Account::NONE, PART_BYTES, (), |session, ()| {
            Box::pin(collect(session))
        })
        .await
    }

    /// Returns the next benchmarks, ordered by account and identifier.
    pub(crate) async fn benchmarks_in(&self, span: ObjectSpan) -> Result<Vec<Owned>> {
        self.query(Account::NONE, span, |session, span| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT account, uuid FROM benchmark
                     WHERE (account, uuid) > ($1, $2) AND account <= $3
                     ORDER BY account, uuid LIMIT $4"
                );
                let (account, uuid) = &span.after;
                let values: SqlValues<'_> = &[account, uuid, &span.last_account, &LISTED];
                session.all(sql, values, owned).await
            })
        })
        .await
    }

    /// Returns the next unused objects that were added before a time: ensembles without benchmarks,
    /// or definitions whose ensembles are all unused.
    pub(crate) async fn unused_in(
        &self,
        kind: Unused,
        span: ObjectSpan,
        before: Timestamp,
    ) -> Result<Vec<Owned>> {
        let args = (kind, span, before.as_micros());
        self.query(Account::NONE, args, |session, (kind, span, before)| {
            Box::pin(async move {
                let (account, uuid) = &span.after;
                let values: SqlValues<'_> = &[account, uuid, &span.last_account, &LISTED, before];
                session.all(kind.listed(), values, owned).await
            })
        })
        .await
    }

    /// Counts the assertions of a benchmark that can be removed.
    pub(crate) async fn count_old(&self, benchmark: Owned, keep: Keep) -> Result<u64> {
        let args = (benchmark, keep);
        self.read(Account::NONE, args, |session, (benchmark, keep)| {
            Box::pin(async move {
                let (timestamp, before) = place(session, *benchmark, *keep).await?;
                let sql = sql!(
                    "SELECT count(*) FROM assertion
                     WHERE account = $1 AND benchmark = $2 AND (timestamp, uuid) < ($3, $4)"
                );
                let (account, uuid) = benchmark;
                let values: SqlValues<'_> = &[&account.0, uuid, &timestamp, &before];
                let count = session.first(sql, values, |row| row.count(0)).await?;
                Ok(count.unwrap_or_default())
            })
        })
        .await
    }

    /// Removes the oldest of them. Returns their number, which is below [`PART`] if none remain.
    pub(crate) async fn prune_history(&self, benchmark: Owned, keep: Keep) -> Result<u64> {
        let args = (benchmark, keep);
        let old = self.read(Account::NONE, args, |session, (benchmark, keep)| {
            Box::pin(async move {
                let before = place(session, *benchmark, *keep).await?;
                Ok(end_of_part(session, *benchmark, before, 0).await?.is_some())
            })
        });
        if !old.await? {
            return Ok(0);
        }
        self.write(
            Account::NONE,
            PART_BYTES,
            args,
            |session, (benchmark, keep)| {
                Box::pin(async move {
                    let before = place(session, *benchmark, *keep).await?;
                    let removed = remove_oldest(session, *benchmark, before).await?;
                    let sql = sql!(
                        postgres: "UPDATE benchmark SET kept_since = $3
                             WHERE account = $1 AND uuid = $2",
                        sqlite: "UPDATE benchmark SET changes = changes + 1, kept_since = $3
                             WHERE account = $1 AND uuid = $2"
                    );
                    let (account, uuid) = benchmark;
                    session.execute(sql, &[&account.0, uuid, &before.0]).await?;
                    Ok(removed)
                })
            },
        )
        .await
    }

    /// Deletes an object without children. Returns true if it was deleted.
    pub(crate) async fn delete_unused(&self, kind: Unused, object: Owned) -> Result<bool> {
        let args = (kind, object);
        self.write(Account::NONE, 0, args, |session, (kind, object)| {
            Box::pin(async move {
                let (account, uuid) = object;
                if session.exists(kind.within(), &[&account.0, uuid]).await? {
                    return Ok(false);
                }
                delete_empty(session.for_account(*account), kind.kind(), *uuid).await
            })
        })
        .await
    }

    /// Runs a statement that deletes everything older than a time.
    pub(super) async fn forget(&self, sql: Sql, before: Timestamp) -> Result<()> {
        let args = (sql, before.as_micros());
        self.write_one(Account::NONE, 0, args, |session, (sql, before)| {
            Box::pin(async move { session.execute(*sql, &[before]).await.map(drop) })
        })
        .await
    }

    /// Gives the database a new epoch, and returns it.
    pub(crate) async fn renew_epoch(&self) -> Result<Uuid> {
        let epoch = Uuid::new_v4();
        self.write_one(Account::NONE, 0, epoch, |session, epoch| {
            let sql = sql!("UPDATE server SET epoch = $1");
            Box::pin(async move { session.execute(sql, &[epoch]).await })
        })
        .await?;
        Ok(epoch)
    }
}

/// Returns the time before which deleted objects lose their assertions.
fn deleted_before(session: DatabaseSession<'_>) -> i64 {
    match session.is_sqlite() {
        true => i64::MAX,
        false => Timestamp::now().as_micros() - STAY.as_micros() as i64,
    }
}

/// Removes one part. Concurrent servers take turns.
async fn collect(session: DatabaseSession<'_>) -> DatabaseResult<bool> {
    let next = sql!(
        postgres: "SELECT account, uuid, kind FROM garbage
             WHERE deleted <= $1 OR kind <> 'assertion'
             ORDER BY account, kind, uuid LIMIT 1 FOR UPDATE",
        sqlite: "SELECT account, uuid, kind FROM garbage
             WHERE deleted <= $1 OR kind <> 'assertion'
             ORDER BY account, kind, uuid LIMIT 1"
    );
    let before = deleted_before(session);
    let mut removed = 0;
    while removed < PART {
        let read = |row: DatabaseRow<'_>| Ok((owned(row)?, row.get::<String>(2)?));
        let Some((owner, kind)) = session.first(next, &[&before], read).await? else {
            return Ok(false);
        };
        removed += match kind.as_str() {
            "outputs" => {
                let sql = sql!(
                    "DELETE FROM outputs WHERE account = $1 AND benchmark = $2
                     RETURNING CAST(octet_length(text) AS bigint)"
                );
                remove_large(session, sql, owner).await?
            }
            "packed_rows" => {
                let sql = sql!(
                    "DELETE FROM packed_rows WHERE account = $1 AND ensemble = $2
                     RETURNING CAST(octet_length(gzip) AS bigint)"
                );
                remove_large(session, sql, owner).await?
            }
            _ => remove_oldest(session, owner, EVERYTHING).await?,
        };
        if removed >= PART && kind == "assertion" {
            // There may be more of it.
            return Ok(true);
        }
        removed += 1;
        let (account, uuid) = owner;
        let sql = sql!("DELETE FROM garbage WHERE account = $1 AND kind = $2 AND uuid = $3");
        session.execute(sql, &[&account.0, &kind, &uuid]).await?;
    }
    Ok(true)
}

/// Removes a large value. Returns its kilobytes.
async fn remove_large(
    session: DatabaseSession<'_>,
    sql: Sql,
    (account, uuid): Owned,
) -> DatabaseResult<u64> {
    let values: SqlValues<'_> = &[&account.0, &uuid];
    let bytes = session.first(sql, values, |row| row.count(0)).await?;
    Ok(bytes.unwrap_or_default() / 1024)
}

/// A place after all others in a history.
const EVERYTHING: (i64, Uuid) = (i64::MAX, Uuid::max());

/// Returns the place in the history before which assertions can be removed.
async fn place(
    session: DatabaseSession<'_>,
    (account, uuid): Owned,
    keep: Keep,
) -> DatabaseResult<(i64, Uuid)> {
    let Some(number) = keep.newest else {
        return Ok(keep.place(None));
    };
    let sql = sql!(
        "SELECT timestamp, uuid FROM assertion WHERE account = $1 AND benchmark = $2
         ORDER BY timestamp DESC, uuid DESC LIMIT 1 OFFSET $3"
    );
    let newer = i64::from(number) - 1;
    let newest = session
        .first(sql, &[&account.0, &uuid, &newer], end)
        .await?;
    // There are fewer assertions.
    Ok(newest.map_or((i64::MIN, Uuid::nil()), |newest| keep.place(Some(newest))))
}

/// Returns the place after `older` of the oldest assertions, if it is before this one.
async fn end_of_part(
    session: DatabaseSession<'_>,
    (account, uuid): Owned,
    (timestamp, before): (i64, Uuid),
    older: u64,
) -> DatabaseResult<Option<(i64, Uuid)>> {
    let sql = sql!(
        "SELECT timestamp, uuid FROM assertion
         WHERE account = $1 AND benchmark = $2 AND (timestamp, uuid) < ($3, $4)
         ORDER BY timestamp, uuid LIMIT 1 OFFSET $5"
    );
    let older = older.cast_signed();
    let values: SqlValues<'_> = &[&account.0, &uuid, &timestamp, &before, &older];
    session.first(sql, values, end).await
}

/// Removes the oldest assertions before a place, at most a part. Returns their number.
async fn remove_oldest(
    session: DatabaseSession<'_>,
    benchmark: Owned,
    before: (i64, Uuid),
) -> DatabaseResult<u64> {
    let end = end_of_part(session, benchmark, before, PART).await?;
    let ((account, uuid), (timestamp, before)) = (benchmark, end.unwrap_or(before));
    let sql = sql!(
        "DELETE FROM assertion
         WHERE account = $1 AND benchmark = $2 AND (timestamp, uuid) < ($3, $4)"
    );
    let values: SqlValues<'_> = &[&account.0, &uuid, &timestamp, &before];
    session.execute(sql, values).await
}

fn end(row: DatabaseRow<'_>) -> DatabaseResult<(i64, Uuid)> {
    Ok((row.get(0)?, row.get(1)?))
}

fn owned(row: DatabaseRow<'_>) -> DatabaseResult<Owned> {
    Ok((row.account(0)?, row.get(1)?))
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::database::sqlite;

    #[tokio::test]
    async fn garbage_is_removed_a_part_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tdg.db");
        let database = Database::Sqlite(sqlite::open(&file, 1).unwrap().0);
        let connection = Connection::open(&file).unwrap();
        let assertions = 2 * PART + 1;
        let fill = format!(
            "WITH RECURSIVE number (n) AS (
                 SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < {assertions}
             )
             INSERT INTO assertion (account, benchmark, timestamp, uuid, asserted)
                 SELECT 1, zeroblob(16), n, randomblob(16), 1 FROM number;
             INSERT INTO packed_rows VALUES (1, zeroblob(16), zeroblob({PART} * 1024)),
                 (2, zeroblob(16), x'00'), (3, zeroblob(16), x'00');
             INSERT INTO garbage SELECT column1, column2, zeroblob(16), 0
                 FROM (VALUES (1, 'assertion'), (1, 'packed_rows'), (2, 'packed_rows'))"
        );
        connection.execute_batch(&fill).unwrap();
        let left = || {
            let sql = "SELECT (SELECT count(*) FROM assertion), (SELECT count(*) FROM packed_rows)";
            let row = connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)));
            let counts: (i64, i64) = row.unwrap();
            counts
        };
        let part = PART.cast_signed();
        for after in [(part + 1, 3), (1, 3), (0, 2)] {
            assert!(database.collect_garbage().await.unwrap());
            assert_eq!(left(), after);
        }
        for _ in 0..2 {
            assert!(!database.collect_garbage().await.unwrap());
            assert_eq!(left(), (0, 1));
        }
    }
}
