//! `/v1` over HTTP.

mod assertions;
mod authorize;
mod benchmarks;
mod body;
mod call;
mod definitions;
mod description;
mod endpoint;
mod ensembles;
mod etag;
mod health;
mod metrics;
mod observe;
mod paging;
mod problem;
mod projects;
mod rate;
mod request_id;
mod response;
mod server;
mod write_timeout;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::http::StatusCode;
use tdg_service::Uuid;

use self::benchmarks::CachedBenchmark;
pub(crate) use self::body::BodyLimits;
use self::body::BodyReader;
pub(crate) use self::endpoint::{Endpoint, ResponseSpec};
use self::metrics::Metrics;
use self::problem::Problem;
pub(crate) use self::rate::Rate;
use self::rate::RateLimiter;
use self::request_id::RequestIds;
pub(crate) use self::server::{Limits, Server};
use crate::cache::Cache;
use crate::operations::Operations;
use crate::packed_rows::PackedRows;

/// The sizes of the caches, in bytes.
const ROWS_CACHE: usize = 32 << 20;
const BENCHMARKS_CACHE: usize = 16 << 20;

/// Everything that requests share.
pub(crate) struct App {
    operations: Operations,
    bodies: BodyReader,
    rate: Option<RateLimiter>,
    /// By ensemble.
    rows: Cache<Uuid, PackedRows>,
    benchmarks: Cache<Uuid, CachedBenchmark>,
    metrics: Metrics,
    requests: RequestIds,
    ending: AtomicBool,
}

impl App {
    pub(crate) fn new(operations: Operations, bodies: BodyLimits, rate: Option<Rate>) -> Arc<Self> {
        Arc::new(App {
            operations,
            bodies: BodyReader::new(bodies),
            rate: rate.map(RateLimiter::new),
            rows: Cache::new(ROWS_CACHE),
            benchmarks: Cache::new(BENCHMARKS_CACHE),
            metrics: Metrics::new(endpoints().iter().map(Endpoint::name)),
            requests: RequestIds::new(),
            ending: AtomicBool::new(false),
        })
    }

    /// From now on the server is not ready, so that load balancers send it no more requests.
    pub(crate) fn end(&self) {
        self.ending.store(true, Ordering::Relaxed);
    }
}

/// Every endpoint of the interface, in the order of its document.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    let groups = [
        projects::endpoints(),
        definitions::endpoints(),
        ensembles::endpoints(),
        benchmarks::endpoints(),
        assertions::endpoints(),
    ];
    groups.into_iter().flatten().collect()
}

/// The interface, and the health checks.
pub(crate) fn router(app: Arc<App>) -> Router {
    let mut router = description::routes(health::routes(Router::new()));
    for endpoint in endpoints() {
        router = endpoint.add_to(router);
    }
    router
        .fallback(observe::refusal(|request| {
            let path = request.uri().path();
            Problem::new(StatusCode::NOT_FOUND, format!("{path} does not exist"))
        }))
        .method_not_allowed_fallback(observe::refusal(|request| {
            let detail = format!(
                "{} does not support {}",
                request.uri().path(),
                request.method()
            );
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, detail)
        }))
        .with_state(app)
}

/// Endpoints for operators alone.
pub(crate) fn metrics_router(app: Arc<App>) -> Router {
    health::routes(metrics::routes(Router::new())).with_state(app)
}

/// An app on an empty database in a folder.
#[cfg(test)]
async fn test_app(folder: &std::path::Path) -> Arc<App> {
    use crate::database;
    use crate::operations::Workers;

    let url = format!("sqlite:{}", folder.join("test.db").display());
    let database = database::open(&url.parse().unwrap(), 2)
        .await
        .unwrap()
        .database;
    let limits = BodyLimits {
        bytes: 1 << 20,
        time: std::time::Duration::from_secs(5),
        large: 2,
    };
    App::new(
        Operations::new(database, Workers::new(2), 1000),
        limits,
        None,
    )
}
