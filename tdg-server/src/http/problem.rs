//! Problem details (RFC 9457).

use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use serde_json::{Value, json};
use tdg_service::ServiceError;

use crate::memory::OutOfMemory;

/// The retry pause when the database can't be written: it takes an operator's help.
const UNWRITABLE_PAUSE: Duration = Duration::from_secs(30);

/// An error response: `application/problem+json`.
#[derive(Debug)]
pub(super) struct Problem {
    status: StatusCode,
    detail: String,
    /// The pointer and the message of each fault.
    errors: Vec<(String, String)>,
    retry_after: Option<Duration>,
    /// The reason that nothing can be stored. Clients don't get it: it may name hosts and files.
    unwritable: Option<ServiceError>,
}

impl Problem {
    pub(super) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Problem {
            status,
            detail: detail.into(),
            errors: Vec::new(),
            retry_after: None,
            unwritable: None,
        }
    }

    /// Returns a failure of the service that only the log describes.
    pub(super) fn logged() -> Self {
        let detail = "the service failed; the log says why";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
    }

    /// Adds the time when the client should retry.
    pub(super) fn retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// Returns the reason that nothing can be stored, if that is the problem.
    pub(super) fn unwritable(&self) -> Option<&ServiceError> {
        self.unwritable.as_ref()
    }

    /// Returns the kind of problem.
    pub(super) fn title(&self) -> &'static str {
        self.status.canonical_reason().unwrap_or("Error")
    }

    /// Returns an explanation for people.
    pub(super) fn explanation(&self) -> String {
        let error = |(pointer, error): &(String, String)| {
            let field = pointer.trim_start_matches('/');
            format!("{field} {error}").trim_start().to_owned()
        };
        let errors: Vec<String> = self.errors.iter().map(error).collect();
        match errors.is_empty() {
            true => bounded(self.detail.clone()),
            false => bounded(errors.join("; ")),
        }
    }

    /// Returns true if another key might help.
    pub(super) fn is_about_key(&self) -> bool {
        let statuses = [
            StatusCode::UNAUTHORIZED,
            StatusCode::FORBIDDEN,
            StatusCode::TOO_MANY_REQUESTS,
        ];
        statuses.contains(&self.status)
    }

    /// Converts it to a response. `request` is the identifier of the request, as in the log.
    pub(super) fn into_response(self, request: &str) -> Response {
        let mut body = json!({
            "type": "about:blank",
            "title": self.title(),
            "status": self.status.as_u16(),
            "detail": bounded(self.detail.clone()),
            "request_id": request,
        });
        if !self.errors.is_empty() {
            let error =
                |(pointer, detail)| json!({"pointer": bounded(pointer), "detail": bounded(detail)});
            let errors = self.errors.iter().cloned();
            body["errors"] = Value::Array(errors.map(error).collect());
        }
        let mut response = Response::new(Body::from(body.to_string()));
        let media_type = HeaderValue::from_static("application/problem+json");
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, media_type);
        self.answer(response)
    }

    /// Adds the status and header fields to a response that describes the problem.
    pub(super) fn answer(&self, mut response: Response) -> Response {
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if self.status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer realm=\"tdg\"");
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        if let Some(wait) = self.retry_after {
            let seconds = wait.as_secs_f64().ceil().max(1.0) as u64;
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// Cuts a text that may quote a request, if it is longer than any that doesn't.
fn bounded(mut text: String) -> String {
    const LONGEST: usize = 2000;
    if text.len() > LONGEST {
        let end = (0..=LONGEST).rfind(|end| text.is_char_boundary(*end));
        text.truncate(end.unwrap_or(0));
        text.push('…');
    }
    text
}

impl From<OutOfMemory> for Problem {
    fn from(_: OutOfMemory) -> Self {
        let detail = "requests of this account hold too much memory at once; try again";
        let wait = Duration::from_secs(5);
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail).retry_after(wait)
    }
}

impl From<ServiceError> for Problem {
    fn from(error: ServiceError) -> Self {
        let problem = |status| Problem::new(status, error.to_string());
        match &error {
            ServiceError::NotFound(..) => problem(StatusCode::NOT_FOUND),
            ServiceError::Malformed(_) => problem(StatusCode::BAD_REQUEST),
            ServiceError::Invalid(faults) => {
                let (count, listed) = (faults.count(), faults.iter().count());
                let detail = match count {
                    1 => "the request has 1 error".to_owned(),
                    _ if count > listed => {
                        format!("the request has {count} errors; the first {listed} are listed")
                    }
                    _ => format!("the request has {count} errors"),
                };
                let fault = |fault: &tdg_definition::Fault| {
                    (fault.pointer.to_string(), fault.message.clone())
                };
                Problem {
                    errors: faults.iter().map(fault).collect(),
                    ..Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
                }
            }
            ServiceError::Conflict(_) => problem(StatusCode::CONFLICT),
            ServiceError::TooLarge(_) => problem(StatusCode::PAYLOAD_TOO_LARGE),
            ServiceError::Unauthorized(_) => problem(StatusCode::UNAUTHORIZED),
            ServiceError::Forbidden(_) => problem(StatusCode::FORBIDDEN),
            ServiceError::TooMany { retry_after } => {
                let wait = retry_after.unwrap_or(Duration::from_secs(1));
                problem(StatusCode::TOO_MANY_REQUESTS).retry_after(wait)
            }
            // The message is for the log: it may name hosts and files.
            ServiceError::Unavailable(message) => {
                tracing::warn!(%message, "temporarily unavailable");
                let detail = "the service is temporarily unavailable; try again";
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail)
                    .retry_after(Duration::from_secs(1))
            }
            ServiceError::Unwritable(_) => {
                let detail = "the service can't store anything at the moment, such as when its \
                              disk is full; reading works";
                let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail);
                Problem {
                    unwritable: Some(error),
                    ..problem.retry_after(UNWRITABLE_PAUSE)
                }
            }
            _ => {
                tracing::error!(%error, "a request failed");
                Problem::logged()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_the_database_is_not_sent() {
        let error = ServiceError::unavailable("password of tdg@10.0.0.7 refused");
        let problem = Problem::from(error);
        assert_eq!(problem.status, StatusCode::SERVICE_UNAVAILABLE);
        assert!(!problem.detail.contains("10.0.0.7"), "{}", problem.detail);
    }

    #[test]
    fn a_wait_is_sent_in_whole_seconds_and_is_never_zero() {
        let header = |wait| {
            let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "").retry_after(wait);
            problem.into_response("id").headers()[header::RETRY_AFTER].clone()
        };
        assert_eq!(header(Duration::from_millis(1)), "1");
        assert_eq!(header(Duration::from_millis(1500)), "2");
    }
}
