//! Successful responses.

use std::io;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::Response;
use futures_util::{Stream, TryStreamExt, stream};
use http_body_util::BodyExt;
use tdg_service::record::RecordKind;
use tdg_service::{JsonForm, List, ObjectKind, ObjectPart, Page, Uuid};
use tokio::time::Instant;

use super::attribution::{ChangedObject, Changes};
use super::call::Call;
use super::etag::Encoding;
use super::paging;
use super::problem::Problem;
use crate::account::Account;
use crate::background;
use crate::fair_queue::FairQueue;
use crate::memory::Memory;
use crate::operations::sync::SyncEffect;
use crate::packed_rows::{PART, PackedRows};

/// The maximum time that a part of a response waits for memory.
const PART_TIMEOUT: Duration = Duration::from_secs(60);

/// Returns a response with JSON text.
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

pub(super) fn object(object: &impl JsonForm) -> Response {
    json(object.to_json())
}

/// Returns a response with an object that may be large. It is serialized on another thread.
pub(super) async fn large<T>(object: T) -> Result<Response, Problem>
where
    T: JsonForm + Send + 'static,
{
    Ok(json(background::run(move || object.to_json()).await?))
}

/// Returns a page of a list, with a link to the next one.
pub(super) async fn list<T>(list: List<T>, uri: &Uri, page: &Page) -> Result<Response, Problem>
where
    T: JsonForm + Send + 'static,
{
    let mut response = large(list.items).await?;
    let link = list
        .next
        .and_then(|next| paging::link(uri.path(), page, &next));
    if let Some(link) = link {
        response.headers_mut().insert(header::LINK, link);
    }
    Ok(response)
}

/// Marks the response as one with a created object. The kind is `None` for an assertion.
pub(super) fn created(response: Response, kind: Option<ObjectKind>, uuid: Uuid) -> Response {
    let changed = ChangedObject {
        kind: kind.map(ObjectKind::name),
        uuid,
        is_deleted: false,
    };
    self::changed(response, vec![changed])
}

/// Attaches the changes of a request to its response.
pub(super) fn changed(mut response: Response, changed: Vec<ChangedObject>) -> Response {
    response.extensions_mut().insert(Changes(changed));
    response
}

/// Attaches the records that a request has added to its response.
pub(super) fn synchronised(response: Response, made: Vec<SyncEffect>) -> Response {
    let changed = made.into_iter().map(|made| ChangedObject {
        // Assertions are never in the audit log, no matter how they arrive.
        kind: Some(made.kind.as_str()).filter(|_| made.kind != RecordKind::Assertion),
        uuid: made.uuid,
        is_deleted: made.is_deleted,
    });
    self::changed(response, changed.collect())
}

/// Returns a page of a list whose last element may continue under its own path.
pub(super) async fn list_of_parts<T>(
    list: List<T>,
    call: &Call,
    path: impl FnOnce(&T) -> String,
) -> Result<Response, Problem>
where
    T: JsonForm + Send + 'static,
{
    let rest = list.rest.as_deref().zip(list.items.last());
    let rest = rest.and_then(|(rest, last)| paging::link_within(&path(last), rest));
    let mut response = self::list(list, &call.uri, &call.page).await?;
    if let Some(rest) = rest {
        response.headers_mut().append(header::LINK, rest);
    }
    Ok(response)
}

/// Returns an object with a link to its next part.
pub(super) async fn part<T>(part: ObjectPart<T>, uri: &Uri) -> Result<Response, Problem>
where
    T: JsonForm + Send + 'static,
{
    let mut response = large(part.object).await?;
    let next = part.next.as_deref();
    let link = next.and_then(|next| paging::link(uri.path(), &Page::default(), next));
    if let Some(link) = link {
        response.headers_mut().insert(header::LINK, link);
    }
    Ok(response)
}

/// Returns a response with the identifier of a deleted object.
pub(super) fn deleted(kind: ObjectKind, uuid: Uuid) -> Response {
    let changed = ChangedObject {
        kind: Some(kind.name()),
        uuid,
        is_deleted: true,
    };
    let response = json(format!(r#"{{"{}_uuid":"{uuid}"}}"#, kind.name()));
    self::changed(response, vec![changed])
}

/// Streams a body that never changes, with its length and entity tag. A part that fails closes the
/// connection, so that the client notices.
pub(super) fn immutable<P>(parts: P, length: usize, tag: &str, encoding: Encoding) -> Response
where
    P: Stream<Item = io::Result<Bytes>> + Send + 'static,
{
    let parts = parts.inspect_err(|error| tracing::error!(%error, "a response was cut off"));
    let mut response = Response::new(Body::from_stream(parts));
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    if encoding == Encoding::Gzip {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    describe(response, tag)
}

/// Streams rows in parts. Each is unpacked on another thread after the previous one was sent, and
/// holds memory until it is sent itself.
pub(super) fn unpacked(
    rows: &PackedRows,
    memory: Memory,
    account: Account,
    threads: FairQueue,
) -> impl Stream<Item = io::Result<Bytes>> + Send + use<> {
    stream::try_unfold(rows.parts(), move |mut parts| {
        let (memory, threads) = (memory.clone(), threads.clone());
        async move {
            let mut held = memory.nothing(account);
            let room = held.grow_to(PART, Instant::now() + PART_TIMEOUT).await;
            room.map_err(|_| io::ErrorKind::OutOfMemory)?;
            let turn = threads.take(account).await.map_err(io::Error::other)?;
            let unpack = move || {
                let part = parts.next();
                drop(turn);
                (part, parts)
            };
            let (part, parts) = background::run(unpack).await.map_err(io::Error::other)?;
            let part = part.transpose()?;
            Ok(part.map(|part| (held.carry(part), parts)))
        }
    })
}

/// Makes a response's body hold memory until it is sent. A response that may be refused waits for
/// the memory.
pub(super) async fn held(
    response: Response,
    memory: &Memory,
    account: Account,
    may_be_refused: bool,
) -> Result<Response, Problem> {
    /// The maximum size of a response that is always sent, in bytes.
    const SMALL: usize = 16 << 10;
    // Streamed parts hold their own memory.
    let Some(length) = response.body().size_hint().exact() else {
        return Ok(response);
    };
    let length = length as usize;
    if length == 0 {
        return Ok(response);
    }
    let held = if length > SMALL && may_be_refused {
        memory.hold(account, length).await?
    } else {
        memory.count(account, length)
    };
    let (head, body) = response.into_parts();
    let failed = |_| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "the service failed");
    let bytes = body.collect().await.map_err(failed)?.to_bytes();
    Ok(Response::from_parts(head, Body::from(held.carry(bytes))))
}

/// Returns a response for a client that already has the body.
pub(super) fn not_modified(tag: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    describe(response, tag)
}

/// Adds the header fields that a 304 has in common with its 200.
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
