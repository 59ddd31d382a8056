//! Sends signed messages to webhooks, once per call and without following redirects.

use std::time::Duration;

use tdg_service::Timestamp;
use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::unversioned::transport::DefaultConnector;

use super::destination::{PermittedResolver, WebhookNetworks};
use crate::error_causes::with_causes;
use crate::webhook::Delivery;

/// The timeout for a webhook to accept a message.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The status of a receiver that wants no more messages.
const GONE: u16 = 410;

#[derive(Clone)]
pub(super) struct WebhookSender(Agent);

/// The reason that a message didn't arrive.
pub(super) struct SendFailure {
    pub(super) text: String,
    /// Set if another attempt would fail too.
    pub(super) is_final: bool,
}

impl WebhookSender {
    pub(super) fn new(networks: WebhookNetworks) -> Self {
        // The system's certificates, so that a company's own authority is trusted.
        let roots = rustls_native_certs::load_native_certs().certs.into_iter();
        let roots = roots.map(|it| Certificate::from_der(&it).to_owned());
        let tls = TlsConfig::builder().root_certs(RootCerts::from(roots));
        let config = Agent::config_builder()
            .tls_config(tls.build())
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections(0)
            .timeout_global(Some(TIMEOUT))
            // A proxy would resolve the name on its own.
            .proxy(None)
            .user_agent(concat!("tdg-server/", env!("CARGO_PKG_VERSION")))
            .build();
        let resolver = PermittedResolver { networks };
        WebhookSender(Agent::with_parts(
            config,
            DefaultConnector::default(),
            resolver,
        ))
    }

    pub(super) fn send(&self, delivery: &Delivery) -> Result<(), SendFailure> {
        let Delivery { uuid, body, .. } = delivery;
        let time = Timestamp::now().as_micros() / 1_000_000;
        let request = self
            .0
            .post(&delivery.url)
            .header("content-type", "application/json")
            .header("webhook-id", uuid.to_string())
            .header("webhook-timestamp", time.to_string())
            .header("webhook-signature", delivery.secret.sign(*uuid, time, body));
        let failure = |text: String, is_final| SendFailure { text, is_final };
        match request.send(body.as_str()) {
            Ok(answer) if answer.status().is_success() => Ok(()),
            Ok(answer) => {
                let status = answer.status().as_u16();
                let is_redirection = answer.status().is_redirection();
                let hint = match is_redirection {
                    true => ", and redirects are not followed",
                    false => "",
                };
                Err(failure(
                    format!("answered with {status}{hint}"),
                    status == GONE,
                ))
            }
            Err(ureq::Error::Other(error)) => Err(failure(error.to_string(), false)),
            Err(error) => Err(failure(with_causes(&error), false)),
        }
    }
}
