//! Requests of browsers and their answers: pages, files, redirects, and forms.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use tokio::time::timeout;

use super::App;
use super::attribution::Attribution;
use super::problem::Problem;
use crate::packed_rows::gzip;
use crate::pages::{self, Query, Visitor};

/// The timeout for receiving a form.
const ARRIVING: Duration = Duration::from_secs(10);

/// The header fields of every answer, which keep browsers from executing content.
const HEADERS: [(&str, &str); 8] = [
    (
        "content-security-policy",
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; \
         form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    ),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "camera=(), geolocation=(), microphone=()",
    ),
    // Without the origin, a browser would not send where a form comes from.
    ("referrer-policy", "same-origin"),
    ("vary", "accept-encoding, cookie"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
];

pub(super) async fn guarded(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        headers.entry(name).or_insert(value);
    }
    let kept = HeaderValue::from_static("no-store");
    headers.entry(header::CACHE_CONTROL).or_insert(kept);
    response
}

/// Returns true if a browser sent the request, which shows the answer to a person.
pub(super) fn wants_page(request: &Request) -> bool {
    let accepted = request.headers().get(header::ACCEPT);
    let accepted = accepted.and_then(|accepted| accepted.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html"))
        && !request.uri().path().starts_with("/v1/")
}

/// Returns a problem as a page.
pub(super) fn refused(
    app: &App,
    problem: Problem,
    attribution: &Attribution,
    visitor: Option<&Visitor>,
) -> Response {
    if let Some(error) = problem.unwritable() {
        app.writability.refused(error);
    }
    let title = problem.title();
    let page = pages::refusal(title, &problem.explanation(), &attribution.request, visitor);
    problem.answer(html(page))
}

const HTML: &str = "text/html; charset=utf-8";

pub(super) fn html(page: String) -> Response {
    file(HTML, page)
}

/// Returns a page, compressed.
pub(super) fn gzipped(page: &str) -> Response {
    let mut response = file(HTML, gzip(&[page]));
    let encoding = HeaderValue::from_static("gzip");
    response
        .headers_mut()
        .insert(header::CONTENT_ENCODING, encoding);
    response
}

/// Returns a file that never changes, or a page, which sets its own cache headers.
pub(super) fn file(media_type: &'static str, content: impl Into<Body>) -> Response {
    const LASTING: &str = "public, max-age=31536000, immutable";
    let mut response = Response::new(content.into());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    if !media_type.starts_with("text/html") {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(LASTING));
    }
    response
}

/// Marks a response as a file. Browsers save a file with a name and show others, even in other
/// sites' pages.
pub(super) fn as_file(response: &mut Response, name: Option<&str>, media_type: &'static str) {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    let Some(name) = name else {
        let everywhere = HeaderValue::from_static("cross-origin");
        headers.insert("cross-origin-resource-policy", everywhere);
        return;
    };
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}\""));
    // The server never creates a name that isn't a header value.
    let disposition = disposition.unwrap_or(HeaderValue::from_static("attachment"));
    headers.insert(header::CONTENT_DISPOSITION, disposition);
}

/// Redirects a browser to another page.
pub(super) fn see_other(path: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    // The server never creates a path that isn't a header value.
    let path = HeaderValue::try_from(path).unwrap_or(HeaderValue::from_static("/"));
    response.headers_mut().insert(header::LOCATION, path);
    response
}

/// Reads the fields of a form of at most `most` bytes that a page of this server sent.
pub(super) async fn form_fields(head: &Parts, body: Body, most: usize) -> Result<Query, Problem> {
    if let Some(detail) = refusal_of_form(&head.headers) {
        return Err(Problem::new(StatusCode::FORBIDDEN, detail));
    }
    let received = timeout(ARRIVING, to_bytes(body, most)).await;
    let received = received.map_err(|_| {
        Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            "the form took too long to arrive",
        )
    })?;
    let bytes = received.map_err(|_| {
        Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "the form is too large or incomplete",
        )
    })?;
    Ok(Query::parse(&String::from_utf8_lossy(&bytes)))
}

/// Returns the reason to refuse a form, or `None` if a page of this server sent it. A form of
/// another site would change something in the name of the signed-in user.
fn refusal_of_form(headers: &HeaderMap) -> Option<&'static str> {
    let text = |name: &str| headers.get(name).map(HeaderValue::as_bytes);
    let host = text("host");
    let own_origin = text("origin").map(|origin| {
        let schemes = ["https://", "http://"].map(str::as_bytes);
        schemes
            .iter()
            .any(|scheme| origin.strip_prefix(*scheme) == host && host.is_some())
    });
    let own_site = text("sec-fetch-site").map(|site| site == b"same-origin");
    match (own_site, own_origin) {
        (Some(true), None) | (Some(true) | None, Some(true)) => None,
        (Some(true) | None, Some(false)) => Some(
            "the form's origin does not match the `Host` of the request: another site has sent it, \
             or a proxy changes `Host`; configure the proxy to pass it on unchanged",
        ),
        (Some(false), _) | (None, None) => Some(
            "the form comes from another site, or from a browser that does not send its origin",
        ),
    }
}
