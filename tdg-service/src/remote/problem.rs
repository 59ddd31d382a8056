//! Turns error responses into messages that name the server.

use std::error::Error;
use std::time::Duration;

use tdg_definition::control::escape;
use tdg_definition::json::{self, Reader, Value};
use tdg_definition::{Fault, Faults};
use ureq::http::{HeaderMap, header};

use crate::{Message, ObjectKind, Result, ServiceError, Uuid};

/// The maximum number of JSON values in a response: more than three times as many as in the longest
/// request that servers accept by default. With the text, they take less than 4 `RESPONSE_BYTES`.
const RESPONSE_VALUES: usize = if cfg!(test) { 12 << 10 } else { 12 << 20 };

/// A response before its body is parsed.
pub(super) struct RawResponse<'a> {
    pub(super) url: &'a str,
    pub(super) status: u16,
    pub(super) headers: &'a HeaderMap,
    pub(super) body: &'a [u8],
    /// The object that the request names.
    pub(super) object: Option<(ObjectKind, Uuid)>,
}

impl RawResponse<'_> {
    /// Parses the body, which must be JSON.
    pub(super) fn json(&self) -> Result<Value> {
        if !self.content_type().starts_with("application/json") {
            return Err(self.foreign());
        }
        let text = std::str::from_utf8(self.body).map_err(|error| self.unreadable(error))?;
        parse(text).map_err(|error| self.unreadable(error))
    }

    /// Returns the error that the response stands for.
    pub(super) fn error(&self) -> ServiceError {
        if (300..400).contains(&self.status) {
            return self.redirect();
        }
        let url = self.url;
        let problem = self.problem();
        let detail = problem.as_ref().and_then(|problem| problem.get("detail"));
        let detail = detail.and_then(Value::as_str).map(escape);
        let detail = detail.as_deref();
        let message = |fallback| {
            let detail = detail.unwrap_or(fallback);
            Message::from(format!("the server at {url} says: {detail}"))
        };
        match (self.status, self.object) {
            (401, _) => {
                let message = format!(
                    "the server at {url} does not accept the API key: set TDG_API_KEY to one of \
                     its keys"
                );
                ServiceError::Unauthorized(message.into())
            }
            (429, _) => ServiceError::TooMany {
                retry_after: self.retry_after(),
            },
            (502..=504, _) => {
                let detail = detail.map_or_else(String::new, |detail| format!(": {detail}"));
                let status = self.status;
                ServiceError::unavailable(format!(
                    "the server at {url} is not available (status {status}){detail}"
                ))
            }
            // A proxy may send this one, too.
            (413, _) => ServiceError::TooLarge(message("the request is too large")),
            // A tdg server always sends a problem with these.
            _ if problem.is_none() => self.foreign(),
            (404, Some((kind, uuid))) => ServiceError::NotFound(kind, uuid),
            (404, None) => too_old(url),
            (400, _) => ServiceError::Malformed(message("the request can't be read")),
            (403, _) => ServiceError::Forbidden(message("the API key may not do this")),
            (409, _) => ServiceError::Conflict(message("the idempotency key was used before")),
            (422, _) => match problem.as_ref().and_then(faults) {
                Some(faults) => ServiceError::Invalid(faults),
                None => ServiceError::Malformed(message("the request breaks a rule")),
            },
            (status, _) => {
                let message = message("no details");
                ServiceError::unexpected(format!("{message} (status {status})"))
            }
        }
    }

    fn redirect(&self) -> ServiceError {
        let to = self.header(header::LOCATION.as_str());
        ServiceError::unexpected(format!(
            "{} redirects to {}, and redirects are not followed: set the URL to the server's own",
            self.url,
            to.unwrap_or("elsewhere")
        ))
    }

    fn problem(&self) -> Option<Value> {
        if !self.content_type().starts_with("application/problem+json") {
            return None;
        }
        parse(std::str::from_utf8(self.body).ok()?).ok()
    }

    /// Returns the time that the server asks to wait before the next attempt.
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
        ServiceError::unexpected(format!(
            "the response from {} is not from a tdg server of version 1 (status {}, {}): check the \
             URL, or use a version of tdg that matches the server",
            self.url,
            self.status,
            match self.content_type() {
                "" => "no content type",
                other => other,
            }
        ))
    }

    fn unreadable(&self, error: impl Error + Send + Sync + 'static) -> ServiceError {
        let message = format!(
            "the server at {} sent a response that this version of tdg can't read ({error}): use a \
             version that matches the server",
            self.url
        );
        ServiceError::unexpected(message).caused_by(error)
    }
}

fn parse(text: &str) -> std::result::Result<Value, json::Error> {
    let mut reader = Reader::new(text).with_most_values(RESPONSE_VALUES);
    let value = reader.value()?;
    reader.finish()?;
    Ok(value)
}

/// Returns the error for a server without the requested path.
pub(super) fn too_old(url: &str) -> ServiceError {
    ServiceError::unexpected(format!(
        "the server at {url} is too old for this version of tdg, or the path of the URL is wrong: \
         update tdg-server, or correct the URL"
    ))
}

/// Reads the `errors` of a problem: `[{"pointer": "/size", "detail": "…"}]`.
fn faults(problem: &Value) -> Option<Faults> {
    let fault = |error: &Value| {
        Some(Fault {
            pointer: escape(error.get("pointer")?.as_str()?).parse().ok()?,
            message: escape(error.get("detail")?.as_str()?).into_owned(),
        })
    };
    let errors = problem.get("errors")?.as_array()?;
    let faults: Option<Faults> = errors.iter().map(fault).collect();
    faults?.check().err()
}
