//! Idempotency: requests that may be repeated.

use tdg_service::{IdempotencyKey, IdempotentRequest, Result, ServiceError, Timestamp};

use crate::account::Account;
use crate::database::error::{DatabaseError, DatabaseResult};
use crate::database::row::DatabaseRow;
use crate::database::session::DatabaseSession;
use crate::database::sql::{Sql, SqlValues, sql};
use crate::database::{Database, Made};

/// The lifetime of keys, in microseconds.
const LIFETIME: i64 = IdempotencyKey::LIFETIME.as_micros() as i64;

/// The number of keys that one statement deletes.
const PART: u64 = 10_000;

impl Database {
    /// Deletes some of the expired keys. Returns true if there may be more.
    pub(crate) async fn forget_requests(&self) -> Result<bool> {
        let old = Timestamp::now().as_micros() - LIFETIME;
        self.write_one(Account::NONE, 0, old, |session, old| {
            Box::pin(async move {
                let sql = sql!(
                    "DELETE FROM idempotency WHERE (account, key) IN (
                         SELECT account, key FROM idempotency
                         WHERE added <= $1 ORDER BY added LIMIT $2)"
                );
                Ok(session.execute(sql, &[old, &PART.cast_signed()]).await? == PART)
            })
        })
        .await
    }
}

/// The parents of a new object, the object, and the request that creates it.
pub(super) type Creation<P, T> = (P, T, Option<IdempotentRequest>);

/// Finds the object that an earlier request with this key has created.
const KNOWN: Sql = sql!(
    "SELECT fingerprint, made, added, made_at FROM idempotency WHERE account = $1 AND key = $2"
);

/// Stores the object of a request in place of a missing one, unless another request has done so.
const REMEMBER: Sql = sql!(
    "INSERT INTO idempotency (account, key, fingerprint, made, made_at, added)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (account, key) DO UPDATE
     SET fingerprint = excluded.fingerprint, made = excluded.made,
         made_at = excluded.made_at, added = excluded.added
     WHERE idempotency.made = $7"
);

/// Finds the object that an earlier copy of the request has created. Otherwise, or if the object no
/// longer exists, `make` creates `new`, and that is stored.
///
/// The key is written last. From then on, other requests with the same key wait until the
/// transaction is on the disk.
pub(super) async fn find_or_make<T, F>(
    session: DatabaseSession<'_>,
    request: Option<&IdempotentRequest>,
    find: impl FnOnce(Made) -> F,
    (new, make): (Made, impl Future<Output = DatabaseResult<T>>),
) -> DatabaseResult<T>
where
    F: Future<Output = DatabaseResult<T>>,
{
    let Some(request) = request else {
        return make.await;
    };
    let now = Timestamp::now().as_micros();
    let key = request.key.as_str();
    let fingerprint = &request.fingerprint.as_bytes()[..];
    let read = |row: DatabaseRow<'_>| {
        let made = Made {
            uuid: row.get(1)?,
            at: row.optional_time(3)?,
        };
        Ok((row.bytes(0)? == fingerprint, made, row.get::<i64>(2)?))
    };
    let known = session.first(KNOWN, &[&key], read).await?;
    if let Some((is_same, made, added)) = known
        && added > now - LIFETIME
    {
        if !is_same {
            return Err(request.conflict().into());
        }
        match find(made).await {
            Err(DatabaseError::Refused(ServiceError::NotFound(..))) => {}
            found => return found,
        }
    }
    let made = make.await?;
    let values: SqlValues<'_> = &[
        &key,
        &fingerprint,
        &new.uuid,
        &new.at.map(Timestamp::as_micros),
        &now,
        &known.map(|(_, made, _)| made.uuid),
    ];
    if session.execute(REMEMBER, values).await? == 0 {
        // The same request arrived twice at once. The retry finds the other's object.
        return Err(DatabaseError::Conflict);
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::database::sqlite;

    #[tokio::test]
    async fn an_idempotency_key_is_free_again_after_a_day() {
        use tdg_service::Operation;

        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tdg.db");
        let database = Database::Sqlite(sqlite::open(&file, 1).unwrap().0);
        let connection = Connection::open(&file).unwrap();
        let key: IdempotencyKey = "once".parse().unwrap();
        let make = async |name: &str| {
            let request = IdempotentRequest::new(&key, Operation::CreateProject, &[], name);
            let (account, name) = (Account(1), name.to_owned());
            database.create_project(account, name, Some(request)).await
        };
        let later = |micros: i64| {
            let sql = "UPDATE idempotency SET added = added - ?1";
            connection.execute(sql, [micros]).unwrap();
        };
        const MINUTE: i64 = 60_000_000;
        make("first").await.unwrap();
        later(LIFETIME - MINUTE);
        assert!(make("second").await.is_err());
        later(MINUTE);
        assert_eq!(make("second").await.unwrap().project_name, "second");
        let kept: i64 = connection
            .query_row("SELECT count(*) FROM idempotency", [], |row| row.get(0))
            .unwrap();
        assert_eq!(kept, 1);
    }
}
