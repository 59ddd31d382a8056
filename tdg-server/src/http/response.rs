//! Successful responses.

use std::io;

use axum::body::{Body, Bytes};
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::Response;
use futures_util::stream;
use tdg_service::{List, Object, Page, Part};

use super::call::Call;
use super::etag::Encoding;
use super::paging;

/// JSON text.
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

/// A page of a list, with a link to the next one.
pub(super) fn list<T: Object>(list: List<T>, uri: &Uri, page: &Page) -> Response {
    let mut response = json(list.items.to_json());
    let link = list.next.and_then(|next| paging::link(uri, page, &next));
    if let Some(link) = link {
        response.headers_mut().insert(header::LINK, link);
    }
    response
}

/// A page of a list whose last element may go on under its own path.
pub(super) fn list_of_parts<T: Object>(
    list: List<T>,
    call: &Call,
    path: impl FnOnce(&T) -> String,
) -> Response {
    let rest = list.rest.as_deref().zip(list.items.last());
    let rest = rest.and_then(|(rest, last)| paging::link_within(&path(last), rest));
    let mut response = self::list(list, &call.uri, &call.page);
    if let Some(rest) = rest {
        response.headers_mut().append(header::LINK, rest);
    }
    response
}

/// An object, with a link to its next part.
pub(super) fn part<T: Object>(part: &Part<T>, uri: &Uri) -> Response {
    let mut response = object(&part.object);
    let next = part.next.as_deref();
    let link = next.and_then(|next| paging::link(uri, &Page::default(), next));
    if let Some(link) = link {
        response.headers_mut().insert(header::LINK, link);
    }
    response
}

/// An empty response.
pub(super) fn empty() -> Response {
    Response::new(Body::empty())
}

/// A body that never changes, with its entity tag.
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

/// A body that never changes, of known length, in parts: each is made when the one before was
/// sent. A part that fails closes the connection, so that the client notices.
pub(super) fn immutable_parts<P>(parts: P, length: usize, tag: &str, encoding: Encoding) -> Response
where
    P: Iterator<Item = io::Result<Bytes>> + Send + 'static,
{
    let parts = parts.inspect(|part| {
        if let Err(error) = part {
            tracing::error!(%error, "a response was cut off");
        }
    });
    let body = Body::from_stream(stream::iter(parts));
    let mut response = immutable(body, tag, encoding);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    response
}

/// The client has the body already.
pub(super) fn not_modified(tag: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    describe(response, tag)
}

/// The header fields that a 304 has in common with its 200.
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
