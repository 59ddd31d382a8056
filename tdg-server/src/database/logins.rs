//! Devices that ask to be let in, until somebody has answered and they have their keys.

use tdg_service::{Result, Timestamp, Uuid};

use super::keys::insert;
use super::row::DatabaseRow;
use super::sql::{SqlValues, sql};
use super::{Account, Database};
use crate::keys::{KeyHash, KeyRecord, Prefix, UserCode};

/// A device that asks to be let in.
#[derive(Clone, Debug)]
pub(crate) struct DeviceLogin {
    pub(crate) uuid: Uuid,
    /// What it says of itself.
    pub(crate) client: String,
    pub(crate) address: Option<String>,
    pub(crate) begun: Timestamp,
}

/// What was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LoginAnswer {
    /// By whom.
    Allowed(Prefix),
    Denied,
}

/// A device's own login.
#[derive(Clone, Debug)]
pub(crate) struct OwnLogin {
    pub(crate) client: String,
    pub(crate) begun: Timestamp,
    pub(crate) answer: Option<LoginAnswer>,
}

impl Database {
    /// Adds one, unless there are that many: nobody has a key yet who asks.
    pub(crate) async fn add_login(
        &self,
        (device, code): (KeyHash, UserCode),
        login: DeviceLogin,
        most: i64,
    ) -> Result<bool> {
        let args = (device, code, login, most);
        self.write(
            Account::NONE,
            0,
            args,
            |session, (device, code, login, most)| {
                Box::pin(async move {
                    let sql = sql!("SELECT 1 FROM login LIMIT 1 OFFSET $1");
                    if session.exists(sql, &[most]).await? {
                        return Ok(false);
                    }
                    let sql = sql!(
                        "INSERT INTO login (hash, uuid, code, client, address, begun, denied)
                     VALUES ($1, $2, $3, $4, $5, $6, $7)"
                    );
                    let values: SqlValues<'_> = &[
                        &&device.as_bytes()[..],
                        &login.uuid,
                        &code.as_str(),
                        &login.client,
                        &login.address,
                        &login.begun.as_micros(),
                        &false,
                    ];
                    session.execute(sql, values).await.map(|_| true)
                })
            },
        )
        .await
    }

    /// The one with that code that began since and waits for an answer.
    pub(crate) async fn login_by_code(
        &self,
        code: UserCode,
        since: Timestamp,
    ) -> Result<Option<Uuid>> {
        let args = (code, since);
        self.look_up(Account::NONE, args, |session, (code, since)| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT uuid FROM login
                     WHERE code = $1 AND begun > $2 AND key IS NULL AND NOT denied"
                );
                let values: SqlValues<'_> = &[&code.as_str(), &since.as_micros()];
                session.first(sql, values, |row| row.get(0)).await
            })
        })
        .await
    }

    /// One that began since and waits for an answer.
    pub(crate) async fn login(&self, login: Uuid, since: Timestamp) -> Result<Option<DeviceLogin>> {
        let args = (login, since);
        self.look_up(Account::NONE, args, |session, (login, since)| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT uuid, client, address, begun FROM login
                     WHERE uuid = $1 AND begun > $2 AND key IS NULL AND NOT denied"
                );
                let values: SqlValues<'_> = &[login, &since.as_micros()];
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

    /// Answers one that waits; whether it was there.
    pub(crate) async fn answer_login(&self, login: Uuid, answer: LoginAnswer) -> Result<bool> {
        self.write_one(
            Account::NONE,
            0,
            (login, answer),
            |session, (login, answer)| {
                Box::pin(async move {
                    let sql = sql!(
                        "UPDATE login SET key = $2, denied = $3
                     WHERE uuid = $1 AND key IS NULL AND NOT denied"
                    );
                    let (key, denied) = match answer {
                        LoginAnswer::Allowed(key) => (Some(key.as_str()), false),
                        LoginAnswer::Denied => (None, true),
                    };
                    Ok(session.execute(sql, &[login, &key, &denied]).await? > 0)
                })
            },
        )
        .await
    }

    /// That of a device.
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

    /// Adds the key of a device, once; whether it had none.
    pub(crate) async fn end_login(&self, device: KeyHash, key: KeyRecord) -> Result<bool> {
        self.write(Account::NONE, 0, (device, key), |session, (device, key)| {
            Box::pin(async move {
                let sql = sql!("DELETE FROM login WHERE hash = $1");
                let is_first = session.execute(sql, &[&&device.as_bytes()[..]]).await? > 0;
                if is_first {
                    insert(session, key).await?;
                }
                Ok(is_first)
            })
        })
        .await
    }

    /// Deletes those that began before a time.
    pub(crate) async fn forget_logins(&self, before: Timestamp) -> Result<()> {
        let sql = sql!("DELETE FROM login WHERE begun < $1");
        self.forget(sql, before).await
    }
}
