//! Health checks.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;

use super::problem::Problem;
use super::{App, observe, response};

pub(super) fn routes(router: Router<Arc<App>>) -> Router<Arc<App>> {
    router
        .route("/livez", get(live))
        .route("/readyz", get(ready))
}

/// The process is running.
async fn live(State(app): State<Arc<App>>) -> Response {
    observe::observed(&app, "GET /livez", async { Ok(ok()) }).await
}

/// The server accepts requests: the database answers and can be written, and the server isn't
/// shutting down.
async fn ready(State(app): State<Arc<App>>) -> Response {
    let check = async {
        if app.ending.load(Ordering::Relaxed) {
            let ending = Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "the server is shutting down",
            );
            return Err(ending.retry_after(Duration::from_secs(1)));
        }
        let database = &app.operations.database;
        database.ready().await?;
        app.writability.check(database.probe()).await?;
        Ok(ok())
    };
    observe::observed(&app, "GET /readyz", check).await
}

fn ok() -> Response {
    response::json("{\"status\":\"ok\"}".to_owned())
}
