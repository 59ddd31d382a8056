//! Answers that are no success, in words that name who answered.

use std::time::Duration;

use tdg_definition::json::{self, Value};
use tdg_definition::{Fault, Faults};
use ureq::http::{HeaderMap, header};

use crate::{Kind, Result, ServiceError, Uuid};

/// What a server has answered.
pub(super) struct Said<'a> {
    pub(super) url: &'a str,
    pub(super) status: u16,
    pub(super) headers: &'a HeaderMap,
    pub(super) body: &'a [u8],
    /// What the request was about.
    pub(super) about: Option<(Kind, Uuid)>,
}

impl Said<'_> {
    /// The body, if it is JSON.
    pub(super) fn json<T, E: std::fmt::Display>(
        &self,
        read: impl FnOnce(&str) -> std::result::Result<T, E>,
    ) -> Result<T> {
        if !self.content_type().starts_with("application/json") {
            return Err(self.foreign());
        }
        let text = std::str::from_utf8(self.body).map_err(|error| self.nonsense(error))?;
        read(text).map_err(|error| self.nonsense(error))
    }

    /// The error that it stands for.
    pub(super) fn error(&self) -> ServiceError {
        let url = self.url;
        if (300..400).contains(&self.status) {
            let to = self
                .header(header::LOCATION.as_str())
                .unwrap_or("elsewhere");
            return ServiceError::Unexpected(format!(
                "{url} redirects to {to}, which is not followed: set the URL to where the server is"
            ));
        }
        let problem = self.problem();
        let said = problem.as_ref().and_then(|problem| problem.get("detail"));
        let said = said.and_then(Value::as_str);
        let detail = |fallback| format!("the server at {url} says: {}", said.unwrap_or(fallback));
        match (self.status, self.about) {
            (401, _) => ServiceError::Unauthorized(format!(
                "the server at {url} does not know the API key: set TDG_API_KEY to one of its keys"
            )),
            (429, _) => ServiceError::TooMany {
                retry_after: self.retry_after(),
            },
            (502..=504, _) => {
                let said = said.map_or_else(String::new, |said| format!(": {said}"));
                let status = self.status;
                ServiceError::Unavailable(format!(
                    "the server at {url} is not available (status {status}){said}"
                ))
            }
            // Whoever answers these in another form is no server of ours.
            _ if problem.is_none() => self.foreign(),
            (404, Some((kind, uuid))) => ServiceError::NotFound(kind, uuid),
            (400, _) => ServiceError::Malformed(detail("the request can't be read")),
            (403, _) => ServiceError::Forbidden(detail("the key may not do this")),
            (409, _) => ServiceError::Conflict(detail("the idempotency key was used before")),
            (413, _) => ServiceError::TooLarge(detail("the request is too large")),
            (422, _) => match problem.as_ref().and_then(faults) {
                Some(faults) => ServiceError::Invalid(faults),
                None => ServiceError::Malformed(detail("the request breaks a rule")),
            },
            (status, _) => {
                ServiceError::Unexpected(format!("{} (status {status})", detail("no more")))
            }
        }
    }

    fn problem(&self) -> Option<Value> {
        if !self.content_type().starts_with("application/problem+json") {
            return None;
        }
        json::parse(std::str::from_utf8(self.body).ok()?).ok()
    }

    /// How long to wait before asking again.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        let seconds = self.header(header::RETRY_AFTER.as_str())?.parse().ok()?;
        Some(Duration::from_secs(seconds))
    }

    fn content_type(&self) -> &str {
        self.header(header::CONTENT_TYPE.as_str()).unwrap_or("")
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    fn foreign(&self) -> ServiceError {
        ServiceError::Unexpected(format!(
            "what answers at {} is no tdg server of version 1 (status {}, {}): check the URL, or use a tdg \
             that fits the server",
            self.url,
            self.status,
            match self.content_type() {
                "" => "no content type",
                other => other,
            }
        ))
    }

    fn nonsense(&self, error: impl std::fmt::Display) -> ServiceError {
        ServiceError::Unexpected(format!(
            "the server at {} answered what this tdg can't read ({error}): use a tdg that fits the server",
            self.url
        ))
    }
}

/// `errors` of a problem: `[{"pointer": "/size", "detail": "…"}]`.
fn faults(problem: &Value) -> Option<Faults> {
    let fault = |error: &Value| {
        Some(Fault {
            pointer: error.get("pointer")?.as_str()?.parse().ok()?,
            message: error.get("detail")?.as_str()?.to_owned(),
        })
    };
    let errors = problem.get("errors")?.as_array()?;
    let faults: Option<Faults> = errors.iter().map(fault).collect();
    faults?.check().err()
}
