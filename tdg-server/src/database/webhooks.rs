//! Webhooks, and the messages that wait for them.

use tdg_service::{Result, Timestamp, Uuid};

use super::error::{DatabaseError, DatabaseResult};
use super::row::DatabaseRow;
use super::session::DatabaseSession;
use super::sql::{SqlValues, sql};
use super::{Account, Database};
use crate::webhook::{Delivery, FailedDelivery, Webhook, WebhookSecret};

/// The most failed messages that are listed.
const LISTED: i64 = 1000;

/// At most `$3` messages that are due at `$1`, and of each account a few: it doesn't keep others
/// waiting, however many it has.
macro_rules! due_in_turns {
    () => {
        "SELECT account, uuid FROM (
             SELECT account, uuid, due,
                 row_number() OVER (PARTITION BY account ORDER BY due) AS place
             FROM delivery WHERE due <= $1) AS waiting
         WHERE place <= 4 ORDER BY place, due LIMIT $3"
    };
}

impl Database {
    pub(crate) async fn add_webhook(
        &self,
        account: Account,
        webhook: Webhook,
        secret: WebhookSecret,
    ) -> Result<()> {
        let args = (webhook, secret);
        self.write_one(account, 0, args, |session, (webhook, secret)| {
            Box::pin(async move {
                let sql = sql!(
                    "INSERT INTO webhook (account, uuid, url, secret, added)
                     VALUES ($1, $2, $3, $4, $5)"
                );
                let values: SqlValues<'_> = &[
                    &webhook.uuid,
                    &webhook.url,
                    &secret.reveal(),
                    &webhook.added.as_micros(),
                ];
                session.execute(sql, values).await.map(drop)
            })
        })
        .await
    }

    /// All webhooks with their accounts and the names of these, in the order of creation.
    pub(crate) async fn webhooks(&self) -> Result<Vec<(Account, String, Webhook)>> {
        self.query(Account::NONE, (), |session, ()| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT webhook.account, account.name, webhook.uuid, url, added
                     FROM webhook JOIN account ON account.id = webhook.account ORDER BY added"
                );
                let read = |row: DatabaseRow<'_>| {
                    let webhook = Webhook {
                        uuid: row.get(2)?,
                        url: row.get(3)?,
                        added: row.time(4)?,
                    };
                    Ok((row.account(0)?, row.get(1)?, webhook))
                };
                session.all(sql, &[], read).await
            })
        })
        .await
    }

    /// Removes a webhook with all that waits for it.
    pub(crate) async fn remove_webhook(&self, account: Account, webhook: Uuid) -> Result<()> {
        self.write(account, 0, webhook, |session, webhook| {
            Box::pin(async move {
                let sql = sql!("DELETE FROM delivery WHERE account = $1 AND webhook = $2");
                session.execute(sql, &[webhook]).await?;
                let sql = sql!("DELETE FROM webhook WHERE account = $1 AND uuid = $2");
                session.execute(sql, &[webhook]).await.map(drop)
            })
        })
        .await
    }

    /// Some of the messages that are due now. Until that time, no other server takes them.
    pub(crate) async fn take_deliveries(
        &self,
        now: Timestamp,
        until: Timestamp,
        most: i64,
    ) -> Result<Vec<Delivery>> {
        let args = (now.as_micros(), until.as_micros(), most);
        let is_any_due = self.look_up(Account::NONE, args, |session, (now, ..)| {
            Box::pin(async move {
                let sql = sql!("SELECT 1 FROM delivery WHERE due <= $1 LIMIT 1");
                session.exists(sql, &[now]).await
            })
        });
        if !is_any_due.await? {
            return Ok(Vec::new());
        }
        self.write(Account::NONE, 0, args, |session, (now, until, most)| {
            Box::pin(take(session, *now, *until, *most))
        })
        .await
    }

    pub(crate) async fn delivered(&self, account: Account, message: Uuid) -> Result<()> {
        self.write_one(account, 0, message, |session, message| {
            Box::pin(async move {
                let sql = sql!("DELETE FROM delivery WHERE account = $1 AND uuid = $2");
                session.execute(sql, &[message]).await.map(drop)
            })
        })
        .await
    }

    /// Notes why a message did not arrive, and when it is tried again, if it is.
    pub(crate) async fn not_delivered(
        &self,
        account: Account,
        message: Uuid,
        next: Option<Timestamp>,
        error: String,
    ) -> Result<()> {
        let args = (message, next.map(Timestamp::as_micros), error);
        self.write_one(account, 0, args, |session, (message, next, error)| {
            Box::pin(async move {
                let sql = sql!(
                    "UPDATE delivery SET due = $3, error = $4 WHERE account = $1 AND uuid = $2"
                );
                let values: SqlValues<'_> = &[message, next, error];
                session.execute(sql, values).await.map(drop)
            })
        })
        .await
    }

    /// The messages that no attempt is left for, the oldest first, and the names of their accounts.
    pub(crate) async fn failed_deliveries(&self) -> Result<Vec<(String, FailedDelivery)>> {
        self.query(Account::NONE, (), |session, ()| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT account.name, delivery.uuid, webhook, added, body, error
                     FROM delivery JOIN account ON account.id = delivery.account
                     WHERE due IS NULL ORDER BY added LIMIT $1"
                );
                let read = |row: DatabaseRow<'_>| {
                    let failed = FailedDelivery {
                        uuid: row.get(1)?,
                        webhook: row.get(2)?,
                        added: row.time(3)?,
                        body: row.get(4)?,
                        error: row.optional_text(5)?.unwrap_or_default().to_owned(),
                    };
                    Ok((row.get(0)?, failed))
                };
                session.all(sql, &[&LISTED], read).await
            })
        })
        .await
    }

    /// Tries such a message again as if it were new, or all of them; their accounts.
    pub(crate) async fn resend(&self, message: Option<Uuid>) -> Result<Vec<Account>> {
        let args = (Timestamp::now().as_micros(), message);
        self.write(Account::NONE, 0, args, |session, (now, message)| {
            Box::pin(async move {
                let sql = sql!(
                    "UPDATE delivery SET due = $1, attempts = 0
                     WHERE due IS NULL AND (CAST($2 AS uuid) IS NULL OR uuid = $2)
                     RETURNING account"
                );
                session
                    .all(sql, &[now, message], |row| row.account(0))
                    .await
            })
        })
        .await
    }

    /// Deletes the messages that no attempt is left for and that are older than that.
    pub(crate) async fn forget_deliveries(&self, before: Timestamp) -> Result<()> {
        let sql = sql!("DELETE FROM delivery WHERE due IS NULL AND added < $1");
        self.forget(sql, before).await
    }
}

async fn take(
    session: DatabaseSession<'_>,
    now: i64,
    until: i64,
    most: i64,
) -> DatabaseResult<Vec<Delivery>> {
    // Of two servers that want the same, the later finds that it is taken.
    let sql = sql!(
        postgres: concat!("UPDATE delivery SET due = $2, attempts = attempts + 1
         WHERE (account, uuid) IN (
             SELECT account, uuid FROM delivery
             WHERE due <= $1 AND (account, uuid) IN (", due_in_turns!(), ") FOR UPDATE)
         RETURNING account, uuid, webhook, body, attempts"),
        sqlite: concat!("UPDATE delivery SET due = $2, attempts = attempts + 1
         WHERE (account, uuid) IN (", due_in_turns!(), ")
         RETURNING account, uuid, webhook, body, attempts")
    );
    let read = |row: DatabaseRow<'_>| {
        let (account, webhook): (_, Uuid) = (row.account(0)?, row.get(2)?);
        let message = (row.get::<Uuid>(1)?, row.get::<String>(3)?, row.size(4)?);
        Ok((account, webhook, message))
    };
    let taken = session.all(sql, &[&now, &until, &most], read).await?;
    let mut deliveries = Vec::new();
    for (account, webhook, (uuid, body, attempts)) in taken {
        let session = session.of(account);
        let sql = sql!("SELECT url, secret FROM webhook WHERE account = $1 AND uuid = $2");
        let read = |row: DatabaseRow<'_>| Ok((row.get(0)?, secret(row.text(1)?)));
        let found = session.first(sql, &[&webhook], read).await?;
        let Some((url, Ok(secret))) = found else {
            // The webhook was removed meanwhile, or is damaged: others don't wait for it.
            let sql = sql!("DELETE FROM delivery WHERE account = $1 AND uuid = $2");
            session.execute(sql, &[&uuid]).await?;
            continue;
        };
        deliveries.push(Delivery {
            account,
            uuid,
            url,
            secret,
            body,
            attempts: u32::try_from(attempts).unwrap_or(u32::MAX),
        });
    }
    Ok(deliveries)
}

fn secret(text: &str) -> DatabaseResult<WebhookSecret> {
    let secret = WebhookSecret::parse(text);
    secret.ok_or_else(|| DatabaseError::corrupt("webhook", "its secret can't be read"))
}
