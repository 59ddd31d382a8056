//! What keeps the database small: the rest of deleted objects is removed, and histories are pruned.

use std::time::Duration;

use tdg_service::{ObjectKind, Result, Timestamp, Uuid};

use super::deletion::delete_empty;
use super::error::DatabaseResult;
use super::row::DatabaseRow;
use super::session::DatabaseSession;
use super::sql::{Sql, SqlValues, sql};
use super::{Account, Database};

/// How long what was run elsewhere is waited for. No idempotency key lives longer.
const AWAITED: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How much one part removes: so many assertions, or kilobytes of large values.
pub(crate) const PART: u64 = 5000;

/// About what removing a part writes.
const PART_BYTES: usize = PART as usize * 1024;

/// How long assertions stay as garbage on PostgreSQL. Until then one may arrive that found its
/// benchmark before that was deleted: longer than any statement takes, and than clocks of servers
/// differ.
const STAY: Duration = Duration::from_secs(180);

/// How many objects a query lists.
const LISTED: i64 = 1000;

/// An object of an account.
pub(crate) type Owned = (Account, Uuid);

/// What may be unused.
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

    /// Lists such objects: see [`Database::unused_in`].
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

    /// Finds one of the objects that are in it.
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

/// The objects of one account or all, from one of them on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectSpan {
    after: (i64, Uuid),
    last_account: i64,
}

impl ObjectSpan {
    pub(crate) fn of(account: Option<Account>) -> Self {
        let Account(first) = account.unwrap_or(Account(i64::MIN));
        let Account(last) = account.unwrap_or(Account(i64::MAX));
        ObjectSpan {
            after: (first, Uuid::nil()),
            last_account: last,
        }
    }

    /// What follows these, if that may be anything.
    pub(crate) fn after(self, listed: &[Owned]) -> Option<Self> {
        let (account, uuid) = listed.last()?;
        Some(ObjectSpan {
            after: (account.0, *uuid),
            ..self
        })
    }
}

/// Which assertions of a history are kept: both the newest and those since a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keep {
    newest: Option<u32>,
    since: Timestamp,
}

impl Keep {
    pub(crate) fn new(newest: Option<u32>, since: Timestamp) -> Self {
        Keep { newest, since }
    }

    /// The place in the history before which nothing need be kept; `newest` is that of the oldest
    /// of the newest.
    ///
    /// What is of the last days is always kept: a request may be repeated, and finds what it
    /// asserted; and what was run meanwhile elsewhere is taken when it is synchronised. Nothing is
    /// dated more than a day later than it came, so the order of time is that of coming, but for
    /// what comes late.
    fn place(&self, newest: Option<(i64, Uuid)>) -> (i64, Uuid) {
        let awaited = Timestamp::now().as_micros() - AWAITED.as_micros() as i64;
        let since = (self.since.as_micros().min(awaited), Uuid::nil());
        newest.map_or(since, |newest| newest.min(since))
    }
}

/// Every method is a short part of its work, between which others write.
impl Database {
    /// Removes a part of what was left of deleted objects. Whether there may be more.
    pub(crate) async fn collect_garbage(&self) -> Result<bool> {
        // Without a write if there is none.
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

    /// The next benchmarks, in the order of account and identifier.
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

    /// The next objects that were added before that time and that no benchmark needs: ensembles, or
    /// definitions whose ensembles are all such.
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

    /// How many assertions of a benchmark need not be kept.
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

    /// Removes the oldest of them. How many; fewer than [`PART`] if none are left.
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

    /// Deletes an object if nothing is in it. Whether it was.
    pub(crate) async fn delete_unused(&self, kind: Unused, object: Owned) -> Result<bool> {
        let args = (kind, object);
        self.write(Account::NONE, 0, args, |session, (kind, object)| {
            Box::pin(async move {
                let (account, uuid) = object;
                if session.exists(kind.within(), &[&account.0, uuid]).await? {
                    return Ok(false);
                }
                delete_empty(session.of(*account), kind.kind(), *uuid).await
            })
        })
        .await
    }

    /// Deletes what is older than that, by a statement that takes the time.
    pub(super) async fn forget(&self, sql: Sql, before: Timestamp) -> Result<()> {
        let args = (sql, before.as_micros());
        self.write_one(Account::NONE, 0, args, |session, (sql, before)| {
            Box::pin(async move { session.execute(*sql, &[before]).await.map(drop) })
        })
        .await
    }

    /// Gives the database another epoch, and returns that.
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

/// The assertions of what was deleted before are removed.
fn deleted_before(session: DatabaseSession<'_>) -> i64 {
    match session.is_sqlite() {
        true => i64::MAX,
        false => Timestamp::now().as_micros() - STAY.as_micros() as i64,
    }
}

/// Removes one part. Of several servers, one waits here for another.
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

/// Removes a large value. Its kilobytes.
async fn remove_large(
    session: DatabaseSession<'_>,
    sql: Sql,
    (account, uuid): Owned,
) -> DatabaseResult<u64> {
    let values: SqlValues<'_> = &[&account.0, &uuid];
    let bytes = session.first(sql, values, |row| row.count(0)).await?;
    Ok(bytes.unwrap_or_default() / 1024)
}

/// After every place in a history.
const EVERYTHING: (i64, Uuid) = (i64::MAX, Uuid::max());

/// The place in a history before which nothing need be kept.
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
    // There are fewer.
    Ok(newest.map_or((i64::MIN, Uuid::nil()), |newest| keep.place(Some(newest))))
}

/// The place of the assertion that so many are older than, if it is before that one.
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

/// Removes the oldest assertions before that place, at most a part. How many.
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
