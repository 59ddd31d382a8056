//! Reading request bodies, bounded in size, time and number.

use std::collections::HashMap;
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Bytes, HttpBody};
use axum::http::{HeaderMap, StatusCode, header};
use flate2::read::MultiGzDecoder;
use http_body_util::BodyExt;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use super::problem::Problem;
use crate::database::Account;
use crate::operations::Workers;

/// Bodies up to this size, in bytes, need no permit.
const SMALL: usize = 256 << 10;

/// Limits for request bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyLimits {
    /// The maximum size in bytes, after decompression.
    pub(crate) bytes: usize,
    /// The timeout from the end of the head to the end of the body.
    pub(crate) time: Duration,
    /// The maximum number of large bodies in memory; one account may have all but one.
    pub(crate) large: usize,
}

/// Reads the bodies of all requests.
pub(super) struct BodyReader {
    limits: BodyLimits,
    permits: Arc<Semaphore>,
    /// An account that sends many large bodies slowly leaves room for another's.
    account_permits: Mutex<HashMap<Account, Arc<Semaphore>>>,
}

/// A body that was read.
pub(super) struct Body {
    pub(super) text: String,
    /// The permit of a large body, until the request is answered.
    pub(super) permit: Option<BodyPermit>,
}

/// Permission for an account to have another large body in memory.
pub(super) struct BodyPermit {
    _of_account: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl BodyReader {
    pub(super) fn new(limits: BodyLimits) -> Self {
        BodyReader {
            limits,
            permits: Arc::new(Semaphore::new(limits.large)),
            account_permits: Mutex::default(),
        }
    }

    /// The body as text, decompressed.
    pub(super) async fn read(
        &self,
        account: Account,
        headers: &HeaderMap,
        mut body: axum::body::Body,
        workers: &Workers,
    ) -> Result<Body, Problem> {
        let gzipped = check_headers(headers)?;
        let deadline = Instant::now() + self.limits.time;
        let mut permit = None;
        let mut bytes = Vec::new();
        let announced = body.size_hint().exact().unwrap_or(0);
        if announced > self.limits.bytes as u64 {
            drain(body).await;
            return Err(self.too_large());
        }
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
                drain(body).await;
                return Err(self.too_large());
            }
            if length > SMALL && permit.is_none() {
                permit = Some(self.permit(account, deadline).await?);
            }
            bytes.extend_from_slice(&data);
        }
        if gzipped {
            if permit.is_none() {
                permit = Some(self.permit(account, deadline).await?);
            }
            let limit = self.limits.bytes;
            let inflated = workers
                .run(account, move || Ok(inflate(&bytes, limit)))
                .await?;
            bytes = inflated.map_err(|error| match error {
                InflateError::TooLarge => self.too_large(),
                InflateError::NotGzip => bad_request("the body is not valid gzip"),
            })?;
        }
        let text = String::from_utf8(bytes).map_err(|_| bad_request("the body is not UTF-8"))?;
        Ok(Body { text, permit })
    }

    /// Waits until another large body may be in memory.
    async fn permit(&self, account: Account, deadline: Instant) -> Result<BodyPermit, Problem> {
        let of_account = self.permits_of(account);
        let of_all = self.permits.clone();
        let permit = async move {
            Ok::<_, AcquireError>(BodyPermit {
                _of_account: of_account.acquire_owned().await?,
                _of_all: of_all.acquire_owned().await?,
            })
        };
        match timeout_at(deadline, permit).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => {
                let detail = "too many large requests at once; try again";
                let wait = Duration::from_secs(5);
                Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail).retry_after(wait))
            }
        }
    }

    fn permits_of(&self, account: Account) -> Arc<Semaphore> {
        let most = self.limits.large.saturating_sub(1).max(1);
        let mut accounts = self
            .account_permits
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let semaphore = accounts.entry(account);
        semaphore
            .or_insert_with(|| Arc::new(Semaphore::new(most)))
            .clone()
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

/// Whether the body is gzipped.
fn check_headers(headers: &HeaderMap) -> Result<bool, Problem> {
    let unsupported = |detail: String| Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail);
    if let Some(value) = headers.get(header::CONTENT_TYPE) {
        let text = String::from_utf8_lossy(value.as_bytes());
        let essence = text.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("application/json") {
            let detail = format!("the content type must be `application/json`, but is `{essence}`");
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

/// Why a body can't be decompressed.
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
        Ok(inflated)
    }
}

/// Reads more for a moment, so that a client that sends everything before it reads gets the
/// response.
async fn drain(mut body: axum::body::Body) {
    const BYTES: usize = 64 << 20;
    let deadline = Instant::now() + Duration::from_secs(5);
    let mut read = 0;
    while read < BYTES
        && let Ok(Some(Ok(frame))) = timeout_at(deadline, body.frame()).await
    {
        read += frame.data_ref().map_or(0, Bytes::len);
    }
}

fn bad_request(detail: &str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, detail)
}
