//! Webhooks, which report an account's failing runs and decisions.

mod event;
mod secret;

use tdg_service::{Timestamp, Uuid};

pub(crate) use self::event::WebhookEvent;
pub(crate) use self::secret::WebhookSecret;
use crate::account::Account;

/// A webhook of an account.
#[derive(Clone, Debug)]
pub(crate) struct Webhook {
    pub(crate) uuid: Uuid,
    pub(crate) url: String,
    pub(crate) added: Timestamp,
}

/// A message that is being sent to a webhook.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    pub(crate) account: Account,
    pub(crate) webhook: Uuid,
    /// The identifier, the same for all attempts.
    pub(crate) uuid: Uuid,
    pub(crate) url: String,
    pub(crate) secret: WebhookSecret,
    /// The JSON text.
    pub(crate) body: String,
    /// The number of attempts, including this one.
    pub(crate) attempts: usize,
    /// The number of consecutive failed attempts of the webhook.
    pub(crate) failures: usize,
    /// No other server sends to the webhook until then.
    pub(crate) until: Timestamp,
}

/// An attempt that has failed.
#[derive(Clone, Debug)]
pub(crate) struct FailedAttempt {
    pub(crate) error: String,
    /// The time of the message's next attempt, if any.
    pub(crate) next: Option<Timestamp>,
    /// The time until which the webhook gets no message.
    pub(crate) paused: Timestamp,
    /// The number of consecutive failed attempts.
    pub(crate) failures: usize,
    /// Older messages of the webhook aren't retried.
    pub(crate) oldest: Timestamp,
}

/// A message that could not be sent, after all attempts.
#[derive(Clone, Debug)]
pub(crate) struct FailedDelivery {
    pub(crate) uuid: Uuid,
    pub(crate) webhook: Uuid,
    pub(crate) added: Timestamp,
    pub(crate) body: String,
    pub(crate) error: String,
}
