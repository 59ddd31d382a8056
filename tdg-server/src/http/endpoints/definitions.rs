//! Definitions.

use axum::response::Response;
use tdg_service::ObjectKind;

use crate::endpoint_spec::ResponseSpec;
use crate::http::call::Call;
use crate::http::endpoint::Endpoint;
use crate::http::problem::Problem;
use crate::http::response;

pub(crate) fn endpoints() -> Vec<Endpoint> {
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
            ObjectKind::Definition,
        ),
    ]
}

async fn list(call: Call) -> Result<Response, Problem> {
    let list = call
        .database()
        .definitions(
            call.account,
            call.api_key.projects.clone(),
            call.page.clone(),
        )
        .await?;
    response::list_of_parts(list, &call, |last| {
        format!("/v1/definition/{}", last.definition_uuid)
    })
    .await
}

async fn create(call: Call) -> Result<Response, Problem> {
    let operations = &call.app.operations;
    let definition = operations
        .create_definition(call.account, call.api_key.projects, call.body, call.key)
        .await?;
    let uuid = definition.definition_uuid;
    let response = response::large(definition).await?;
    Ok(response::created(
        response,
        Some(ObjectKind::Definition),
        uuid,
    ))
}

async fn find(call: Call) -> Result<Response, Problem> {
    let page = call.page.clone();
    let part = call
        .database()
        .definition(call.account, call.id(), page)
        .await?;
    response::part(part, &call.uri).await
}
