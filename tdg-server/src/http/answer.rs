//! Answers that are no errors.

use std::io;

use axum::body::{Body, Bytes};
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::Response;
use futures_util::stream;
use tdg_service::{List, Object, Page};

use super::etag::Encoding;
use super::paging;

/// An object, or what else is JSON.
pub(super) fn json(text: impl Into<Body>) -> Response {
    let mut response = Response::new(text.into());
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("private, no-cache"),
    );
    headers.insert(
        header::VARY,
        HeaderValue::from_static("x-api-key, authorization"),
    );
    response
}

pub(super) fn object(object: &impl Object) -> Response {
    json(object.to_json())
}

/// A part of a list, and where it goes on.
pub(super) fn list<T: Object>(list: List<T>, uri: &Uri, page: &Page) -> Response {
    let mut response = json(list.items.to_json());
    let link = list.next.and_then(|next| paging::link(uri, page, &next));
    if let Some(link) = link {
        response.headers_mut().insert(header::LINK, link);
    }
    response
}

/// Done, and there is nothing to say.
pub(super) fn empty() -> Response {
    Response::new(Body::empty())
}

/// What never changes, under its tag.
pub(super) fn immutable(body: impl Into<Body>, tag: &str, encoding: Encoding) -> Response {
    let mut response = Response::new(body.into());
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    if encoding == Encoding::Gzip {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    describe(response, tag)
}

/// The same of so many bytes, a part after the other, each when the one before is on its way. A part that can't
/// be had ends the connection: the client has no whole answer.
pub(super) fn immutable_parts<P>(parts: P, length: usize, tag: &str, encoding: Encoding) -> Response
where
    P: Iterator<Item = io::Result<Bytes>> + Send + 'static,
{
    let parts = parts.inspect(|part| {
        if let Err(error) = part {
            tracing::error!(%error, "an answer ends early");
        }
    });
    let body = Body::from_stream(stream::iter(parts));
    let mut response = immutable(body, tag, encoding);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    response
}

/// The client has it.
pub(super) fn not_modified(tag: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    describe(response, tag)
}

/// 304 has what its 200 would have.
fn describe(mut response: Response, tag: &str) -> Response {
    const LASTING: &str = "private, max-age=31536000, immutable";
    const FIELDS: &str = "x-api-key, authorization, accept-encoding";
    let headers = response.headers_mut();
    let mut insert = |name: HeaderName, value| headers.insert(name, value);
    insert(header::CACHE_CONTROL, HeaderValue::from_static(LASTING));
    insert(header::VARY, HeaderValue::from_static(FIELDS));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        insert(header::ETAG, tag);
    }
    response
}
