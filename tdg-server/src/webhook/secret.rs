//! The secret that signs a webhook's requests, according to Standard Webhooks.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac_sha256::HMAC;
use tdg_service::Uuid;

/// The prefix of the text.
const SCHEME: &str = "whsec_";

const BYTES: usize = 32;

/// A shared secret. It can't be printed by accident: only [`reveal`](WebhookSecret::reveal) returns
/// its text.
#[derive(Clone)]
pub(crate) struct WebhookSecret(Vec<u8>);

impl WebhookSecret {
    /// Generates a secret.
    ///
    /// # Errors
    ///
    /// If the random number generator of the operating system fails.
    pub(crate) fn generate() -> Result<Self, getrandom::Error> {
        let mut bytes = vec![0; BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(WebhookSecret(bytes))
    }

    /// Parses the text.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text.strip_prefix(SCHEME)?).ok()?;
        (bytes.len() == BYTES).then_some(WebhookSecret(bytes))
    }

    /// Returns the text, for the receiver and for the database.
    pub(crate) fn reveal(&self) -> String {
        format!("{SCHEME}{}", STANDARD.encode(&self.0))
    }

    /// Returns the header `webhook-signature` of a message that is sent at this time, in seconds.
    pub(crate) fn sign(&self, message: Uuid, time: i64, body: &str) -> String {
        let mac = HMAC::mac(format!("{message}.{time}.{body}").as_bytes(), &self.0);
        format!("v1,{}", STANDARD.encode(mac))
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_read_from_its_text_and_not_printed_by_accident() {
        let secret = WebhookSecret::generate().unwrap();
        let read = WebhookSecret::parse(&secret.reveal()).unwrap();
        assert_eq!(read.0, secret.0);
        assert_eq!(format!("{secret:?}"), "WebhookSecret(…)");
        for text in ["", "whsec_", "whsec_AAAA", &secret.reveal()[6..]] {
            assert!(WebhookSecret::parse(text).is_none(), "{text}");
        }
    }

    /// `printf '00000000-0000-0000-0000-000000000007.1614265330.{"type":"ping"}' |
    ///     openssl dgst -sha256 -hmac "$(printf 'k%.0s' $(seq 32))" -binary | base64`
    #[test]
    fn a_message_is_signed_with_its_identifier_and_time() {
        let secret = WebhookSecret(vec![b'k'; BYTES]);
        let signed = secret.sign(Uuid::from_u128(7), 1_614_265_330, r#"{"type":"ping"}"#);
        assert_eq!(signed, "v1,Rylkd9F3zBxpVCef3Yp/YmpBsrxYj0QfllxLXVlx3k0=");
    }
}
