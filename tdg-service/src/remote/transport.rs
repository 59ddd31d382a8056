//! Requests and answers: time limits, repetition where it is safe, and nothing but JSON.

use std::thread;
use std::time::Duration;

use tdg_definition::json::{self, Value};
use ureq::Agent;
use ureq::http::{HeaderMap, Response, header};

use super::base_url::BaseUrl;
use super::{ApiKey, SetupError, problem};
use crate::{IdempotencyKey, Kind, Result, ServiceError, Uuid};

/// The longest answer that is read: the rows, expected and actual outputs of a diff, each at their limit.
const ANSWER_BYTES: u64 = 256 << 20;

/// How patient a client is.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// How long a connection may take.
    pub connect: Duration,
    /// How long a request may take until its answer is read.
    pub request: Duration,
    /// How often a request is made at most, where repeating it is safe.
    pub attempts: u32,
    /// How long to wait before the second attempt; four times as long before the next.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            request: Duration::from_secs(120),
            attempts: 3,
            pause: Duration::from_millis(200),
        }
    }
}

impl Patience {
    /// No server is waited for longer than this, whatever it asks for.
    const LONGEST_PAUSE: Duration = Duration::from_secs(10);

    /// How long to wait before another attempt, if there is to be one: as long as the server has asked for.
    fn pause_after(&self, attempt: u32, failed: &Failed) -> Option<Duration> {
        let may_pass = matches!(
            failed.error,
            ServiceError::Unavailable(_) | ServiceError::TooMany { .. }
        );
        if attempt >= self.attempts || !may_pass {
            return None;
        }
        let growth = 4_u32.saturating_pow(attempt - 1);
        let pause = self.pause.saturating_mul(growth).min(Self::LONGEST_PAUSE);
        let pause = failed.retry_after.unwrap_or(pause);
        (pause <= Self::LONGEST_PAUSE).then_some(pause)
    }
}

/// Why an attempt has failed, and how long the server asks to wait before the next.
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

/// What is asked for.
#[derive(Clone, Copy)]
pub(super) enum Method<'a> {
    Get,
    /// Not repeated: when the first one was done, the second finds nothing.
    Delete,
    /// With its body. The key makes it safe to repeat.
    Post(&'a str, &'a IdempotencyKey),
}

/// An answer that is a success.
pub(super) struct Answer {
    pub(super) body: Value,
    pub(super) headers: HeaderMap,
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
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .https_only(url.is_encrypted())
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(patience.connect))
            .timeout_global(Some(patience.request))
            .user_agent(concat!("tdg/", env!("CARGO_PKG_VERSION")));
        if !url.is_encrypted() {
            config = config.proxy(None);
        }
        Ok(Self {
            agent: config.build().into(),
            url,
            key,
            patience,
        })
    }

    pub(super) fn url(&self) -> &str {
        self.url.as_str()
    }

    /// Asks until there is an answer, or no use in asking again.
    ///
    /// `about` is what is not found where the server says so.
    pub(super) fn ask(
        &self,
        method: Method<'_>,
        path: &str,
        about: Option<(Kind, Uuid)>,
    ) -> Result<Answer> {
        let mut attempt = 1;
        loop {
            let failed = match self.ask_once(method, path, about) {
                Ok(answer) => return Ok(answer),
                Err(failed) => failed,
            };
            let pause = match method {
                Method::Delete => None,
                _ => self.patience.pause_after(attempt, &failed),
            };
            let Some(pause) = pause else {
                return Err(failed.error);
            };
            thread::sleep(pause);
            attempt += 1;
        }
    }

    fn ask_once(
        &self,
        method: Method<'_>,
        path: &str,
        about: Option<(Kind, Uuid)>,
    ) -> std::result::Result<Answer, Failed> {
        let url = format!("{}{path}", self.url);
        let sent = match method {
            Method::Get => self
                .agent
                .get(&url)
                .header("x-api-key", self.key.header())
                .call(),
            Method::Delete => self
                .agent
                .delete(&url)
                .header("x-api-key", self.key.header())
                .call(),
            Method::Post(body, key) => self
                .agent
                .post(&url)
                .header("x-api-key", self.key.header())
                .header("idempotency-key", key.as_str())
                .header(header::CONTENT_TYPE, "application/json")
                .send(body),
        };
        let answered = sent.and_then(|mut response: Response<ureq::Body>| {
            let body = response
                .body_mut()
                .with_config()
                .limit(ANSWER_BYTES)
                .read_to_vec()?;
            Ok((response.status().as_u16(), response.headers().clone(), body))
        });
        let (status, headers, body) = answered.map_err(|error| self.unreachable(&error))?;
        let said = problem::Said {
            url: self.url(),
            status,
            headers: &headers,
            body: &body,
            about,
        };
        if !(200..300).contains(&status) {
            return Err(Failed {
                error: said.error(),
                retry_after: said.retry_after(),
            });
        }
        let body = match method {
            Method::Delete => Value::Null,
            _ => said.json(json::parse)?,
        };
        Ok(Answer { body, headers })
    }

    fn unreachable(&self, error: &ureq::Error) -> ServiceError {
        let url = self.url();
        ServiceError::Unavailable(match error {
            ureq::Error::Timeout(ureq::Timeout::Connect) => {
                let limit = self.patience.connect;
                format!("the server at {url} can't be reached: no connection within {limit:?}")
            }
            ureq::Error::Timeout(_) => {
                let limit = self.patience.request;
                format!("the server at {url} did not answer within {limit:?}")
            }
            _ => format!("the server at {url} can't be reached: {error}"),
        })
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
            error: ServiceError::Unavailable(String::new()),
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
