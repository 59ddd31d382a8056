//! Reading what a client sends, however much and however slowly it does.

use std::collections::HashMap;
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::database::Account;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderMap, StatusCode, header};
use flate2::read::MultiGzDecoder;
use http_body_util::BodyExt;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use super::problem::Problem;
use crate::operations::Workers;

/// Up to here a body needs no leave to be held in memory.
const SMALL: usize = 256 << 10;

/// How large bodies may be, and how long they may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyLimits {
    /// The most bytes, after decompression.
    pub(crate) bytes: usize,
    /// From the end of the head to the end of the body.
    pub(crate) time: Duration,
    /// How many that are not small may be held at once; one account may hold all but one.
    pub(crate) large: usize,
}

/// The bodies of all requests.
pub(super) struct Bodies {
    limits: BodyLimits,
    large: Arc<Semaphore>,
    /// However slowly somebody sends many, there is room for another's.
    large_of: Mutex<HashMap<Account, Arc<Semaphore>>>,
}

/// A body that was read.
pub(super) struct Text {
    pub(super) text: String,
    /// A large body's leave, until the request is answered.
    pub(super) leave: Option<Leave>,
}

/// One of the large bodies of an account, and of all.
pub(super) struct Leave {
    _of_account: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl Bodies {
    pub(super) fn new(limits: BodyLimits) -> Self {
        Bodies {
            limits,
            large: Arc::new(Semaphore::new(limits.large)),
            large_of: Mutex::default(),
        }
    }

    /// The body as text, decompressed.
    pub(super) async fn read(
        &self,
        account: Account,
        headers: &HeaderMap,
        mut body: Body,
        workers: &Workers,
    ) -> Result<Text, Problem> {
        let gzipped = check_headers(headers)?;
        let deadline = Instant::now() + self.limits.time;
        let mut leave = None;
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
            if length > SMALL && leave.is_none() {
                leave = Some(self.leave(account, deadline).await?);
            }
            bytes.extend_from_slice(&data);
        }
        if gzipped {
            if leave.is_none() {
                leave = Some(self.leave(account, deadline).await?);
            }
            let limit = self.limits.bytes;
            let inflated = workers.run(move || Ok(inflate(&bytes, limit))).await?;
            bytes = inflated.map_err(|error| error.unwrap_or_else(|| self.too_large()))?;
        }
        let text = String::from_utf8(bytes).map_err(|_| bad_request("the body is not UTF-8"))?;
        Ok(Text { text, leave })
    }

    /// Memory is bounded by letting only so many large bodies in at once.
    async fn leave(&self, account: Account, deadline: Instant) -> Result<Leave, Problem> {
        let of_account = self.large_of(account);
        let all = self.large.clone();
        let leave = async move {
            Ok::<_, AcquireError>(Leave {
                _of_account: of_account.acquire_owned().await?,
                _of_all: all.acquire_owned().await?,
            })
        };
        match timeout_at(deadline, leave).await {
            Ok(Ok(leave)) => Ok(leave),
            _ => {
                let detail = "too many large requests at once; try again";
                let wait = Duration::from_secs(5);
                Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail).retry_after(wait))
            }
        }
    }

    fn large_of(&self, account: Account) -> Arc<Semaphore> {
        let most = self.limits.large.saturating_sub(1).max(1);
        let mut accounts = self.large_of.lock().unwrap_or_else(PoisonError::into_inner);
        let semaphore = accounts.entry(account);
        semaphore
            .or_insert_with(|| Arc::new(Semaphore::new(most)))
            .clone()
    }

    fn too_large(&self) -> Problem {
        let detail = format!(
            "the body has more than {} bytes, counted after decompression",
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
            let detail = format!(
                "a request is JSON: send it with `content-type: application/json`, not `{essence}`"
            );
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
            "a body is sent as it is or with `content-encoding: gzip`".to_owned(),
        )),
    }
}

/// `Err(None)`: there would be more than `limit` bytes.
fn inflate(bytes: &[u8], limit: usize) -> Result<Vec<u8>, Option<Problem>> {
    let mut inflated = Vec::new();
    let most = limit as u64 + 1;
    let read = MultiGzDecoder::new(bytes)
        .take(most)
        .read_to_end(&mut inflated);
    read.map_err(|_| Some(bad_request("the body is not valid gzip")))?;
    if inflated.len() > limit {
        Err(None)
    } else {
        Ok(inflated)
    }
}

/// Reads on for a moment, so that a client which sends all before it reads gets to the answer.
async fn drain(mut body: Body) {
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
