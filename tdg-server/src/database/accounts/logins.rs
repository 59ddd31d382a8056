//! Pending logins of devices, kept until they are answered and the device has its key.

use tdg_service::{Result, Timestamp, Uuid};

use super::keys::insert;
use crate::account::Account;
use crate::database::Database;
use crate::database::row::DatabaseRow;
use crate::database::sql::{SqlValues, sql};
use crate::keys::{KeyHash, KeyRecord, Prefix, UserCode};

/// A device that waits for approval.
#[derive(Clone, Debug)]
pub(crate) struct DeviceLogin {
    pub(crate) uuid: Uuid,
    /// The name that it gives itself.
    pub(crate) client: String,
    pub(crate) address: Option<String>,
    pub(crate) begun: Timestamp,
}

/// The answer to a login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LoginAnswer {
    /// Approved by the key with this prefix.
    Allowed(Prefix),
    Denied,
}

/// A login as its device sees it.
#[derive(Clone, Debug)]
pub(crate) struct OwnLogin {
    pub(crate) client: String,
    pub(crate) begun: Timestamp,
    pub(crate) answer: Option<LoginAnswer>,
}

impl Database {
    /// Adds a login, unless too many wait from its network or in total. In that case, returns when
    /// the login began whose place is the next to become free.
    pub(crate) async fn add_login(
        &self,
        (device, code): (KeyHash, UserCode),
        login: DeviceLogin,
        network: String,
        places: [i64; 2],
    ) -> Result<std::result::Result<(), Timestamp>> {
        let args = (device, code, login, network, places);
        self.write(Account::NONE, 0, args, |session, args| {
            Box::pin(async move {
                let (device, code, login, network, places) = args;
                for (network, places) in [Some(network), None].into_iter().zip(places) {
                    let sql = sql!(
                        "SELECT begun FROM login WHERE CAST($1 AS text) IS NULL OR network = $1
                         ORDER BY begun DESC LIMIT 1 OFFSET $2"
                    );
                    let values: SqlValues<'_> = &[&network, &(places - 1)];
                    if let Some(begun) = session.first(sql, values, |row| row.time(0)).await? {
                        return Ok(Err(begun));
                    }
                }
                let sql = sql!(
                    "INSERT INTO login (hash, uuid, code, client, address, begun, denied, network)
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
                );
                let values: SqlValues<'_> = &[
                    &&device.as_bytes()[..],
                    &login.uuid,
                    &code.as_str(),
                    &login.client,
                    &login.address,
                    &login.begun.as_micros(),
                    &false,
                    network,
                ];
                session.execute(sql, values).await.map(|_| Ok(()))
            })
        })
        .await
    }

    /// Assigns the login with a code to the session that typed it, if it has begun since this time
    /// and waits for an answer. A session that had it before loses it.
    pub(crate) async fn take_login(
        &self,
        code: UserCode,
        since: Timestamp,
        session: KeyHash,
    ) -> Result<Option<Uuid>> {
        let args = (code, since, session);
        self.write_one(Account::NONE, 0, args, |session, (code, since, by)| {
            Box::pin(async move {
                let sql = sql!(
                    "UPDATE login SET session = $3
                     WHERE code = $1 AND begun > $2 AND key IS NULL AND NOT denied RETURNING uuid"
                );
                let values: SqlValues<'_> =
                    &[&code.as_str(), &since.as_micros(), &&by.as_bytes()[..]];
                session.first(sql, values, |row| row.get(0)).await
            })
        })
        .await
    }

    /// Returns the login of a session, if it has begun since this time and waits for an answer.
    pub(crate) async fn login(
        &self,
        login: Uuid,
        session: KeyHash,
        since: Timestamp,
    ) -> Result<Option<DeviceLogin>> {
        let args = (login, session, since);
        self.look_up(Account::NONE, args, |session, (login, by, since)| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT uuid, client, address, begun FROM login
                     WHERE uuid = $1 AND session = $2 AND begun > $3 AND key IS NULL
                         AND NOT denied"
                );
                let values: SqlValues<'_> = &[login, &&by.as_bytes()[..], &since.as_micros()];
                let read = |row: DatabaseRow<'_>| {
                    Ok(DeviceLogin {
                        uuid: row.get(0)?,
                        client: row.get(1)?,
                        address: row.get(2)?,
                        begun: row.time(3)?,
                    })
                };
                session.first(sql, values, read).await
            })
        })
        .await
    }

    /// Answers a session's login. Returns false if none is waiting.
    pub(crate) async fn answer_login(
        &self,
        login: Uuid,
        session: KeyHash,
        answer: LoginAnswer,
    ) -> Result<bool> {
        let args = (login, session, answer);
        self.write_one(Account::NONE, 0, args, |session, (login, by, answer)| {
            Box::pin(async move {
                let sql = sql!(
                    "UPDATE login SET key = $3, denied = $4
                     WHERE uuid = $1 AND session = $2 AND key IS NULL AND NOT denied"
                );
                let (key, denied) = match answer {
                    LoginAnswer::Allowed(key) => (Some(key.as_str()), false),
                    LoginAnswer::Denied => (None, true),
                };
                let values: SqlValues<'_> = &[login, &&by.as_bytes()[..], &key, &denied];
                Ok(session.execute(sql, values).await? > 0)
            })
        })
        .await
    }

    /// Returns the login of a device.
    pub(crate) async fn own_login(&self, device: KeyHash) -> Result<Option<OwnLogin>> {
        self.look_up(Account::NONE, device, |session, device| {
            Box::pin(async move {
                let sql = sql!("SELECT client, begun, key, denied FROM login WHERE hash = $1");
                let read = |row: DatabaseRow<'_>| {
                    let key: Option<String> = row.get(2)?;
                    let denied: bool = row.get(3)?;
                    let allowed = key.map(|key| LoginAnswer::Allowed(Prefix::from(key)));
                    Ok(OwnLogin {
                        client: row.get(0)?,
                        begun: row.time(1)?,
                        answer: allowed.or(denied.then_some(LoginAnswer::Denied)),
                    })
                };
                session.first(sql, &[&&device.as_bytes()[..]], read).await
            })
        })
        .await
    }

    /// Adds the key of a device, once. Returns false if the device already has one, or if the key
    /// that let it in was revoked.
    pub(crate) async fn end_login(&self, device: KeyHash, key: KeyRecord) -> Result<bool> {
        self.write(Account::NONE, 0, (device, key), |session, (device, key)| {
            Box::pin(async move {
                let sql = sql!("DELETE FROM login WHERE hash = $1");
                let is_first = session.execute(sql, &[&&device.as_bytes()[..]]).await? > 0;
                // Changes nothing, but serializes with `revoke_key`.
                let sql = sql!(
                    "UPDATE api_key SET revoked = revoked WHERE prefix = $1 AND revoked IS NULL"
                );
                let by = key.let_in_by.as_ref().map(Prefix::as_str);
                let is_let_in = is_first && session.execute(sql, &[&by]).await? > 0;
                if is_let_in {
                    insert(session, key).await?;
                }
                Ok(is_let_in)
            })
        })
        .await
    }

    /// Deletes the logins that began before a time.
    pub(crate) async fn forget_logins(&self, before: Timestamp) -> Result<()> {
        let sql = sql!("DELETE FROM login WHERE begun < $1");
        self.forget(sql, before).await
    }
}
