//! `/metrics`, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::time::timeout;

use crate::http::App;
use crate::metrics::{self, Count, MetricsText, TimeHistogram};

/// The counted statuses of responses. Others count as the last.
const STATUSES: [u16; 18] = [
    200, 304, 400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 431, 499, 503, 504, 500,
];

/// The timeout for the database's metrics.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(2);

/// Counts by the endpoint's name.
pub(crate) struct Metrics {
    endpoints: BTreeMap<String, RequestCounts>,
    pub(crate) in_flight: Count,
}

#[derive(Default)]
struct RequestCounts {
    statuses: [AtomicU64; STATUSES.len()],
    times: TimeHistogram,
}

impl Metrics {
    pub(crate) fn new(endpoints: impl Iterator<Item = String>) -> Self {
        let others = ["GET /livez", "GET /readyz", "GET /openapi.json", "other"].map(str::to_owned);
        let counts = |name| (name, RequestCounts::default());
        Metrics {
            endpoints: endpoints.chain(others).map(counts).collect(),
            in_flight: Count::new(),
        }
    }

    pub(crate) fn count(&self, endpoint: &str, status: u16, time: Duration) {
        let Some(counts) = self.endpoints.get(endpoint) else {
            return;
        };
        let status = STATUSES.iter().position(|known| *known == status);
        counts.statuses[status.unwrap_or(STATUSES.len() - 1)].fetch_add(1, Relaxed);
        counts.times.observe(time);
    }

    fn write(&self, text: &mut MetricsText) {
        let name = "tdg_requests_total";
        text.family(name, "counter", "Responses, by endpoint and status.");
        for (endpoint, counts) in &self.endpoints {
            for (status, count) in STATUSES.iter().zip(&counts.statuses) {
                let count = count.load(Relaxed);
                if count > 0 {
                    let status = status.to_string();
                    text.sample(name, &[("endpoint", endpoint), ("status", &status)], count);
                }
            }
        }
        let name = "tdg_request_seconds";
        text.family(name, "histogram", "Time until the response, by endpoint.");
        for (endpoint, counts) in &self.endpoints {
            counts.times.write(text, name, ("endpoint", endpoint));
        }
        text.single(
            "tdg_requests_in_flight",
            "gauge",
            "Requests in flight.",
            self.in_flight.get(),
        );
    }
}

fn write_queues(text: &mut MetricsText) {
    text.single(
        "tdg_audit_lost_total",
        "counter",
        "Records that the audit log has no place for.",
        metrics::AUDIT_LOST.get(),
    );
    let name = "tdg_queue_waiting";
    text.family(name, "gauge", "Requests that wait, by queue.");
    for queue in metrics::QUEUES {
        text.sample(name, &[("queue", queue.name)], queue.waiting.get());
    }
    let name = "tdg_queue_wait_seconds";
    text.family(name, "histogram", "Time in a queue, by queue.");
    for queue in metrics::QUEUES {
        queue.waits.write(text, name, ("queue", queue.name));
    }
}

impl App {
    fn write_memory(&self, text: &mut MetricsText) {
        text.single(
            "tdg_memory_held_bytes",
            "gauge",
            "Memory held by requests and their responses, of the budget.",
            self.memory.bytes(),
        );
    }

    fn write_caches(&self, text: &mut MetricsText) {
        let [outputs, rows] = self.operations.cache_uses();
        let caches = [("benchmarks", self.benchmarks.uses()), outputs, rows];
        let name = "tdg_cache_requests_total";
        text.family(name, "counter", "Cache lookups, by result.");
        for (cache, uses) in caches {
            for (result, count) in [("hit", uses.hits), ("miss", uses.misses)] {
                text.sample(name, &[("cache", cache), ("result", result)], count);
            }
        }
        let name = "tdg_cache_bytes";
        text.family(name, "gauge", "Memory of a cache.");
        for (cache, uses) in caches {
            text.sample(name, &[("cache", cache)], uses.bytes);
        }
    }

    async fn write_database(&self, text: &mut MetricsText) {
        let database = &self.operations.database;
        let ready = timeout(DATABASE_TIMEOUT, self.ready()).await;
        let ready = matches!(ready, Ok(Ok(())));
        text.single(
            "tdg_ready",
            "gauge",
            "Whether /readyz says that the server is ready.",
            u8::from(ready),
        );
        if let (true, Ok(Ok(bytes))) = (ready, timeout(DATABASE_TIMEOUT, database.size()).await) {
            let help = "Size of the database on its disk.";
            text.single("tdg_database_bytes", "gauge", help, bytes);
        }
    }
}

pub(crate) fn routes(router: Router<Arc<App>>) -> Router<Arc<App>> {
    router.route("/metrics", get(metrics))
}

async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let mut text = MetricsText::default();
    app.metrics.write(&mut text);
    write_queues(&mut text);
    app.write_memory(&mut text);
    app.write_caches(&mut text);
    app.write_database(&mut text).await;
    let name = "tdg_build_info";
    text.family(name, "gauge", "The version of the server.");
    text.sample(name, &[("version", env!("CARGO_PKG_VERSION"))], 1);
    metrics::write_process(&mut text);
    let format = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (format, text.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_counted_by_endpoint_status_and_time() {
        let metrics = Metrics::new(["GET /v1/projects".to_owned()].into_iter());
        metrics.count("GET /v1/projects", 200, Duration::from_micros(1500));
        metrics.count("GET /v1/projects", 200, Duration::from_secs(60));
        metrics.count("other", 418, Duration::ZERO);
        metrics.count("unknown", 200, Duration::ZERO);
        let mut text = MetricsText::default();
        metrics.write(&mut text);
        insta::assert_snapshot!(text.to_string());
    }
}
