//! Sessions of users who are signed in to the pages.

use tdg_service::{Result, Timestamp};

use super::keys::{key_columns, read as read_key};
use crate::account::Account;
use crate::database::Database;
use crate::database::row::DatabaseRow;
use crate::database::sql::{SqlValues, sql};
use crate::keys::{KeyHash, KeyRecord, Prefix, SignInTimes};

impl Database {
    pub(crate) async fn add_session(
        &self,
        session: KeyHash,
        key: Prefix,
        now: Timestamp,
    ) -> Result<()> {
        let args = (session, key, now);
        self.write_one(Account::NONE, 0, args, |session, (hash, key, now)| {
            Box::pin(async move {
                let sql =
                    sql!("INSERT INTO session (hash, key, begun, used) VALUES ($1, $2, $3, $3)");
                let values: SqlValues<'_> =
                    &[&&hash.as_bytes()[..], &key.as_str(), &now.as_micros()];
                session.execute(sql, values).await.map(drop)
            })
        })
        .await
    }

    /// Returns the key by which a user signed in, and when.
    pub(crate) async fn session(
        &self,
        session: KeyHash,
    ) -> Result<Option<(KeyRecord, SignInTimes)>> {
        self.look_up(Account::NONE, session, |session, hash| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT ",
                    key_columns!(),
                    ", session.begun, session.used FROM session JOIN api_key ON api_key.prefix = session.key
                     WHERE session.hash = $1"
                );
                let read = |row: DatabaseRow<'_>| {
                    let (begun, used) = (row.time(11)?, row.time(12)?);
                    Ok((read_key(row)?, SignInTimes { begun, used }))
                };
                session.first(sql, &[&&hash.as_bytes()[..]], read).await
            })
        })
        .await
    }

    /// Updates the time of a session's last use.
    pub(crate) async fn use_session(&self, session: KeyHash, now: Timestamp) -> Result<()> {
        self.write_one(Account::NONE, 0, (session, now), |session, (hash, now)| {
            Box::pin(async move {
                let sql = sql!("UPDATE session SET used = $2 WHERE hash = $1");
                let values: SqlValues<'_> = &[&&hash.as_bytes()[..], &now.as_micros()];
                session.execute(sql, values).await.map(drop)
            })
        })
        .await
    }

    pub(crate) async fn end_session(&self, session: KeyHash) -> Result<()> {
        self.write_one(Account::NONE, 0, session, |session, hash| {
            Box::pin(async move {
                let sql = sql!("DELETE FROM session WHERE hash = $1");
                let done = session.execute(sql, &[&&hash.as_bytes()[..]]).await;
                done.map(drop)
            })
        })
        .await
    }

    /// Deletes the sessions that began before a time.
    pub(crate) async fn forget_sessions(&self, before: Timestamp) -> Result<()> {
        let sql = sql!("DELETE FROM session WHERE begun < $1");
        self.forget(sql, before).await
    }
}
