//! The traces of every request: its identifier, a line in the log, its counts in the metrics.

use std::any::Any;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tdg_service::{Timestamp, Uuid};

use super::App;
use super::attribution::{Attribution, Changed};
use super::problem::Problem;
use super::refusals::Refusal;
use crate::database::AuditRecord;
use crate::keys::Prefix;
use crate::metrics::Count;

/// Waits for the response and records it. A panic becomes a response too.
pub(super) async fn observed<F>(
    app: &App,
    endpoint: &str,
    request: Request,
    handle: impl FnOnce(Request, Arc<Attribution>) -> F,
) -> Response
where
    F: Future<Output = Result<Response, Problem>>,
{
    let begun = Instant::now();
    let _in_flight = InFlight::begin(app);
    let span = app.traces.begin(endpoint, request.headers());
    let attribution = Arc::new(Attribution::new(app, &request));
    let handled = async { handle(request, attribution.clone()).await };
    let result = AssertUnwindSafe(handled).catch_unwind().await;
    let id = &attribution.request;
    let result = result.unwrap_or_else(|panic| Err(panicked(id, &*panic)));
    let mut response = result.unwrap_or_else(|problem| problem.into_response(id));
    let status = response.status();
    let time = begun.elapsed();
    app.metrics.count(endpoint, status, time);
    log(endpoint, &attribution, &response, time);
    span.end(&attribution.answered(status));
    app.record(endpoint, &attribution, &response);
    let headers = response.headers_mut();
    if let Some(used) = attribution
        .nearly_used()
        .and_then(|used| used.try_into().ok())
    {
        headers.insert(HeaderName::from_static("quota-used"), used);
    }
    if let Ok(id) = HeaderValue::try_from(id) {
        headers.insert(HeaderName::from_static("x-request-id"), id);
    }
    response
}

impl App {
    /// Adds a change or a refusal to the audit log.
    fn record(&self, endpoint: &str, attribution: &Attribution, response: &Response) {
        let (status, account) = (response.status(), attribution.account_id());
        let changed = response.extensions().get::<Changed>();
        let changed = changed.and_then(|changed| Some((changed.kind?, changed.uuid)));
        if changed.is_none() && !self.is_new_refusal(status, attribution) {
            return;
        }
        if let (true, Some(account)) = (endpoint.starts_with("DELETE"), account) {
            self.operations.accounts.deleted(account);
        }
        self.journal.audit(AuditRecord {
            account,
            at: Timestamp::now(),
            uuid: Uuid::new_v4(),
            key: attribution.key().map(|key| key.as_str().to_owned()),
            address: attribution.address.map(|address| address.to_string()),
            action: endpoint.to_owned(),
            kind: changed.map(|(kind, _)| kind.name().to_owned()),
            object: changed.map(|(_, uuid)| uuid),
            status: status.as_u16(),
            request: Some(attribution.request.clone()),
        });
    }

    /// Whether a request was refused to somebody who was not refused before.
    fn is_new_refusal(&self, status: StatusCode, attribution: &Attribution) -> bool {
        let refused = [
            StatusCode::UNAUTHORIZED,
            StatusCode::FORBIDDEN,
            StatusCode::TOO_MANY_REQUESTS,
        ];
        let refusal = || Refusal {
            status,
            address: attribution.address,
            account: attribution.account_id(),
        };
        refused.contains(&status) && self.refusals.is_new(refusal())
    }
}

/// A request, until it is answered or its client has gone.
struct InFlight<'a>(&'a Count);

impl<'a> InFlight<'a> {
    fn begin(app: &'a App) -> Self {
        app.metrics.in_flight.add(1);
        InFlight(&app.metrics.in_flight)
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.subtract(1);
    }
}

fn log(endpoint: &str, attribution: &Attribution, response: &Response, time: Duration) {
    let status = response.status();
    let object = response.extensions().get::<Changed>();
    macro_rules! answered {
        ($level:ident) => {
            tracing::$level!(
                request = attribution.request,
                endpoint,
                status = status.as_u16(),
                ms = time.as_secs_f64() * 1e3,
                address = attribution.address.map(display),
                account = attribution.account(),
                key = attribution.key().map(Prefix::as_str),
                object = object.map(|changed| display(changed.uuid)),
                "answered"
            )
        };
    }
    if status.is_server_error() {
        answered!(error);
    } else {
        answered!(info);
    }
}

fn panicked(request: &str, panic: &(dyn Any + Send)) -> Problem {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    tracing::error!(request, panic = text.unwrap_or("?"), "a request panicked");
    Problem::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "the service failed; the log says why",
    )
}

/// A handler for requests that no endpoint accepts.
pub(super) fn refusal(
    problem: fn(&Request) -> Problem,
) -> impl Fn(State<Arc<App>>, Request) -> BoxFuture<'static, Response> + Clone + Send + Sync + 'static
{
    move |State(app), request| {
        let problem = problem(&request);
        Box::pin(async move {
            let refuse = async |_, _| Err(problem);
            observed(&app, "other", request, refuse).await
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_a_problem_without_its_message() {
        let folder = tempfile::tempdir().unwrap();
        let app = crate::http::test_app(folder.path()).await;
        let panics = async |_, _| panic!("tdg_0123456789ab_secret");
        let response = observed(&app, "other", Request::default(), panics).await;
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(
            response.headers()["content-type"],
            "application/problem+json"
        );
        let body = axum::body::to_bytes(response.into_body(), 10_000)
            .await
            .unwrap();
        assert!(!String::from_utf8_lossy(&body).contains("secret"));
    }
}
