//! Counts and times of responses, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;

use super::App;

/// The statuses of responses; others are counted as the last.
const STATUSES: [u16; 17] = [
    200, 304, 400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 431, 503, 504, 500,
];
/// The upper bounds of the histogram's buckets, in milliseconds.
const BUCKETS: [u64; 9] = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000];

/// Counts by the endpoint's name.
pub(super) struct Metrics {
    endpoints: BTreeMap<String, Counts>,
}

#[derive(Default)]
struct Counts {
    statuses: [AtomicU64; STATUSES.len()],
    buckets: [AtomicU64; BUCKETS.len()],
    micros: AtomicU64,
}

impl Metrics {
    pub(super) fn new(endpoints: impl Iterator<Item = String>) -> Self {
        let others = ["GET /livez", "GET /readyz", "GET /openapi.json", "other"].map(str::to_owned);
        let counts = |name| (name, Counts::default());
        Metrics {
            endpoints: endpoints.chain(others).map(counts).collect(),
        }
    }

    pub(super) fn count(&self, endpoint: &str, status: StatusCode, time: Duration) {
        let Some(counts) = self.endpoints.get(endpoint) else {
            return;
        };
        let status = STATUSES.iter().position(|known| *known == status.as_u16());
        counts.statuses[status.unwrap_or(STATUSES.len() - 1)].fetch_add(1, Relaxed);
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        counts.micros.fetch_add(micros, Relaxed);
        if let Some(bucket) = BUCKETS.iter().position(|ms| micros <= ms * 1000) {
            counts.buckets[bucket].fetch_add(1, Relaxed);
        }
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        text.push_str("# HELP tdg_requests_total Answers, by endpoint and status.\n# TYPE tdg_requests_total counter\n");
        for (name, counts) in &self.endpoints {
            for (status, count) in STATUSES.iter().zip(&counts.statuses) {
                let count = count.load(Relaxed);
                if count > 0 {
                    let _ = writeln!(
                        text,
                        "tdg_requests_total{{endpoint=\"{name}\",status=\"{status}\"}} {count}"
                    );
                }
            }
        }
        text.push_str("# HELP tdg_request_seconds Time until the answer, by endpoint.\n# TYPE tdg_request_seconds histogram\n");
        for (name, counts) in &self.endpoints {
            counts.write_times(name, &mut text);
        }
        text
    }
}

impl Counts {
    fn write_times(&self, name: &str, text: &mut String) {
        let total: u64 = self.statuses.iter().map(|count| count.load(Relaxed)).sum();
        if total == 0 {
            return;
        }
        let mut below = 0;
        let mut bucket = |bound: String, count| {
            let _ = writeln!(
                text,
                "tdg_request_seconds_bucket{{endpoint=\"{name}\",le=\"{bound}\"}} {count}"
            );
        };
        for (ms, count) in BUCKETS.iter().zip(&self.buckets) {
            below += count.load(Relaxed);
            bucket((*ms as f64 / 1e3).to_string(), below);
        }
        bucket("+Inf".to_owned(), total);
        let seconds = self.micros.load(Relaxed) as f64 / 1e6;
        let _ = writeln!(
            text,
            "tdg_request_seconds_sum{{endpoint=\"{name}\"}} {seconds}"
        );
        let _ = writeln!(
            text,
            "tdg_request_seconds_count{{endpoint=\"{name}\"}} {total}"
        );
    }
}

pub(super) fn routes(router: Router<Arc<App>>) -> Router<Arc<App>> {
    router.route("/metrics", get(metrics))
}

async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let format = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (format, app.metrics.to_text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_counted_by_endpoint_status_and_time() {
        let metrics = Metrics::new(["GET /v1/projects".to_owned()].into_iter());
        metrics.count(
            "GET /v1/projects",
            StatusCode::OK,
            Duration::from_micros(1500),
        );
        metrics.count("GET /v1/projects", StatusCode::OK, Duration::from_secs(60));
        metrics.count("other", StatusCode::IM_A_TEAPOT, Duration::ZERO);
        metrics.count("unknown", StatusCode::OK, Duration::ZERO);
        insta::assert_snapshot!(metrics.to_text());
    }
}
