//! The courier: sends webhooks their messages while the server runs, and retries failed attempts.

mod destination;
mod sender;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tdg_service::{Result, ServiceError, Timestamp, Uuid};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::sleep;

pub(crate) use self::destination::WebhookNetworks;
use self::sender::{SendFailure, WebhookSender};
use crate::account::Account;
use crate::database::Database;
use crate::fair_queue::FairQueue;
use crate::webhook::{Delivery, FailedAttempt};

/// The interval of looking for webhooks with messages.
const PAUSE: Duration = Duration::from_secs(1);

/// The maximum number of messages in flight, and per account. A webhook gets one at a time.
const TOGETHER: usize = 32;
const OF_ACCOUNT: usize = 4;

/// A second in microseconds. The times below are in seconds.
const SECOND: i64 = 1_000_000;

/// The time for which other servers skip a webhook that this one sends to, longer than sending
/// takes.
const TAKEN: i64 = 60;

/// The pauses before further attempts, from the schedule of Standard Webhooks. A message expires
/// after their sum.
const PAUSES: [i64; 9] = [
    5,
    5 * 60,
    30 * 60,
    2 * 3600,
    5 * 3600,
    10 * 3600,
    14 * 3600,
    20 * 3600,
    24 * 3600,
];

#[derive(Clone)]
struct WebhookDelivery {
    database: Arc<Database>,
    sender: WebhookSender,
    turns: FairQueue,
}

/// Runs until the server ends.
pub(crate) async fn run(database: Arc<Database>, networks: WebhookNetworks) {
    let courier = WebhookDelivery {
        database,
        sender: WebhookSender::new(networks),
        turns: FairQueue::new(TOGETHER, OF_ACCOUNT),
    };
    let mut served: HashMap<Uuid, JoinHandle<()>> = HashMap::new();
    loop {
        served.retain(|_, task| !task.is_finished());
        match courier.database.due_webhooks(Timestamp::now()).await {
            Ok(due) => {
                for (account, webhook) in due {
                    let serve = || tokio::spawn(courier.clone().serve(account, webhook));
                    served.entry(webhook).or_insert_with(serve);
                }
            }
            Err(error) => tracing::warn!(%error, "webhooks could not be looked up"),
        }
        sleep(PAUSE).await;
    }
}

impl WebhookDelivery {
    /// Sends a webhook its messages one by one, until none is due or one fails.
    async fn serve(self, account: Account, webhook: Uuid) {
        let mut has_more = Ok(true);
        while matches!(has_more, Ok(true)) {
            has_more = self.send_next(account, webhook).await;
        }
        if let Err(error) = has_more {
            tracing::warn!(%webhook, %error, "a webhook could not be served");
        }
    }

    /// Sends the next message. Returns true if there may be another.
    async fn send_next(&self, account: Account, webhook: Uuid) -> Result<bool> {
        let _turn = self.turns.take(account).await?;
        let now = Timestamp::now();
        let times = (now, after(now, TAKEN));
        let taken = self.database.take_delivery(account, webhook, times).await?;
        let Some(delivery) = taken else {
            return Ok(false);
        };
        let (sender, sent) = (self.sender.clone(), delivery.clone());
        let sent = spawn_blocking(move || sender.send(&sent)).await;
        // The courier continues after a panic.
        let broken =
            |error| ServiceError::unexpected("the sender of a webhook failed").caused_by(error);
        let Err(failure) = sent.map_err(broken)? else {
            self.database.delivered(delivery).await?;
            return Ok(true);
        };
        let attempt = failed_attempt(&delivery, failure, Timestamp::now());
        let (message, error) = (delivery.uuid, &attempt.error);
        match attempt.next {
            Some(_) => tracing::info!(%message, %error, "a webhook message could not be sent yet"),
            None => tracing::warn!(%message, %error, "a webhook message could not be sent"),
        }
        let has_more = attempt.failures == 0;
        self.database.not_delivered(delivery, attempt).await?;
        Ok(has_more)
    }
}

/// Postpones the message, and with it all others of the webhook. If the receiver has answered that
/// it is gone, the others follow at once.
fn failed_attempt(delivery: &Delivery, failure: SendFailure, now: Timestamp) -> FailedAttempt {
    let is_last = failure.is_final || delivery.attempts > PAUSES.len();
    let failures = match failure.is_final {
        true => 0,
        false => delivery.failures + 1,
    };
    FailedAttempt {
        error: failure.text,
        next: (!is_last).then(|| after(now, pause(delivery.attempts))),
        paused: match failures {
            0 => now,
            failures => after(now, pause(failures)),
        },
        failures,
        oldest: Timestamp::from_micros(now.as_micros() - PAUSES.iter().sum::<i64>() * SECOND),
    }
}

/// Returns the seconds until the next attempt, after `attempts`.
fn pause(attempts: usize) -> i64 {
    PAUSES[attempts.clamp(1, PAUSES.len()) - 1]
}

fn after(time: Timestamp, seconds: i64) -> Timestamp {
    Timestamp::from_micros(time.as_micros() + seconds * SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::webhook::WebhookSecret;

    const DAY: i64 = 24 * 3600;

    /// Returns the seconds until the message and the webhook are retried, and the failures.
    fn failed(attempts: usize, failures: usize, is_final: bool) -> (Option<i64>, i64, usize) {
        let now = Timestamp::from_micros(1_790_000_000_000_000);
        let delivery = Delivery {
            account: Account::NONE,
            webhook: Uuid::nil(),
            uuid: Uuid::nil(),
            url: String::new(),
            secret: WebhookSecret::generate().unwrap(),
            body: String::new(),
            attempts,
            failures,
            until: now,
        };
        let text = String::new();
        let attempt = failed_attempt(&delivery, SendFailure { text, is_final }, now);
        let seconds = |time: Timestamp| (time.as_micros() - now.as_micros()) / SECOND;
        let next = attempt.next.map(seconds);
        assert_eq!(seconds(attempt.oldest), -272_105);
        (next, seconds(attempt.paused), attempt.failures)
    }

    #[test]
    fn attempts_come_less_and_less_often_and_end_after_three_days() {
        assert_eq!(failed(1, 0, false), (Some(5), 5, 1));
        assert_eq!(failed(9, 8, false), (Some(DAY), DAY, 9));
        assert_eq!(failed(10, 9, false), (None, DAY, 10));
        assert!(PAUSES.is_sorted());
    }

    #[test]
    fn a_message_that_is_refused_alone_delays_others_the_least() {
        assert_eq!(failed(4, 0, false), (Some(2 * 3600), 5, 1));
    }

    #[test]
    fn a_new_message_waits_as_long_as_its_webhook_has_failed() {
        assert_eq!(failed(1, 4, false), (Some(5), 5 * 3600, 5));
    }

    #[test]
    fn a_receiver_that_is_gone_delays_no_other_message() {
        assert_eq!(failed(1, 3, true), (None, 0, 0));
    }
}
