//! Lists the deletions that are kept.

use tdg_engine::text::counted;
use tdg_service::{ObjectKind, Result, Timestamp, Uuid};

use crate::account::Account;
use crate::database::Database;
use crate::database::error::{DatabaseError, DatabaseResult};
use crate::database::row::DatabaseRow;
use crate::database::sql::{Sql, sql};
use crate::database::tombstone::OBJECTS;

/// An object that was deleted along with its children.
#[derive(Clone, Debug)]
pub(crate) struct Deletion {
    pub(crate) account: Account,
    /// The name of the account.
    pub(crate) owner: String,
    /// The identifier of the deletion.
    pub(crate) uuid: Uuid,
    pub(crate) kind: ObjectKind,
    pub(crate) object: Uuid,
    /// The name of the object, if it is a project or an ensemble.
    pub(crate) name: Option<String>,
    pub(crate) deleted: Timestamp,
    /// The prefix of the key, and the key's name.
    pub(crate) key: Option<String>,
    pub(crate) key_name: Option<String>,
    pub(crate) address: Option<String>,
    /// The number of definitions, ensembles and benchmarks that were deleted with it.
    pub(crate) beneath: [u64; 3],
}

impl Deletion {
    /// Formats the deleted children, if any: `2 definitions, 2 ensembles, 3 benchmarks`.
    pub(crate) fn contents(&self) -> Option<String> {
        let kinds = ["definition", "ensemble", "benchmark"];
        let counts = self.beneath.into_iter().zip(kinds);
        let counts = counts.filter(|(count, _)| *count > 0);
        let counted = counts.map(|(count, noun)| counted(count as usize, noun));
        let counted: Vec<String> = counted.collect();
        (!counted.is_empty()).then(|| counted.join(", "))
    }
}

impl Database {
    /// Returns the deletions that are kept, oldest first, of one account or of all.
    pub(crate) async fn deletions(&self, account: Option<Account>) -> Result<Vec<Deletion>> {
        let account = account.map(|account| account.0);
        self.query(Account::NONE, account, |session, account| {
            Box::pin(async move { session.all(LIST, &[account], read).await })
        })
        .await
    }

    /// Returns the kind of an object, and when it was deleted, even if the deletion isn't kept.
    pub(crate) async fn deleted_at(&self, object: Uuid) -> Result<Option<(String, Timestamp)>> {
        self.query(Account::NONE, object, |session, object| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT kind, deleted FROM tombstone WHERE uuid = $1
                     ORDER BY deleted DESC LIMIT 1"
                );
                let read = |row: DatabaseRow<'_>| Ok((row.get(0)?, row.time(1)?));
                session.first(sql, &[object], read).await
            })
        })
        .await
    }

    /// Returns the kind and identifier of the object with which an object was deleted.
    pub(crate) async fn deleted_with(&self, object: Uuid) -> Result<Option<(String, Uuid)>> {
        self.query(Account::NONE, object, |session, object| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT deletion.kind, deletion.object
                     FROM (
                         SELECT account, deletion FROM deleted_definition WHERE uuid = $1
                         UNION ALL SELECT account, deletion FROM deleted_ensemble WHERE uuid = $1
                         UNION ALL SELECT account, deletion FROM deleted_benchmark WHERE uuid = $1
                     ) AS found
                     JOIN deletion ON deletion.account = found.account
                         AND deletion.uuid = found.deletion
                     ORDER BY deletion.deleted DESC LIMIT 1"
                );
                let read = |row: DatabaseRow<'_>| Ok((row.get(0)?, row.get(1)?));
                session.first(sql, &[object], read).await
            })
        })
        .await
    }
}

macro_rules! count_beneath {
    ($table:literal) => {
        concat!(
            "(SELECT count(*) FROM deleted_",
            $table,
            " AS beneath
              WHERE beneath.account = deletion.account AND beneath.deletion = deletion.uuid
                  AND beneath.uuid <> deletion.object)"
        )
    };
}

const LIST: Sql = sql!(
    "SELECT deletion.account, account.name, deletion.uuid, deletion.kind, deletion.object,
         coalesce(project.name, ensemble.name), deletion.deleted, deletion.key, api_key.name,
         deletion.address, ",
    count_beneath!("definition"),
    ", ",
    count_beneath!("ensemble"),
    ", ",
    count_beneath!("benchmark"),
    " FROM deletion
     JOIN account ON account.id = deletion.account
     LEFT JOIN api_key ON api_key.prefix = deletion.key
     LEFT JOIN deleted_project AS project ON project.account = deletion.account
         AND project.deletion = deletion.uuid AND project.uuid = deletion.object
     LEFT JOIN deleted_ensemble AS ensemble ON ensemble.account = deletion.account
         AND ensemble.deletion = deletion.uuid AND ensemble.uuid = deletion.object
     WHERE CAST($1 AS bigint) IS NULL OR deletion.account = $1
     ORDER BY deletion.deleted, deletion.uuid"
);

fn read(row: DatabaseRow<'_>) -> DatabaseResult<Deletion> {
    Ok(Deletion {
        account: row.account(0)?,
        owner: row.get(1)?,
        uuid: row.get(2)?,
        kind: kind(row.text(3)?)?,
        object: row.get(4)?,
        name: row.get(5)?,
        deleted: row.time(6)?,
        key: row.get(7)?,
        key_name: row.get(8)?,
        address: row.get(9)?,
        beneath: [row.count(10)?, row.count(11)?, row.count(12)?],
    })
}

fn kind(name: &str) -> DatabaseResult<ObjectKind> {
    let found = OBJECTS.into_iter().find(|kind| kind.name() == name);
    found.ok_or_else(|| DatabaseError::corrupt("deletion", format!("it has the kind `{name}`")))
}
