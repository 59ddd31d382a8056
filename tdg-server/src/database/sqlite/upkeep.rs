//! Removing what was deleted, and what need not be kept.

use async_trait::async_trait;
use rusqlite::{Connection, Row, params};
use tdg_service::{Result, Timestamp, Uuid};

use super::Sqlite;
use super::deletion::bury;
use super::error::SqliteResult;
use super::statement::{all, execute, first, uuid};
use crate::database::Account;
use crate::database::upkeep::{Keep, LISTED, ObjectSpan, Owned, PART, PART_BYTES, Unused, Upkeep};

#[async_trait]
impl Upkeep for Sqlite {
    async fn collect_garbage(&self) -> Result<bool> {
        // Without a write if there is none.
        let any = self.query(|connection| Ok(next_garbage(connection)?.is_some()));
        if !any.await? {
            return Ok(false);
        }
        self.transaction(Account::NONE, PART_BYTES, collect).await
    }

    async fn benchmarks_in(&self, span: ObjectSpan) -> Result<Vec<Owned>> {
        self.read_transaction(Account::NONE, move |connection| {
            let sql = "SELECT account, uuid FROM benchmark
                 WHERE (account, uuid) > (?1, ?2) AND account <= ?3
                 ORDER BY account, uuid LIMIT ?4";
            let (account, uuid) = span.after;
            let params = params![account, uuid.as_bytes(), span.last_account, LISTED];
            all(connection, sql, params, owned)
        })
        .await
    }

    async fn unused_in(
        &self,
        kind: Unused,
        span: ObjectSpan,
        before: Timestamp,
    ) -> Result<Vec<Owned>> {
        self.read_transaction(Account::NONE, move |connection| {
            let sql = match kind {
                Unused::Ensemble => {
                    "SELECT account, uuid FROM ensemble
                     WHERE (account, uuid) > (?1, ?2) AND account <= ?3 AND added < ?5
                         AND NOT EXISTS (
                             SELECT 1 FROM benchmark WHERE benchmark.account = ensemble.account
                                 AND benchmark.ensemble = ensemble.uuid)
                     ORDER BY account, uuid LIMIT ?4"
                }
                Unused::Definition => {
                    "SELECT account, uuid FROM definition
                     WHERE (account, uuid) > (?1, ?2) AND account <= ?3 AND added < ?5
                         AND NOT EXISTS (
                             SELECT 1 FROM ensemble WHERE ensemble.account = definition.account
                                 AND ensemble.definition = definition.uuid
                                 AND (added >= ?5 OR EXISTS (
                                     SELECT 1 FROM benchmark
                                     WHERE benchmark.account = ensemble.account
                                         AND benchmark.ensemble = ensemble.uuid)))
                     ORDER BY account, uuid LIMIT ?4"
                }
            };
            let (account, uuid) = span.after;
            let params = params![
                account,
                uuid.as_bytes(),
                span.last_account,
                LISTED,
                before.as_micros()
            ];
            all(connection, sql, params, owned)
        })
        .await
    }

    async fn count_old(&self, benchmark: Owned, keep: Keep) -> Result<u64> {
        self.read_transaction(Account::NONE, move |connection| {
            let (timestamp, before) = place(connection, benchmark, keep)?;
            let (account, uuid) = benchmark;
            let sql = "SELECT count(*) FROM assertion
                 WHERE account = ?1 AND benchmark = ?2 AND (timestamp, uuid) < (?3, ?4)";
            let params = params![account.0, uuid.as_bytes(), timestamp, before.as_bytes()];
            let count: Option<i64> = first(connection, sql, params, |row| row.get(0))?;
            Ok(count.unwrap_or_default().unsigned_abs())
        })
        .await
    }

    async fn prune_history(&self, benchmark: Owned, keep: Keep) -> Result<u64> {
        let old = self.query(|connection| {
            let before = place(connection, benchmark, keep)?;
            Ok(end_of_part(connection, benchmark, before, 0)?.is_some())
        });
        if !old.await? {
            return Ok(0);
        }
        self.transaction(benchmark.0, PART_BYTES, move |connection| {
            let before = place(connection, benchmark, keep)?;
            let removed = remove_oldest(connection, benchmark, before)?;
            let sql = "UPDATE benchmark SET changes = changes + 1, kept_since = ?3
                 WHERE account = ?1 AND uuid = ?2";
            let (account, uuid) = benchmark;
            execute(
                connection,
                sql,
                params![account.0, uuid.as_bytes(), before.0],
            )?;
            Ok(removed)
        })
        .await
    }

    async fn delete_unused(&self, kind: Unused, (account, uuid): Owned) -> Result<bool> {
        self.transaction(account, 0, move |connection| {
            let sql = match kind {
                Unused::Ensemble => {
                    "SELECT 1 FROM benchmark WHERE account = ?1 AND ensemble = ?2 LIMIT 1"
                }
                Unused::Definition => {
                    "SELECT 1 FROM ensemble WHERE account = ?1 AND definition = ?2 LIMIT 1"
                }
            };
            let params = params![account.0, uuid.as_bytes()];
            if first(connection, sql, params, |_| Ok(()))?.is_some() {
                return Ok(false);
            }
            bury(connection, account, kind.kind(), uuid)
        })
        .await
    }

    async fn renew_epoch(&self) -> Result<Uuid> {
        self.transaction(Account::NONE, 0, |connection| {
            let epoch = Uuid::new_v4();
            let sql = "UPDATE server SET epoch = ?1";
            execute(connection, sql, params![epoch.as_bytes()])?;
            Ok(epoch)
        })
        .await
    }
}

/// A table, and the owner whose rows in it are to be removed.
struct Garbage {
    kind: String,
    owner: Owned,
}

fn next_garbage(connection: &Connection) -> SqliteResult<Option<Garbage>> {
    let sql = "SELECT account, uuid, kind FROM garbage ORDER BY account, kind, uuid LIMIT 1";
    first(connection, sql, &[], |row| {
        Ok(Garbage {
            owner: owned(row)?,
            kind: row.get(2)?,
        })
    })
}

/// Removes one part.
fn collect(connection: &Connection) -> SqliteResult<bool> {
    let mut removed = 0;
    while removed < PART {
        let Some(Garbage { kind, owner }) = next_garbage(connection)? else {
            return Ok(false);
        };
        removed += match kind.as_str() {
            "outputs" => {
                let sql = "DELETE FROM outputs WHERE account = ?1 AND benchmark = ?2
                     RETURNING octet_length(text)";
                remove_large(connection, sql, owner)?
            }
            "packed_rows" => {
                let sql = "DELETE FROM packed_rows WHERE account = ?1 AND ensemble = ?2
                     RETURNING octet_length(gzip)";
                remove_large(connection, sql, owner)?
            }
            _ => remove_oldest(connection, owner, EVERYTHING)?,
        };
        if removed >= PART && kind == "assertion" {
            // There may be more of it.
            return Ok(true);
        }
        removed += 1;
        let (account, uuid) = owner;
        let sql = "DELETE FROM garbage WHERE account = ?1 AND kind = ?2 AND uuid = ?3";
        execute(connection, sql, params![account.0, kind, uuid.as_bytes()])?;
    }
    Ok(true)
}

/// Removes a large value. Its kilobytes.
fn remove_large(connection: &Connection, sql: &str, (account, uuid): Owned) -> SqliteResult<u64> {
    let params = params![account.0, uuid.as_bytes()];
    let bytes: Vec<i64> = all(connection, sql, params, |row| row.get(0))?;
    Ok(bytes.iter().sum::<i64>().unsigned_abs() / 1024)
}

/// After every place in a history.
const EVERYTHING: (i64, Uuid) = (i64::MAX, Uuid::max());

/// The place in a history before which nothing need be kept.
fn place(connection: &Connection, (account, uuid): Owned, keep: Keep) -> SqliteResult<(i64, Uuid)> {
    let Some(number) = keep.newest else {
        return Ok(keep.place(None));
    };
    let sql = "SELECT timestamp, uuid FROM assertion WHERE account = ?1 AND benchmark = ?2
         ORDER BY timestamp DESC, uuid DESC LIMIT 1 OFFSET ?3";
    let params = params![account.0, uuid.as_bytes(), i64::from(number) - 1];
    let newest = first(connection, sql, params, end)?;
    // There are fewer.
    Ok(newest.map_or((i64::MIN, Uuid::nil()), |newest| keep.place(Some(newest))))
}

/// The place of the assertion that so many are older than, if it is before that one.
fn end_of_part(
    connection: &Connection,
    (account, uuid): Owned,
    (timestamp, before): (i64, Uuid),
    older: u64,
) -> SqliteResult<Option<(i64, Uuid)>> {
    let sql = "SELECT timestamp, uuid FROM assertion
         WHERE account = ?1 AND benchmark = ?2 AND (timestamp, uuid) < (?3, ?4)
         ORDER BY timestamp, uuid LIMIT 1 OFFSET ?5";
    let params = params![
        account.0,
        uuid.as_bytes(),
        timestamp,
        before.as_bytes(),
        older.cast_signed()
    ];
    first(connection, sql, params, end)
}

/// Removes the oldest assertions before that place, at most a part. How many.
fn remove_oldest(
    connection: &Connection,
    benchmark: Owned,
    before: (i64, Uuid),
) -> SqliteResult<u64> {
    let end = end_of_part(connection, benchmark, before, PART)?;
    let ((account, uuid), (timestamp, before)) = (benchmark, end.unwrap_or(before));
    let sql = "DELETE FROM assertion
         WHERE account = ?1 AND benchmark = ?2 AND (timestamp, uuid) < (?3, ?4)";
    let params = params![account.0, uuid.as_bytes(), timestamp, before.as_bytes()];
    Ok(execute(connection, sql, params)? as u64)
}

fn end(row: &Row<'_>) -> rusqlite::Result<(i64, Uuid)> {
    Ok((row.get(0)?, uuid(row, 1)?))
}

fn owned(row: &Row<'_>) -> rusqlite::Result<Owned> {
    Ok((Account(row.get(0)?), uuid(row, 1)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::sqlite;

    #[tokio::test]
    async fn garbage_is_removed_a_part_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tdg.db");
        let database = sqlite::open(&file, 1).unwrap().database;
        let connection = Connection::open(&file).unwrap();
        let assertions = 2 * PART + 1;
        let fill = format!(
            "WITH RECURSIVE number (n) AS (
                 SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < {assertions}
             )
             INSERT INTO assertion SELECT 1, zeroblob(16), n, randomblob(16), 1, NULL FROM number;
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
