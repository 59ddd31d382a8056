//! Webhooks: where an account is told of failing runs and of decisions.

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
    /// The same for all attempts.
    pub(crate) uuid: Uuid,
    pub(crate) url: String,
    pub(crate) secret: WebhookSecret,
    /// JSON.
    pub(crate) body: String,
    /// How often it was tried, this time included.
    pub(crate) attempts: usize,
    /// The attempts on the webhook that have failed one after the other.
    pub(crate) failures: usize,
    /// No other server sends to the webhook until then.
    pub(crate) until: Timestamp,
}

/// An attempt that has failed.
#[derive(Clone, Debug)]
pub(crate) struct FailedAttempt {
    pub(crate) error: String,
    /// When the message has another attempt, if it has one.
    pub(crate) next: Option<Timestamp>,
    /// Until when the webhook gets no message.
    pub(crate) paused: Timestamp,
    /// The attempts that have failed one after the other.
    pub(crate) failures: usize,
    /// Older messages of the webhook have no other attempt.
    pub(crate) oldest: Timestamp,
}

/// What a webhook could not be told, after all attempts.
#[derive(Clone, Debug)]
pub(crate) struct FailedDelivery {
    pub(crate) uuid: Uuid,
    pub(crate) webhook: Uuid,
    pub(crate) added: Timestamp,
    pub(crate) body: String,
    pub(crate) error: String,
}
