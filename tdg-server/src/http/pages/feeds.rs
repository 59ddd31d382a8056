//! Feeds and badges. Other sites embed them, so each is built at most once a minute.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use hmac_sha256::Hash;
use tokio::time::Instant;

use crate::account::Account;
use crate::cache::Cache;
use crate::http::problem::Problem;
use crate::http::{browser, etag};
use crate::pages::WebFile;

/// The time for which an answer is cached, by the server and by clients.
const FRESH: Duration = Duration::from_secs(60);
const LASTING: HeaderValue = HeaderValue::from_static("max-age=60");

/// The size of the cache, in bytes.
const CACHE: usize = 4 << 20;

/// The most recent answers, by account and address.
pub(crate) struct Feeds(Cache<(Account, String), Arc<Feed>>);

struct Feed {
    begun: Instant,
    tag: String,
    file: WebFile,
}

impl Feeds {
    pub(crate) fn new() -> Self {
        Feeds(Cache::new(CACHE))
    }

    /// Returns the cached answer at an address if it is fresh, and otherwise builds it with `make`.
    pub(crate) async fn answer(
        &self,
        at: (Account, String),
        headers: &HeaderMap,
        make: impl Future<Output = Result<WebFile, Problem>>,
    ) -> Result<Response, Problem> {
        let begun = Instant::now();
        let known = self.0.get(&at);
        if let Some(feed) = known.filter(|feed| feed.begun + FRESH > begun) {
            return Ok(feed.answer(headers));
        }
        let file = make.await?;
        let digest = Hash::hash(file.text.as_bytes()).map(|byte| format!("{byte:02x}"));
        let tag = format!("\"{}\"", digest.concat());
        let feed = Arc::new(Feed { begun, tag, file });
        let bytes = at.1.len() + feed.file.text.len();
        self.0.insert(at, feed.clone(), bytes);
        Ok(feed.answer(headers))
    }
}

impl Feed {
    fn answer(&self, headers: &HeaderMap) -> Response {
        let is_known = etag::is_known(headers, &self.tag);
        let text = if is_known { "" } else { &self.file.text };
        let mut response = Response::new(Body::from(text.to_owned()));
        if is_known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        browser::as_file(&mut response, None, self.file.media_type);
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, LASTING);
        if let Ok(tag) = HeaderValue::try_from(&self.tag) {
            headers.insert(header::ETAG, tag);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_answer_is_made_once_a_minute_and_known_by_its_tag() {
        let (feeds, made) = (Feeds::new(), Cell::new(0));
        let answer = async |headers: &HeaderMap| {
            let make = async {
                made.set(made.get() + 1);
                Ok(WebFile {
                    name: None,
                    media_type: "image/svg+xml",
                    text: "1 passing".to_owned(),
                })
            };
            let at = (Account(1), "/project/1/badge.svg".to_owned());
            feeds.answer(at, headers, make).await.unwrap()
        };
        let first = answer(&HeaderMap::new()).await;
        assert_eq!(first.headers()["cache-control"], "max-age=60");
        let tag = first.headers()["etag"].clone();
        let known = HeaderMap::from_iter([(header::IF_NONE_MATCH, tag.clone())]);
        for expected in 1..=3 {
            for _ in 0..2 {
                let again = answer(&known).await;
                assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
                assert_eq!(again.headers()["etag"], tag);
                assert_eq!(made.get(), expected);
            }
            advance(FRESH).await;
        }
    }
}
