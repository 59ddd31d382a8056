//! Health checks.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;

use crate::http::problem::Problem;
use crate::http::{App, observe, response};

pub(crate) fn routes(router: Router<Arc<App>>) -> Router<Arc<App>> {
    router
        .route("/livez", get(live))
        .route("/readyz", get(ready))
}

/// Reports that the process is running.
async fn live(State(app): State<Arc<App>>, request: Request) -> Response {
    observe::observed(&app, "GET /livez", request, async |_, _| Ok(ok())).await
}

/// Reports if the server accepts requests.
async fn ready(State(app): State<Arc<App>>, request: Request) -> Response {
    let check = async |_, _| app.ready().await.map(|()| ok());
    observe::observed(&app, "GET /readyz", request, check).await
}

impl App {
    /// Succeeds if the database answers and can be written, and the server isn't shutting down.
    pub(in crate::http) async fn ready(&self) -> Result<(), Problem> {
        if self.ending.load(Ordering::Relaxed) {
            let ending = Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "the server is shutting down",
            );
            return Err(ending.retry_after(Duration::from_secs(1)));
        }
        let database = &self.operations.database;
        database.ready().await?;
        Ok(self.writability.check(database.probe()).await?)
    }
}

fn ok() -> Response {
    response::json("{\"status\":\"ok\"}".to_owned())
}
