//! The OpenAPI document of the interface.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::get;
use serde_json::Value;

use crate::http::{App, endpoints, observe, response};
use crate::openapi;

/// Returns the OpenAPI document of all endpoints.
pub(crate) fn openapi_document() -> Value {
    openapi::document(endpoints().into_iter().map(|endpoint| endpoint.spec))
}

pub(crate) fn routes(router: Router<Arc<App>>) -> Router<Arc<App>> {
    router.route("/openapi.json", get(document))
}

async fn document(State(app): State<Arc<App>>, request: Request) -> Response {
    static DOCUMENT: LazyLock<String> = LazyLock::new(|| openapi_document().to_string());
    observe::observed(&app, "GET /openapi.json", request, async |_, _| {
        Ok(response::json(DOCUMENT.clone()))
    })
    .await
}
