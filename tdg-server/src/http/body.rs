//! Reading request bodies, bounded in size, time and memory.

use std::io::Read;
use std::time::Duration;

use axum::body::HttpBody;
use axum::http::{HeaderMap, StatusCode, header};
use flate2::read::MultiGzDecoder;
use http_body_util::BodyExt;
use tokio::time::{Instant, timeout_at};

use super::problem::Problem;
use crate::account::Account;
use crate::memory::{self, Held, Memory};
use crate::operations::Workers;

/// The maximum number of bytes that one compressed byte can expand to.
const DEFLATE_RATIO: usize = 1032;

/// Limits for request bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyLimits {
    /// The maximum size in bytes, after decompression.
    pub(crate) bytes: usize,
    /// The timeout from the end of the head to the end of the body.
    pub(crate) time: Duration,
    /// The memory of all bodies and answers together, in bytes.
    pub(crate) memory: usize,
}

/// Reads the bodies of all requests.
pub(super) struct BodyReader {
    limits: BodyLimits,
}

/// A body that was read.
pub(super) struct Body {
    pub(super) text: String,
    /// The memory of the body.
    pub(super) held: Held,
}

impl BodyReader {
    pub(super) fn new(limits: BodyLimits) -> Self {
        BodyReader { limits }
    }

    /// Returns the maximum size of a body.
    pub(super) fn most(&self) -> usize {
        self.limits.bytes
    }

    /// Reads and decompresses the body as text. It reserves memory for bytes as they arrive.
    pub(super) async fn read(
        &self,
        account: Account,
        headers: &HeaderMap,
        body: axum::body::Body,
        memory: &Memory,
        workers: &Workers,
    ) -> Result<Body, Problem> {
        let gzipped = check_headers(headers)?;
        let deadline = Instant::now() + self.limits.time;
        let mut held = memory.nothing(account);
        let mut bytes = self.receive(body, deadline, &mut held).await?;
        if gzipped {
            let limit = self.limits.bytes;
            let most = limit.min(bytes.len().saturating_mul(DEFLATE_RATIO));
            held.grow_to(bytes.len() + most, room(deadline)).await?;
            let inflate = move || Ok(inflate(&bytes, limit));
            let inflated = workers.run(account, 0, inflate).await?;
            bytes = inflated.map_err(|error| match error {
                InflateError::TooLarge => self.too_large(),
                InflateError::NotGzip => bad_request("the body is not valid gzip"),
            })?;
            held.shrink_to(bytes.len());
        }
        let text = String::from_utf8(bytes).map_err(|_| bad_request("the body is not UTF-8"))?;
        Ok(Body { text, held })
    }

    /// Receives the bytes of the body.
    async fn receive(
        &self,
        mut body: axum::body::Body,
        deadline: Instant,
        held: &mut Held,
    ) -> Result<Vec<u8>, Problem> {
        let announced = body.size_hint().exact().unwrap_or(0);
        if announced > self.limits.bytes as u64 {
            return Err(self.too_large());
        }
        let mut bytes = Vec::new();
        loop {
            let frame = timeout_at(deadline, body.frame())
                .await
                .map_err(|_| self.too_slow())?;
            let Some(frame) = frame else { break };
            let frame = frame.map_err(|_| bad_request("the body ended before it was complete"))?;
            let Ok(data) = frame.into_data() else {
                continue;
            };
            let length = bytes.len() + data.len();
            if length > self.limits.bytes {
                return Err(self.too_large());
            }
            if length > bytes.capacity() {
                let capacity = self.capacity(length, announced);
                held.grow_to(capacity, room(deadline)).await?;
                bytes.reserve_exact(capacity - bytes.len());
            }
            bytes.extend_from_slice(&data);
        }
        Ok(bytes)
    }

    /// Returns the capacity for `length` bytes when more will probably follow.
    fn capacity(&self, length: usize, announced: u64) -> usize {
        let end = usize::try_from(announced).ok().filter(|end| *end > 0);
        let end = end.unwrap_or(self.limits.bytes);
        (length + length / 2).min(end).max(length)
    }

    fn too_large(&self) -> Problem {
        let detail = format!(
            "the body has more than {} bytes after decompression",
            self.limits.bytes
        );
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
    }

    fn too_slow(&self) -> Problem {
        let detail = format!(
            "the body took longer than {} s to arrive",
            self.limits.time.as_secs()
        );
        Problem::new(StatusCode::REQUEST_TIMEOUT, detail)
    }
}

/// Returns the deadline for getting memory.
fn room(deadline: Instant) -> Instant {
    deadline.min(Instant::now() + memory::WAIT)
}

/// Returns true if the body is gzipped.
fn check_headers(headers: &HeaderMap) -> Result<bool, Problem> {
    let unsupported = |detail: String| Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail);
    if let Some(value) = headers.get(header::CONTENT_TYPE) {
        let text = String::from_utf8_lossy(value.as_bytes());
        let essence = text.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("application/json") {
            let detail = format!("the content type must be `application/json`, but is `{essence}`");
            return Err(unsupported(detail));
        }
        if let Some(charset) = charset(&text)
            && !charset.eq_ignore_ascii_case("utf-8")
        {
            let detail = format!("the body must be in UTF-8, but its charset is `{charset}`");
            return Err(unsupported(detail));
        }
    }
    let Some(value) = headers.get(header::CONTENT_ENCODING) else {
        return Ok(false);
    };
    match value.as_bytes().to_ascii_lowercase().as_slice() {
        b"identity" => Ok(false),
        b"gzip" | b"x-gzip" => Ok(true),
        _ => Err(unsupported(
            "the content encoding must be `gzip` or `identity`".to_owned(),
        )),
    }
}

/// Returns the `charset` parameter of a content type.
fn charset(content_type: &str) -> Option<&str> {
    let mut parameters = content_type.split(';').skip(1);
    parameters.find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let is_charset = name.trim().eq_ignore_ascii_case("charset");
        is_charset.then(|| value.trim().trim_matches('"'))
    })
}

/// The reasons that a body can't be decompressed.
enum InflateError {
    TooLarge,
    NotGzip,
}

fn inflate(bytes: &[u8], limit: usize) -> Result<Vec<u8>, InflateError> {
    let mut inflated = Vec::new();
    let most = limit as u64 + 1;
    let read = MultiGzDecoder::new(bytes)
        .take(most)
        .read_to_end(&mut inflated);
    read.map_err(|_| InflateError::NotGzip)?;
    if inflated.len() > limit {
        Err(InflateError::TooLarge)
    } else {
        inflated.shrink_to_fit();
        Ok(inflated)
    }
}

fn bad_request(detail: &str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, detail)
}
