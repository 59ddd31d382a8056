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

/// What a webhook is to be told.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    pub(crate) account: Account,
    /// The same for all attempts.
    pub(crate) uuid: Uuid,
    pub(crate) url: String,
    pub(crate) secret: WebhookSecret,
    /// JSON.
    pub(crate) body: String,
    /// How often it was tried, this time included.
    pub(crate) attempts: u32,
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
