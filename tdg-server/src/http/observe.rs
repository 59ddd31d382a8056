//! The traces of every request: its identifier, a line in the log, its counts in the metrics.

use std::any::Any;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::App;
use super::problem::Problem;

/// Waits for the response and records it. A panic becomes a response too.
pub(super) async fn observed(
    app: &App,
    endpoint: &str,
    handled: impl Future<Output = Result<Response, Problem>>,
) -> Response {
    let begun = Instant::now();
    let request = app.requests.next().to_string();
    let result = AssertUnwindSafe(handled).catch_unwind().await;
    let result = result.unwrap_or_else(|panic| Err(panicked(&request, &*panic)));
    if let Err(problem) = &result
        && let Some(error) = problem.unwritable()
    {
        app.writability.refused(error);
    }
    let mut response = result.unwrap_or_else(|problem| problem.into_response(&request));
    let status = response.status();
    let time = begun.elapsed();
    app.metrics.count(endpoint, status, time);
    let ms = time.as_secs_f64() * 1e3;
    if status.is_server_error() {
        tracing::error!(%request, endpoint, status = status.as_u16(), ms, "answered");
    } else {
        tracing::info!(%request, endpoint, status = status.as_u16(), ms, "answered");
    }
    if let Ok(request) = HeaderValue::try_from(request) {
        response
            .headers_mut()
            .insert(HeaderName::from_static("x-request-id"), request);
    }
    response
}

fn panicked(request: &str, panic: &(dyn Any + Send)) -> Problem {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    tracing::error!(%request, panic = text.unwrap_or("?"), "a request panicked");
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
        Box::pin(async move { observed(&app, "other", async { Err(problem) }).await })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_a_problem_without_its_message() {
        let folder = tempfile::tempdir().unwrap();
        let app = crate::http::test_app(folder.path()).await;
        let panics = async { panic!("tdg_0123456789ab_secret") };
        let response = observed(&app, "other", panics).await;
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
