//! Requests and responses in JSON, with timeouts, and with retries where they are safe.

use std::thread;
use std::time::Duration;

use tdg_definition::json::Value;
use ureq::http::{HeaderMap, header};
use ureq::{Agent, RequestBuilder};

use super::base_url::BaseUrl;
use super::contact::Contact;
use super::{ApiKey, SetupError, problem};
use crate::{IdempotencyKey, ObjectKind, Result, ServiceError, Uuid};

/// The maximum length of a response: a diff's rows, expected outputs and actual outputs, each at
/// their limit.
pub(super) const RESPONSE_BYTES: u64 = 256 << 20;

const API_KEY: &str = "x-api-key";

/// The timeouts and retries of a client.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// The timeout for connecting.
    pub connect: Duration,
    /// The maximum silence of a server that has answered this process before.
    pub silence: Duration,
    /// The maximum silence of a server that has not answered yet. It is only waited for once.
    pub first_silence: Duration,
    /// Called with the server's URL if its first answer takes long.
    pub say_waiting: Option<fn(&str)>,
    /// The maximum number of attempts for a request that is safe to repeat.
    pub attempts: u32,
    /// The pause before the second attempt. Each later pause is four times as long.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            silence: Duration::from_secs(120),
            first_silence: Duration::from_secs(10),
            say_waiting: None,
            attempts: 3,
            pause: Duration::from_millis(200),
        }
    }
}

impl Patience {
    /// The maximum pause. If the server asks for a longer one, the request is not retried.
    const LONGEST_PAUSE: Duration = Duration::from_secs(10);

    /// Returns the pause before the next attempt, or `None` if there should be none. The server's
    /// `Retry-After` takes precedence.
    fn pause_after(&self, attempt: u32, failed: &Failed) -> Option<Duration> {
        let is_temporary = matches!(
            failed.error,
            ServiceError::Unavailable(_) | ServiceError::TooMany { .. }
        );
        if attempt >= self.attempts || !is_temporary {
            return None;
        }
        let growth = 4_u32.saturating_pow(attempt - 1);
        let pause = self.pause.saturating_mul(growth).min(Self::LONGEST_PAUSE);
        let pause = failed.retry_after.unwrap_or(pause);
        (pause <= Self::LONGEST_PAUSE).then_some(pause)
    }
}

/// The error of an attempt, with the time that the server asks to wait before the next one.
pub(super) struct Failed {
    pub(super) error: ServiceError,
    pub(super) retry_after: Option<Duration>,
}

impl From<ServiceError> for Failed {
    fn from(error: ServiceError) -> Self {
        let retry_after = None;
        Self { error, retry_after }
    }
}

/// The method of a request.
#[derive(Clone, Copy)]
pub(super) enum Method<'a> {
    Get,
    /// Never retried: if the first attempt succeeded, a second one would find nothing.
    Delete,
    /// A request with a body and a key that makes it safe to retry.
    Post(&'a str, &'a IdempotencyKey),
    /// A request with a body whose repetition has no further effect.
    Repeatable(&'a str),
}

impl Method<'_> {
    /// Returns the time to allow for sending the body over a slow line, at 64 KiB per second.
    fn time_on_a_slow_line(self) -> Duration {
        const BYTES_A_SECOND: u64 = 64 << 10;
        match self {
            Self::Get | Self::Delete => Duration::ZERO,
            Self::Post(body, _) | Self::Repeatable(body) => {
                Duration::from_secs(body.len() as u64 / BYTES_A_SECOND)
            }
        }
    }
}

/// A successful response.
pub(super) struct Response {
    pub(super) body: Value,
    pub(super) headers: HeaderMap,
    /// The length of the body.
    pub(super) bytes: u64,
}

/// Creates an HTTP agent that only contacts this server.
pub(super) fn agent(url: &BaseUrl, patience: Patience) -> Agent {
    let mut config = Agent::config_builder()
        .http_status_as_error(false)
        .https_only(url.is_encrypted())
        .max_redirects(0)
        .max_redirects_will_error(false)
        .timeout_connect(Some(patience.connect))
        .timeout_per_read(Some(patience.silence))
        .timeout_per_write(Some(patience.silence))
        .user_agent(concat!("tdg/", env!("CARGO_PKG_VERSION")));
    if !url.is_encrypted() {
        config = config.proxy(None);
    }
    config.build().into()
}

#[derive(Debug)]
pub(super) struct Transport {
    agent: Agent,
    url: BaseUrl,
    key: ApiKey,
    patience: Patience,
}

impl Transport {
    pub(super) fn new(
        url: &str,
        key: ApiKey,
        patience: Patience,
    ) -> std::result::Result<Self, SetupError> {
        let url = BaseUrl::parse(url)?;
        Ok(Self {
            agent: agent(&url, patience),
            url,
            key,
            patience,
        })
    }

    pub(super) fn url(&self) -> &str {
        self.url.as_str()
    }

    /// Sends a request, and retries it as long as that may help.
    ///
    /// `object` is the object that a 404 refers to.
    pub(super) fn send(
        &self,
        method: Method<'_>,
        path: &str,
        object: Option<(ObjectKind, Uuid)>,
    ) -> Result<Response> {
        let contact = Contact::with(self.url());
        if let Some(silence) = contact.given_up() {
            return Err(ServiceError::unavailable(self.no_answer(silence)));
        }
        let mut attempt = 1;
        loop {
            let sent = contact.making(self.patience.say_waiting, || {
                self.attempt(method, path, object, &contact)
            });
            let failed = match sent {
                Ok(response) => return Ok(response),
                Err(failed) => failed,
            };
            let pause = match method {
                Method::Delete => None,
                _ if contact.given_up().is_some() => None,
                _ => self.patience.pause_after(attempt, &failed),
            };
            let Some(pause) = pause else {
                return Err(failed.error);
            };
            thread::sleep(pause);
            attempt += 1;
        }
    }

    fn attempt(
        &self,
        method: Method<'_>,
        path: &str,
        object: Option<(ObjectKind, Uuid)>,
        contact: &Contact<'_>,
    ) -> std::result::Result<Response, Failed> {
        let silence = match contact.has_answered() {
            true => self.patience.silence,
            false => self.patience.first_silence + method.time_on_a_slow_line(),
        };
        let received = self.call(method, path, silence).and_then(|mut response| {
            contact.answered();
            let body = response
                .body_mut()
                .with_config()
                .limit(RESPONSE_BYTES)
                .read_to_vec()?;
            Ok((response.status().as_u16(), response.headers().clone(), body))
        });
        let (status, headers, body) = received.map_err(|error| {
            if let ureq::Error::Timeout(_) = error {
                contact.timed_out(silence);
            }
            self.unreachable(error, silence)
        })?;
        let bytes = body.len() as u64;
        let raw = problem::RawResponse {
            url: self.url(),
            status,
            headers: &headers,
            body: &body,
            object,
        };
        if !(200..300).contains(&status) {
            return Err(Failed {
                error: raw.error(),
                retry_after: raw.retry_after(),
            });
        }
        let body = match method {
            Method::Delete => Value::Null,
            _ => raw.json()?,
        };
        Ok(Response {
            body,
            headers,
            bytes,
        })
    }

    /// Adds the key to a request, and a timeout for the server's silence.
    fn prepared<B>(&self, request: RequestBuilder<B>, silence: Duration) -> RequestBuilder<B> {
        let limited = request.config().timeout_per_read(Some(silence));
        let limited = limited.timeout_per_write(Some(silence)).build();
        limited.header(API_KEY, self.key.header())
    }

    fn call(
        &self,
        method: Method<'_>,
        path: &str,
        silence: Duration,
    ) -> std::result::Result<ureq::http::Response<ureq::Body>, ureq::Error> {
        let url = format!("{}{path}", self.url);
        let post = || {
            let request = self.prepared(self.agent.post(&url), silence);
            request.header(header::CONTENT_TYPE, "application/json")
        };
        match method {
            Method::Get => self.prepared(self.agent.get(&url), silence).call(),
            Method::Delete => self.prepared(self.agent.delete(&url), silence).call(),
            Method::Post(body, once) => post().header("idempotency-key", once.as_str()).send(body),
            Method::Repeatable(body) => post().send(body),
        }
    }

    fn no_answer(&self, silence: Duration) -> String {
        format!(
            "the server at {} did not answer within {silence:?}",
            self.url()
        )
    }

    fn unreachable(&self, error: ureq::Error, silence: Duration) -> ServiceError {
        let url = self.url();
        let message = match &error {
            ureq::Error::Timeout(ureq::Timeout::Connect) => {
                let limit = self.patience.connect;
                format!("the server at {url} can't be reached: no connection within {limit:?}")
            }
            ureq::Error::Timeout(_) => self.no_answer(silence),
            _ => format!("the server at {url} can't be reached: {error}"),
        };
        ServiceError::unavailable(message).caused_by(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pause(attempt: u32, retry_after: Option<u64>) -> Option<Duration> {
        let patience = Patience {
            attempts: u32::MAX,
            ..Patience::default()
        };
        let failed = Failed {
            error: ServiceError::unavailable(""),
            retry_after: retry_after.map(Duration::from_secs),
        };
        patience.pause_after(attempt, &failed)
    }

    #[test]
    fn a_pause_is_four_times_the_one_before_up_to_a_limit() {
        for (attempt, millis) in [(1, 200), (2, 800), (3, 3200), (4, 10_000), (40, 10_000)] {
            let expected = Some(Duration::from_millis(millis));
            assert_eq!(pause(attempt, None), expected, "{attempt}");
        }
    }

    #[test]
    fn a_pause_is_as_long_as_the_server_asks_for_within_reason() {
        assert_eq!(pause(1, Some(5)), Some(Duration::from_secs(5)));
        assert_eq!(pause(3, Some(0)), Some(Duration::ZERO));
        assert_eq!(pause(1, Some(11)), None);
    }
}
