//! Observes every request: its identifier, a line in the log, its counts in the metrics.

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

use super::attribution::{Attribution, ChangedObject, Changes};
use super::limits::refusals::RefusalKey;
use super::problem::Problem;
use super::{App, browser};
use crate::database::AuditRecord;
use crate::keys::Prefix;
use crate::traces::{Answered, Span};

/// The status of a request whose client went away before the answer.
const ABANDONED: u16 = 499;

/// The pause before a client without a valid key is asked to slow down. Without it, a flood of
/// requests takes the processor from others.
const PAUSE: Duration = Duration::from_millis(50);

/// Waits for the response and records it. Turns a panic into a response too.
pub(super) async fn observed<F>(
    app: &App,
    endpoint: &str,
    request: Request,
    handle: impl FnOnce(Request, Arc<Attribution>) -> F,
) -> Response
where
    F: Future<Output = Result<Response, Problem>>,
{
    let observation = Observation::begin(app, endpoint, &request);
    let attribution = &observation.attribution;
    let handled = async { handle(request, attribution.clone()).await };
    let result = AssertUnwindSafe(handled).catch_unwind().await;
    let id = &attribution.request;
    let result = result.unwrap_or_else(|panic| Err(panicked(id, &*panic)));
    let unwritable = result.as_ref().err().and_then(Problem::unwritable);
    if let Some(error) = unwritable {
        app.writability.refused(error);
    }
    let is_told = unwritable.is_some();
    let mut response = result.unwrap_or_else(|problem| problem.into_response(id));
    if response.status() == StatusCode::TOO_MANY_REQUESTS && attribution.account().is_none() {
        tokio::time::sleep(PAUSE).await;
    }
    let mut insert = |name, value: &str| {
        if let Ok(value) = HeaderValue::try_from(value) {
            response
                .headers_mut()
                .insert(HeaderName::from_static(name), value);
        }
    };
    insert("x-request-id", id);
    if let Some(used) = attribution.nearly_used() {
        insert("quota-used", &used);
    }
    observation.answered(&response, is_told);
    response
}

/// A request that is being handled. It is counted, logged, traced and recorded when it is answered
/// or its client goes away.
struct Observation<'a> {
    app: &'a App,
    endpoint: &'a str,
    attribution: Arc<Attribution>,
    begun: Instant,
    /// Taken when the request ends.
    span: Option<Span>,
}

impl<'a> Observation<'a> {
    fn begin(app: &'a App, endpoint: &'a str, request: &Request) -> Self {
        app.metrics.in_flight.add(1);
        Observation {
            app,
            endpoint,
            begun: Instant::now(),
            span: Some(app.traces.begin(endpoint, request.headers())),
            attribution: Arc::new(Attribution::new(app, request)),
        }
    }

    /// Records the answer. `is_told` is set if the log reports the reason once for all requests.
    fn answered(mut self, response: &Response, is_told: bool) {
        let changes = response.extensions().get::<Changes>();
        let changes = changes.map_or(&[][..], |Changes(changes)| changes);
        self.end(response.status().as_u16(), changes, is_told);
    }

    fn end(&mut self, status: u16, changes: &[ChangedObject], is_told: bool) {
        let Some(span) = self.span.take() else { return };
        let time = self.begun.elapsed();
        self.app.metrics.in_flight.subtract(1);
        self.app.metrics.count(self.endpoint, status, time);
        self.log(status, changes, time, is_told);
        self.record(status, changes);
        span.end(&Answered {
            status,
            request: &self.attribution.request,
            address: self.attribution.address,
            account: self.attribution.account(),
        });
    }

    fn log(&self, status: u16, changes: &[ChangedObject], time: Duration, is_told: bool) {
        let attribution = &*self.attribution;
        macro_rules! answered {
            ($level:ident) => {
                tracing::$level!(
                    request = attribution.request,
                    endpoint = self.endpoint,
                    status,
                    ms = time.as_secs_f64() * 1e3,
                    address = attribution.address.map(display),
                    account = attribution.account(),
                    key = attribution.key().map(Prefix::as_str),
                    object = changes.first().map(|changed| display(changed.uuid)),
                    // The audit log names all of them.
                    objects = Some(changes.len()).filter(|count| *count > 1),
                    "answered"
                )
            };
        }
        if status >= 500 && !is_told {
            answered!(error);
        } else {
            answered!(info);
        }
    }

    /// Adds a change, a refusal or a possible change to the audit log.
    fn record(&self, status: u16, changes: &[ChangedObject]) {
        let attribution = &*self.attribution;
        let mut changes = changes
            .iter()
            .filter(|changed| changed.kind.is_some())
            .peekable();
        let may_have_changed = attribution.intends_change() && status >= ABANDONED;
        if changes.peek().is_none() && !may_have_changed && !self.is_new_refusal(status) {
            return;
        }
        if let (Some(account), Some(_)) = (attribution.account_id(), attribution.to_delete()) {
            self.app.operations.accounts.deleted(account);
        }
        if changes.peek().is_none() {
            self.audit(status, None);
        }
        changes.for_each(|changed| self.audit(status, Some(changed)));
    }

    fn audit(&self, status: u16, changed: Option<&ChangedObject>) {
        let attribution = &*self.attribution;
        // Among created records, a tombstone deletes.
        let is_tombstone =
            |changed: &ChangedObject| changed.is_deleted && attribution.to_delete().is_none();
        let what = if changed.is_some_and(is_tombstone) {
            ", tombstone"
        } else {
            ""
        };
        self.app.journal.audit(AuditRecord {
            account: attribution.account_id(),
            at: Timestamp::now(),
            uuid: Uuid::new_v4(),
            key: attribution.key().map(|key| key.as_str().to_owned()),
            address: attribution.address.map(|address| address.to_string()),
            person: attribution.person.clone(),
            action: format!("{}{what}", self.endpoint),
            kind: changed.and_then(|changed| changed.kind).map(str::to_owned),
            object: changed
                .map(|changed| changed.uuid)
                .or_else(|| attribution.to_delete()),
            status,
            request: Some(attribution.request.clone()),
        });
    }

    /// Returns true if a request was refused to a sender who wasn't refused recently.
    fn is_new_refusal(&self, status: u16) -> bool {
        let refusal = || RefusalKey {
            status,
            address: self.attribution.address,
            account: self.attribution.account_id(),
        };
        [401, 403, 429].contains(&status) && self.app.refusals.is_new(refusal())
    }
}

impl Drop for Observation<'_> {
    fn drop(&mut self) {
        self.end(ABANDONED, &[], false);
    }
}

fn panicked(request: &str, panic: &(dyn Any + Send)) -> Problem {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    tracing::error!(request, panic = text.unwrap_or("?"), "a request panicked");
    Problem::logged()
}

/// Returns a handler for requests without an endpoint. A browser gets a page, except below `/v1`.
pub(super) fn refusal(
    problem: fn(&Request) -> Problem,
) -> impl Fn(State<Arc<App>>, Request) -> BoxFuture<'static, Response> + Clone + Send + Sync + 'static
{
    move |State(app), request| {
        let problem = problem(&request);
        Box::pin(async move {
            let refuse = async |request: Request, attribution: Arc<Attribution>| {
                if !app.has_pages || !browser::wants_page(&request) {
                    return Err(problem);
                }
                let page = browser::refused(&app, problem, &attribution, None);
                Ok(browser::guarded(page).await)
            };
            observed(&app, "other", request, refuse).await
        })
    }
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;

    use super::*;
    use crate::database::AuditFilter;

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

    #[tokio::test]
    async fn a_change_whose_client_has_gone_away_is_recorded() {
        let folder = tempfile::tempdir().unwrap();
        let app = crate::http::test_app(folder.path()).await;
        let object = Uuid::new_v4();
        let endless = async |_, attribution: Arc<Attribution>| {
            attribution.intend_change(Some(object));
            std::future::pending().await
        };
        let mut request = Box::pin(observed(&app, "DELETE /v1/x", Request::default(), endless));
        assert!((&mut request).now_or_never().is_none());
        assert_eq!(app.metrics.in_flight.get(), 1);
        drop(request);
        assert_eq!(app.metrics.in_flight.get(), 0);
        app.journal.end().await;
        let filter = AuditFilter {
            account: None,
            since: Timestamp::from_micros(0),
            limit: 10,
        };
        let records = app.operations.database.audit(filter).await.unwrap();
        let [(_, record)] = &records[..] else {
            panic!("{records:?}")
        };
        assert_eq!((record.status, record.object), (499, Some(object)));
    }
}
