//! Assertions and histories.

use axum::response::Response;

use crate::endpoint_spec::ResponseSpec;
use crate::http::call::Call;
use crate::http::endpoint::Endpoint;
use crate::http::problem::Problem;
use crate::http::response;
use crate::keys::Scope;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::post(
            "/v1/benchmark/{benchmark_uuid}/assert",
            "Compares outputs with a benchmark and adds the result to its history",
            ("NewAssertion", "Assertion"),
            create,
        )
        .needs(Scope::Assert),
        Endpoint::get(
            "/v1/benchmark/{benchmark_uuid}/history",
            "The assertions of a benchmark, newest first",
            ResponseSpec::List("AssertionEntry"),
            list,
        ),
    ]
}

async fn create(call: Call) -> Result<Response, Problem> {
    let (operations, benchmark) = (&call.app.operations, call.id());
    let assertion = operations
        .assert(
            call.account,
            benchmark,
            call.body,
            call.key,
            &call.app.memory,
        )
        .await?;
    let uuid = assertion.entry.assertion_uuid;
    let response = match assertion.diff {
        None => response::object(&assertion),
        Some(_) => response::large(assertion).await?,
    };
    Ok(response::created(response, None, uuid))
}

async fn list(call: Call) -> Result<Response, Problem> {
    let list = call
        .database()
        .history(call.account, call.id(), call.page.clone())
        .await?;
    response::list(list, &call.uri, &call.page).await
}
