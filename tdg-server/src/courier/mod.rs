//! The courier: brings webhooks their messages while the server runs, and tries again what fails.

mod destination;
mod sender;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tdg_service::{Result, ServiceError, Timestamp};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

pub(crate) use self::destination::WebhookNetworks;
use self::sender::{SendFailure, WebhookSender};
use crate::database::Database;
use crate::webhook::Delivery;

/// How long to wait when there was nothing to bring.
const PAUSE: Duration = Duration::from_secs(1);

/// How many messages are brought at once.
const TOGETHER: i64 = 32;

/// How long another server leaves a message that this one has taken, longer than bringing it takes.
const TAKEN: Duration = Duration::from_secs(60);

/// The pauses before further attempts: the schedule of Standard Webhooks, in seconds.
const PAUSES: [u64; 9] = [
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

/// Works for as long as the server runs.
pub(crate) async fn run(database: Arc<Database>, networks: WebhookNetworks) {
    let sender = WebhookSender::new(networks);
    loop {
        match bring(&database, &sender).await {
            Ok(0) => sleep(PAUSE).await,
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(%error, "webhooks could not be told");
                sleep(PAUSE).await;
            }
        }
    }
}

/// Brings those that are due; how many there were.
async fn bring(database: &Database, sender: &WebhookSender) -> Result<usize> {
    let now = Timestamp::now();
    let due = database.take_deliveries(now, after(now, TAKEN), TOGETHER);
    let due = due.await?;
    let brought = join_all(due.into_iter().map(|it| bring_one(database, sender, it))).await;
    let count = brought.len();
    brought.into_iter().collect::<Result<()>>()?;
    Ok(count)
}

async fn bring_one(database: &Database, sender: &WebhookSender, it: Delivery) -> Result<()> {
    let (sending, delivery) = (sender.clone(), it.clone());
    let sent = spawn_blocking(move || sending.send(&delivery)).await;
    // After a panic the courier goes on.
    let broken = |error| ServiceError::unexpected("a webhook's sender broke off").caused_by(error);
    let Err(failure) = sent.map_err(broken)? else {
        return database.delivered(it.account, it.uuid).await;
    };
    let now = Timestamp::now();
    let next = next_attempt(it.attempts, &failure).map(|pause| after(now, pause));
    let (message, error) = (it.uuid, &failure.text);
    match next {
        Some(_) => tracing::info!(%message, %error, "a webhook could not be told yet"),
        None => tracing::warn!(%message, %error, "a webhook could not be told"),
    }
    let noted = database.not_delivered(it.account, it.uuid, next, failure.text);
    noted.await
}

/// The pause after so many attempts, unless that was the last.
fn next_attempt(attempts: u32, failure: &SendFailure) -> Option<Duration> {
    let pause = PAUSES.get(attempts.saturating_sub(1) as usize);
    let seconds = pause.filter(|_| !failure.is_final)?;
    Some(Duration::from_secs(*seconds))
}

fn after(time: Timestamp, pause: Duration) -> Timestamp {
    let micros = i64::try_from(pause.as_micros()).unwrap_or(i64::MAX);
    Timestamp::from_micros(time.as_micros().saturating_add(micros))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_come_less_and_less_often_and_end_after_three_days() {
        let failure = |is_final| SendFailure {
            text: String::new(),
            is_final,
        };
        let pause = |attempts| next_attempt(attempts, &failure(false));
        assert_eq!(pause(1), Some(Duration::from_secs(5)));
        assert_eq!(pause(9), Some(Duration::from_secs(24 * 3600)));
        assert_eq!(pause(10), None);
        assert!(PAUSES.is_sorted());
        assert_eq!(next_attempt(1, &failure(true)), None);
    }
}
