//! `/v1` over HTTP.

mod ambiguous_requests;
mod attribution;
mod authorize;
mod body;
mod browser;
mod call;
mod endpoint;
mod endpoints;
mod etag;
mod limits;
mod observe;
mod pages;
mod paging;
mod path;
mod problem;
mod proxies;
mod request_id;
mod response;
mod server;
mod writability;
mod write_timeout;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::StatusCode;
use axum::{Router, middleware};
use tdg_service::Uuid;
use tokio::task;
use tokio::time::timeout;

pub(crate) use self::body::BodyLimits;
use self::body::BodyReader;
use self::endpoint::Endpoint;
use self::endpoints::benchmarks::CachedBenchmark;
use self::endpoints::metrics::Metrics;
pub(crate) use self::endpoints::openapi::openapi_document;
use self::limits::invalid_keys::BadKeys;
use self::limits::rate::Limiter;
use self::limits::refusals::Refusals;
use self::pages::feeds::Feeds;
use self::problem::Problem;
pub(crate) use self::proxies::{Network, TrustedProxies};
use self::request_id::RequestIds;
pub(crate) use self::server::{ConnectionLimits, Server};
use self::writability::Writability;
use crate::account::Account;
use crate::cache::Cache;
use crate::fair_queue::{FairQueue, Turn};
use crate::journal::AuditJournal;
use crate::keys::KeyCache;
use crate::memory::{self, Memory, OutOfMemory};
use crate::operations::Operations;
use crate::traces::Traces;
use endpoints::{
    assertions, benchmarks, definitions, ensembles, health, metrics, openapi, projects, sync,
};

/// The size of the cache of benchmarks as they were sent, in bytes.
const BENCHMARKS_CACHE: usize = 16 << 20;

/// The maximum number of lists that are read or wait for memory, in total and per account.
const LISTS: usize = 64;
const LISTS_BY_ACCOUNT: usize = 16;

/// The state that all requests share.
pub(crate) struct App {
    operations: Operations,
    bodies: BodyReader,
    /// The memory of requests and answers.
    memory: Memory,
    /// Permits for unpacking rows, so that it leaves cores to the threads that answer.
    unpacking: FairQueue,
    /// Permits for lists, which are in memory before their length is known.
    listing: FairQueue,
    rates: Limiter<Account>,
    proxies: TrustedProxies,
    bad_keys: BadKeys,
    bad_devices: BadKeys,
    /// The rate of logins by network.
    logins: Limiter<IpAddr>,
    known_keys: KeyCache,
    /// Keyed by account too, because synchronized projects have the same UUIDs.
    benchmarks: Cache<(Account, Uuid), CachedBenchmark>,
    feeds: Feeds,
    metrics: Metrics,
    traces: Traces,
    journal: AuditJournal,
    refusals: Refusals,
    requests: RequestIds,
    writability: Writability,
    /// Set if the server has pages for people.
    has_pages: bool,
    ending: AtomicBool,
}

impl App {
    pub(crate) fn new(
        operations: Operations,
        bodies: BodyLimits,
        proxies: TrustedProxies,
        traces: Traces,
        journal: AuditJournal,
        has_pages: bool,
    ) -> Arc<Self> {
        Arc::new(App {
            operations,
            bodies: BodyReader::new(bodies),
            memory: Memory::new(bodies.memory),
            unpacking: FairQueue::new(unpacking_threads(), unpacking_threads()),
            listing: FairQueue::new(LISTS, LISTS_BY_ACCOUNT),
            rates: Limiter::new(),
            proxies,
            bad_keys: BadKeys::new("API key"),
            bad_devices: BadKeys::new("device code"),
            logins: Limiter::new(),
            known_keys: KeyCache::new(),
            benchmarks: Cache::new(BENCHMARKS_CACHE),
            feeds: Feeds::new(),
            metrics: Metrics::new(endpoints().iter().map(Endpoint::name).chain(pages::names())),
            traces,
            journal,
            refusals: Refusals::new(),
            requests: RequestIds::new(),
            writability: Writability::default(),
            has_pages,
            ending: AtomicBool::new(false),
        })
    }

    /// Marks the server as not ready, so that load balancers send no more requests.
    pub(crate) fn end(&self) {
        self.ending.store(true, Ordering::Relaxed);
    }

    /// Waits for a place for a list. An account has a few.
    async fn listing(&self, account: Account) -> Result<Turn, Problem> {
        let place = timeout(memory::WAIT, self.listing.take(account)).await;
        Ok(place.map_err(|_| OutOfMemory)??)
    }

    /// Writes the remaining audit records and sends the remaining traces.
    pub(crate) async fn end_records(self: Arc<Self>) {
        self.journal.end().await;
        // There is nothing left to do if it panics.
        let _ = task::spawn_blocking(move || self.traces.end()).await;
    }
}

/// Returns half of the number of cores.
fn unpacking_threads() -> usize {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    (cores / 2).max(1)
}

/// Returns every endpoint of the interface, in the order of its document.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    let groups = [
        projects::endpoints(),
        definitions::endpoints(),
        ensembles::endpoints(),
        benchmarks::endpoints(),
        assertions::endpoints(),
        sync::endpoints(),
    ];
    groups.into_iter().flatten().collect()
}

/// Builds the router of the interface, the health checks, and optionally the pages.
pub(crate) fn router(app: Arc<App>) -> Router {
    let mut router = openapi::routes(health::routes(Router::new()));
    if app.has_pages {
        router = router.merge(pages::routes());
    }
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
        .layer(middleware::from_fn_with_state(
            app.clone(),
            ambiguous_requests::checked,
        ))
        .with_state(app)
}

/// Builds the router of endpoints for operators.
pub(crate) fn metrics_router(app: Arc<App>) -> Router {
    health::routes(metrics::routes(Router::new())).with_state(app)
}

/// Creates an app on an empty database in a folder.
#[cfg(test)]
async fn test_app(folder: &std::path::Path) -> Arc<App> {
    use crate::database;
    use crate::operations::Workers;

    let url = format!("sqlite:{}", folder.join("test.db").display());
    let database = database::open(&url.parse().unwrap(), None, 2)
        .await
        .unwrap()
        .database;
    let limits = BodyLimits {
        bytes: 1 << 20,
        time: std::time::Duration::from_secs(5),
        memory: 16 << 20,
    };
    let journal = AuditJournal::start(database.clone(), std::time::Duration::MAX);
    let operations = Operations::new(database, Workers::new(2), Default::default(), 1000);
    let traces = Traces::start(None).unwrap();
    App::new(
        operations,
        limits,
        TrustedProxies::default(),
        traces,
        journal,
        true,
    )
}
