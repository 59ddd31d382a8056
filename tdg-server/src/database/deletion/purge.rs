//! Removes deleted data once its retention ends.

use std::collections::BTreeSet;

use tdg_service::{Result, Timestamp, Uuid};

use crate::account::{Account, Usage};
use crate::database::Database;
use crate::database::error::DatabaseResult;
use crate::database::row::DatabaseRow;
use crate::database::session::DatabaseSession;
use crate::database::sql::{Sql, sql};

/// The statements that remove a part of a deletion from a table: the first `$3` rows.
struct Purge {
    /// Register large or numerous data as garbage (`$4` is now).
    garbage: &'static [Sql],
    rows: Sql,
}

macro_rules! purge {
    ($table:literal $(, $large:literal)*) => {
        Purge {
            garbage: &[$(
                sql!(
                    "INSERT INTO garbage (account, kind, uuid, deleted) SELECT account, '", $large,
                    "', uuid, $4 FROM deleted_", $table, " WHERE ", part!($table)
                )
            ),*],
            rows: sql!("DELETE FROM deleted_", $table, " WHERE ", part!($table)),
        }
    };
}

macro_rules! part {
    ($table:literal) => {
        concat!(
            "account = $1 AND deletion = $2 AND uuid IN (
                 SELECT uuid FROM deleted_",
            $table,
            "
                 WHERE account = $1 AND deletion = $2 ORDER BY uuid LIMIT $3)"
        )
    };
}

const PURGES: [Purge; 5] = [
    purge!("benchmark", "assertion", "outputs"),
    purge!("ensemble", "packed_rows"),
    purge!("definition"),
    purge!("record"),
    purge!("project"),
];

/// The time of deletion that marks a deletion as no longer kept.
fn never() -> i64 {
    Timestamp::MIN.as_micros()
}

/// The number of rows removed at once, and roughly the bytes that this writes.
const PART: u64 = 250;
const PART_BYTES: usize = PART as usize * 1024;

impl Database {
    /// Returns some of the kept deletions up to this time.
    pub(crate) async fn deleted_until(
        &self,
        account: Option<Account>,
        until: Timestamp,
    ) -> Result<Vec<(Account, Uuid)>> {
        let args = (account.map(|account| account.0), until.as_micros());
        self.query(Account::NONE, args, |session, (account, until)| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT account, uuid FROM deletion
                     WHERE deleted <= $1 AND (CAST($2 AS bigint) IS NULL OR account = $2)
                     LIMIT 1000"
                );
                let read = |row: DatabaseRow<'_>| Ok((row.account(0)?, row.get(1)?));
                session.all(sql, &[until, account], read).await
            })
        })
        .await
    }

    /// Computes the sizes of some deletions without one. Returns their accounts.
    pub(crate) async fn count_deletions(&self) -> Result<BTreeSet<Account>> {
        let uncounted = self.query(Account::NONE, (), |session, ()| {
            Box::pin(async move {
                let sql = sql!("SELECT account, uuid FROM deletion WHERE bytes IS NULL LIMIT 250");
                let read = |row: DatabaseRow<'_>| Ok((row.account(0)?, row.get(1)?));
                session.all(sql, &[], read).await
            })
        });
        let mut counted = Vec::new();
        for (account, deletion) in uncounted.await? {
            let bytes = self.usage_of(account, deletion).await?.bytes + Usage::DELETION;
            counted.push((account, deletion, bytes.cast_signed()));
        }
        let accounts = counted.iter().map(|(account, ..)| *account).collect();
        if !counted.is_empty() {
            let note = self.write(Account::NONE, 0, counted, |session, counted| {
                Box::pin(async move {
                    let sql =
                        sql!("UPDATE deletion SET bytes = $3 WHERE account = $1 AND uuid = $2");
                    for (account, deletion, bytes) in counted {
                        let session = session.for_account(*account);
                        session.execute(sql, &[deletion, bytes]).await?;
                    }
                    Ok(())
                })
            });
            note.await?;
        }
        Ok(accounts)
    }

    /// Keeps an account's newest deletions, up to `bytes` in total. The others can't be restored
    /// from then on, and are purged next.
    pub(crate) async fn keep_newest_deletions(&self, account: Account, bytes: u64) -> Result<()> {
        let most = i64::try_from(bytes).unwrap_or(i64::MAX);
        self.write_one(account, 0, most, |session, most| {
            Box::pin(async move {
                let sql = sql!(
                    "UPDATE deletion SET deleted = $3 WHERE account = $1 AND uuid IN (
                         SELECT uuid FROM (
                             SELECT uuid, CAST(sum(bytes) OVER (ORDER BY uuid DESC) AS bigint)
                                 AS together
                             FROM deletion WHERE account = $1) AS newest
                         WHERE together > $2)"
                );
                session.execute(sql, &[most, &never()]).await.map(drop)
            })
        })
        .await
    }

    /// Removes a part of a kept deletion, which can't be restored from then on. Returns true if
    /// there may be more.
    pub(crate) async fn purge(&self, deletion: (Account, Uuid)) -> Result<bool> {
        self.write(
            Account::NONE,
            PART_BYTES,
            deletion,
            |session, (account, deletion)| {
                Box::pin(purge(session.for_account(*account), *deletion))
            },
        )
        .await
    }
}

/// Implements [`Database::purge`] in a session.
pub(super) async fn purge(session: DatabaseSession<'_>, deletion: Uuid) -> DatabaseResult<bool> {
    // Comes first, so that it isn't restored concurrently.
    let sql = sql!("UPDATE deletion SET deleted = $3 WHERE account = $1 AND uuid = $2");
    if session.execute(sql, &[&deletion, &never()]).await? == 0 {
        return Ok(false);
    }
    let (part, now) = (PART.cast_signed(), Timestamp::now().as_micros());
    for Purge { garbage, rows } in PURGES {
        for sql in garbage {
            session.execute(*sql, &[&deletion, &part, &now]).await?;
        }
        if session.execute(rows, &[&deletion, &part]).await? >= PART {
            return Ok(true);
        }
    }
    let sql = sql!("DELETE FROM deletion WHERE account = $1 AND uuid = $2");
    session.execute(sql, &[&deletion]).await?;
    Ok(false)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::database::sqlite;

    #[tokio::test]
    async fn an_object_removed_in_parts_cannot_be_restored() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tdg.db");
        let database = Database::Sqlite(sqlite::open(&file, 1).unwrap().0);
        let connection = Connection::open(&file).unwrap();
        let part = PART.cast_signed();
        let benchmarks = 2 * part + 1;
        let fill = format!(
            "INSERT INTO account VALUES (1, 'team', NULL);
             INSERT INTO deletion
                 VALUES (1, zeroblob(16), zeroblob(16), 'project', 9, NULL, NULL, 0);
             WITH RECURSIVE number (n) AS (
                 SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < {benchmarks}
             )
             INSERT INTO deleted_benchmark (account, uuid, deletion)
                 SELECT 1, randomblob(16), zeroblob(16) FROM number"
        );
        connection.execute_batch(&fill).unwrap();
        let deletion = database.deletions(None).await.unwrap().remove(0);
        let left = || {
            let sql = "SELECT (SELECT count(*) FROM deleted_benchmark),
                 (SELECT count(*) FROM garbage), (SELECT count(*) FROM deletion)";
            let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
            let counts: (i64, i64, i64) = connection.query_row(sql, [], read).unwrap();
            counts
        };
        for after in [(part + 1, 2 * part, 1), (1, 4 * part, 1)] {
            assert!(database.purge((Account(1), deletion.uuid)).await.unwrap());
            assert_eq!(left(), after);
            let refused = database.undelete(deletion.clone(), Timestamp::MIN).await;
            assert!(
                refused
                    .unwrap_err()
                    .to_string()
                    .contains("is no longer kept")
            );
        }
        assert!(!database.purge((Account(1), deletion.uuid)).await.unwrap());
        assert_eq!(left(), (0, 2 * benchmarks, 0));
    }
}
