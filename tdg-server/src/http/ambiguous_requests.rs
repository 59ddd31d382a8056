//! Refuses ambiguous requests, and makes sure that refusals arrive.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::Response;
use http_body_util::BodyExt;
use hyper::body::{Frame, SizeHint};
use tokio::time::{Instant, timeout_at};

use super::problem::Problem;
use super::{App, observe};
use crate::lock::locked;

/// The header fields that may be sent only once, in addition to `Host`: with two, a proxy and the
/// server might choose different ones.
const SINGLE: [&str; 5] = [
    "x-api-key",
    "authorization",
    "idempotency-key",
    "content-type",
    "content-encoding",
];

/// The maximum size of the rest of a refused body that is read, and the time that this may take.
const DRAINED: u64 = 32 << 20;
const DRAINING: Duration = Duration::from_secs(30);

/// Passes on unambiguous requests. An unread body is drained after the response has been sent, so
/// that a client that sends everything before it reads gets the response. If the rest is too large,
/// the response announces that the connection closes.
pub(super) async fn checked(state: State<Arc<App>>, request: Request, next: Next) -> Response {
    let expects = request.headers().contains_key(header::EXPECT);
    let (request, unread) = Unread::watch(request);
    let mut response = if ambiguity(&request).is_none() {
        next.run(request).await
    } else {
        observe::refusal(refusal)(state, request).await
    };
    let Some(body) = unread.and_then(|unread| unread.take()) else {
        return response;
    };
    let rest = body.size_hint().upper();
    let timed_out = response.status() == StatusCode::REQUEST_TIMEOUT;
    if timed_out || expects || rest.is_none_or(|rest| rest > DRAINED) {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
    // A client that expects `100 Continue` sends nothing after a refusal.
    if !timed_out && !expects {
        tokio::spawn(drain(body));
    }
    response
}

/// Returns the header field that is missing or repeated.
fn ambiguity(request: &Request) -> Option<&'static str> {
    let count = |name: &str| request.headers().get_all(name).iter().count();
    let hosts = count("host");
    if hosts > 1 || (hosts == 0 && request.version() == Version::HTTP_11) {
        return Some("host");
    }
    SINGLE.into_iter().find(|name| count(name) > 1)
}

fn refusal(request: &Request) -> Problem {
    let name = ambiguity(request).unwrap_or_default();
    let detail = format!("the header `{name}` must be sent once");
    Problem::new(StatusCode::BAD_REQUEST, detail)
}

async fn drain(mut body: Body) {
    let deadline = Instant::now() + DRAINING;
    let mut read = 0;
    while read < DRAINED
        && let Ok(Some(Ok(frame))) = timeout_at(deadline, body.frame()).await
    {
        read += frame.data_ref().map_or(0, Bytes::len) as u64;
    }
}

/// The rest of a body, once its reader has dropped it.
struct Unread(Arc<Mutex<Option<Body>>>);

impl Unread {
    /// Wraps the body of a request so that its rest is left here. `None` if there is no body.
    fn watch(request: Request) -> (Request, Option<Unread>) {
        if request.body().is_end_stream() {
            return (request, None);
        }
        let rest = Arc::new(Mutex::new(None));
        let watched = |body| {
            Body::new(WatchedBody {
                body,
                rest: rest.clone(),
                ended: false,
            })
        };
        (request.map(watched), Some(Unread(rest)))
    }

    fn take(self) -> Option<Body> {
        locked(&self.0).take()
    }
}

struct WatchedBody {
    body: Body,
    rest: Arc<Mutex<Option<Body>>>,
    /// Set at the end of the body. For a chunked one, only the reader knows.
    ended: bool,
}

impl HttpBody for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        self.ended |= matches!(frame, Poll::Ready(None | Some(Err(_))));
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for WatchedBody {
    fn drop(&mut self) {
        if self.ended || self.is_end_stream() {
            return;
        }
        *locked(&self.rest) = Some(std::mem::take(&mut self.body));
    }
}
