//! Webhooks and their queued messages.

use tdg_service::{Result, Timestamp, Uuid};

use super::error::{DatabaseError, DatabaseResult};
use super::row::DatabaseRow;
use super::session::{DatabaseSession, ProjectSession};
use super::sql::{SqlValues, sql};
use super::{Database, timed_uuid};
use crate::account::Account;
use crate::webhook::{Delivery, FailedAttempt, FailedDelivery, Webhook, WebhookSecret};

/// The maximum number of failed messages that are listed.
const LISTED: i64 = 1000;

/// The number of webhooks that are found at once.
const FOUND: i64 = 100;

/// The maximum number of an account's messages, after which the oldest are removed.
const KEPT: i64 = 10_000;

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

    /// Returns all webhooks with their accounts and account names, in the order of creation.
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

    /// Removes a webhook and its queued messages.
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

    /// Returns webhooks with messages to send now, starting with those that have waited longest.
    pub(crate) async fn due_webhooks(&self, now: Timestamp) -> Result<Vec<(Account, Uuid)>> {
        let now = now.as_micros();
        let is_any_due = self.look_up(Account::NONE, now, |session, now| {
            Box::pin(async move {
                let sql = sql!("SELECT 1 FROM delivery WHERE due <= $1 ORDER BY due LIMIT 1");
                session.exists(sql, &[now]).await
            })
        });
        if !is_any_due.await? {
            return Ok(Vec::new());
        }
        self.query(Account::NONE, now, |session, now| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT account, uuid FROM webhook WHERE paused <= $1 AND EXISTS (
                         SELECT 1 FROM delivery WHERE delivery.account = webhook.account
                             AND delivery.webhook = webhook.uuid AND due <= $1)
                     ORDER BY paused LIMIT $2"
                );
                let read = |row: DatabaseRow<'_>| Ok((row.account(0)?, row.get(1)?));
                session.all(sql, &[now, &FOUND], read).await
            })
        })
        .await
    }

    /// Takes the next message of a webhook, if one is due. Until that time, no other server sends
    /// to the webhook.
    pub(crate) async fn take_delivery(
        &self,
        account: Account,
        webhook: Uuid,
        (now, until): (Timestamp, Timestamp),
    ) -> Result<Option<Delivery>> {
        let args = ((account, webhook), now, until);
        self.write(account, 0, args, |session, (webhook, now, until)| {
            Box::pin(take(session, *webhook, *now, *until))
        })
        .await
    }

    /// Removes a message that has arrived. The webhook can get the next one at once.
    pub(crate) async fn delivered(&self, delivery: Delivery) -> Result<()> {
        let account = delivery.account;
        self.write(account, 0, delivery, |session, delivery| {
            Box::pin(async move {
                let sql = sql!("DELETE FROM delivery WHERE account = $1 AND uuid = $2");
                session.execute(sql, &[&delivery.uuid]).await?;
                let now = Timestamp::now();
                release(session, delivery, now, 0).await
            })
        })
        .await
    }

    /// Stores the error of a message, and the times of the next attempt for it and for the webhook.
    pub(crate) async fn not_delivered(
        &self,
        delivery: Delivery,
        failure: FailedAttempt,
    ) -> Result<()> {
        let account = delivery.account;
        let args = (delivery, failure);
        self.write(account, 0, args, |session, (delivery, failure)| {
            Box::pin(async move {
                let sql = sql!(
                    "UPDATE delivery SET due = $3, error = $4 WHERE account = $1 AND uuid = $2"
                );
                let next = failure.next.map(Timestamp::as_micros);
                let values: SqlValues<'_> = &[&delivery.uuid, &next, &failure.error];
                session.execute(sql, values).await?;
                let sql = sql!(
                    "UPDATE delivery SET due = NULL, error = $3
                     WHERE account = $1 AND webhook = $2 AND due IS NOT NULL AND added < $4"
                );
                let oldest = failure.oldest.as_micros();
                let values: SqlValues<'_> = &[&delivery.webhook, &failure.error, &oldest];
                session.execute(sql, values).await?;
                release(session, delivery, failure.paused, failure.failures).await
            })
        })
        .await
    }

    /// Returns the messages without attempts left, oldest first, and the names of their accounts.
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

    /// Resends one such message, or all of them, as if new. Returns their accounts.
    pub(crate) async fn resend(&self, message: Option<Uuid>) -> Result<Vec<Account>> {
        let args = (Timestamp::now().as_micros(), message);
        self.write(Account::NONE, 0, args, |session, (now, message)| {
            Box::pin(async move {
                let sql = sql!(
                    "UPDATE delivery SET due = $1, attempts = 0, added = $1
                     WHERE due IS NULL AND (CAST($2 AS uuid) IS NULL OR uuid = $2)
                     RETURNING account"
                );
                let read = |row: DatabaseRow<'_>| row.account(0);
                let accounts = session.all(sql, &[now, message], read).await?;
                let sql = sql!(
                    "UPDATE webhook SET paused = 0, failures = 0 WHERE failures > 0 AND EXISTS (
                         SELECT 1 FROM delivery WHERE delivery.account = webhook.account
                             AND delivery.webhook = webhook.uuid AND due = $1)"
                );
                session.execute(sql, &[now]).await?;
                Ok(accounts)
            })
        })
        .await
    }

    /// Deletes old messages without attempts left, and old due messages whose webhook was removed
    /// while they were added.
    pub(crate) async fn forget_deliveries(&self, before: Timestamp) -> Result<()> {
        let sql = sql!("DELETE FROM delivery WHERE due < $1 OR (due IS NULL AND added < $1)");
        self.forget(sql, before).await
    }
}

impl ProjectSession<'_> {
    /// Adds a message for each of these webhooks.
    pub(super) async fn enqueue(
        self,
        webhooks: &[Uuid],
        message: &str,
        now: Timestamp,
    ) -> DatabaseResult<()> {
        for webhook in webhooks {
            let sql = sql!(
                "INSERT INTO delivery (account, uuid, webhook, body, added, due, attempts)
                 VALUES ($1, $2, $3, $4, $5, $5, 0)"
            );
            let values: SqlValues<'_> = &[&timed_uuid(now), webhook, &message, &now.as_micros()];
            self.session.execute(sql, values).await?;
        }
        Ok(())
    }

    /// Removes the oldest messages of the account if it has too many.
    pub(super) async fn drop_oldest_deliveries(self) -> DatabaseResult<()> {
        let sql = sql!(
            "DELETE FROM delivery WHERE account = $1 AND uuid <= (
                 SELECT uuid FROM delivery WHERE account = $1
                 ORDER BY uuid DESC LIMIT 1 OFFSET $2)"
        );
        self.session.execute(sql, &[&KEPT]).await.map(drop)
    }
}

async fn take(
    session: DatabaseSession<'_>,
    (account, webhook): (Account, Uuid),
    now: Timestamp,
    until: Timestamp,
) -> DatabaseResult<Option<Delivery>> {
    let (now, until) = (now.as_micros(), until.as_micros());
    // If two servers want the same webhook, the later one finds it taken.
    let sql = sql!(
        "UPDATE webhook SET paused = $3 WHERE account = $1 AND uuid = $2 AND paused <= $4
         RETURNING url, secret, failures"
    );
    let read = |row: DatabaseRow<'_>| Ok((row.get(0)?, secret(row.text(1)?), row.count(2)?));
    let taken = session.first(sql, &[&webhook, &until, &now], read).await?;
    let Some((url, secret, failures)) = taken else {
        return Ok(None);
    };
    let Ok(secret) = secret else {
        // Messages to a damaged webhook can't be signed.
        let sql = sql!("DELETE FROM delivery WHERE account = $1 AND webhook = $2");
        session.execute(sql, &[&webhook]).await?;
        return Ok(None);
    };
    let sql = sql!(
        "UPDATE delivery SET due = $3, attempts = attempts + 1
         WHERE account = $1 AND uuid = (
             SELECT uuid FROM delivery WHERE account = $1 AND webhook = $2 AND due <= $4
             ORDER BY uuid LIMIT 1)
         RETURNING uuid, body, attempts"
    );
    let read = |row: DatabaseRow<'_>| {
        Ok(Delivery {
            account,
            webhook,
            uuid: row.get(0)?,
            url,
            secret,
            body: row.get(1)?,
            attempts: row.size(2)?,
            failures: failures as usize,
            until: Timestamp::from_micros(until),
        })
    };
    let found = session.first(sql, &[&webhook, &until, &now], read).await?;
    if found.is_none() {
        let sql = sql!("UPDATE webhook SET paused = $3 WHERE account = $1 AND uuid = $2");
        session.execute(sql, &[&webhook, &now]).await?;
    }
    Ok(found)
}

/// Releases the webhook to other servers, unless its time is over.
async fn release(
    session: DatabaseSession<'_>,
    delivery: &Delivery,
    paused: Timestamp,
    failures: usize,
) -> DatabaseResult<()> {
    let sql = sql!(
        "UPDATE webhook SET paused = $4, failures = $5
         WHERE account = $1 AND uuid = $2 AND paused = $3"
    );
    let (taken, paused) = (delivery.until.as_micros(), paused.as_micros());
    let values: SqlValues<'_> = &[&delivery.webhook, &taken, &paused, &(failures as i64)];
    session.execute(sql, values).await.map(drop)
}

fn secret(text: &str) -> DatabaseResult<WebhookSecret> {
    let secret = WebhookSecret::parse(text);
    secret.ok_or_else(|| DatabaseError::corrupt("webhook", "its secret can't be read"))
}
