//! Definitions.

use axum::response::Response;

use super::call::Call;
use super::endpoint::{Endpoint, ResponseSpec};
use super::problem::Problem;
use super::response;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            "/v1/definitions",
            "The definitions of all projects of the account",
            ResponseSpec::List("Definition"),
            list,
        ),
        Endpoint::post(
            "/v1/definition/new",
            "Adds a definition to a project",
            ("NewDefinition", "Definition"),
            create,
        ),
        Endpoint::post(
            "/v1/definition/add",
            "The same as /v1/definition/new, for older clients",
            ("NewDefinition", "Definition"),
            create,
        ),
        Endpoint::get(
            "/v1/definition/{definition_uuid}",
            "A definition with its features and ensembles",
            ResponseSpec::Part("Definition"),
            find,
        ),
        Endpoint::delete(
            "/v1/definition/{definition_uuid}/delete",
            "Deletes a definition and all that belongs to it",
            delete,
        ),
    ]
}

async fn list(call: Call) -> Result<Response, Problem> {
    let list = call
        .database()
        .definitions(call.account, call.page.clone())
        .await?;
    Ok(response::list_of_parts(list, &call, |last| {
        format!("/v1/definition/{}", last.definition_uuid)
    }))
}

async fn create(call: Call) -> Result<Response, Problem> {
    let operations = &call.app.operations;
    let definition = operations
        .create_definition(call.account, call.body, call.key)
        .await?;
    Ok(response::object(&definition))
}

async fn find(call: Call) -> Result<Response, Problem> {
    let page = call.page.clone();
    let part = call
        .database()
        .definition(call.account, call.id(), page)
        .await?;
    Ok(response::part(&part, &call.uri))
}

async fn delete(call: Call) -> Result<Response, Problem> {
    call.database()
        .delete_definition(call.account, call.id())
        .await?;
    Ok(response::empty())
}
