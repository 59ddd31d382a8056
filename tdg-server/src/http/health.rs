//! Whether the server is well.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;

use super::problem::Problem;
use super::{App, answer, observe};

pub(super) fn routes(router: Router<Arc<App>>) -> Router<Arc<App>> {
    router
        .route("/livez", get(live))
        .route("/readyz", get(ready))
}

/// The process answers.
async fn live(State(app): State<Arc<App>>) -> Response {
    observe::observed(&app, "GET /livez", async { Ok(well()) }).await
}

/// Requests can be sent here: the database answers, and the server isn't ending.
async fn ready(State(app): State<Arc<App>>) -> Response {
    let answer = async {
        if app.ending.load(Ordering::Relaxed) {
            let ending = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the server is ending");
            return Err(ending.retry_after(Duration::from_secs(1)));
        }
        app.operations.database.ready().await?;
        Ok(well())
    };
    observe::observed(&app, "GET /readyz", answer).await
}

fn well() -> Response {
    answer::json("{\"status\":\"ok\"}".to_owned())
}
