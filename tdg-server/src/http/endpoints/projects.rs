//! Projects.

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
            "/v1/projects",
            "The projects of the account",
            ResponseSpec::List("Project"),
            list,
        ),
        Endpoint::post(
            "/v1/project/new",
            "Creates a project",
            ("NewProject", "Project"),
            create,
        ),
        Endpoint::get(
            "/v1/project/{project_uuid}",
            "A project with its definitions",
            ResponseSpec::Part("Project"),
            find,
        ),
        Endpoint::delete(
            "/v1/project/{project_uuid}/delete",
            "Deletes a project and all that belongs to it",
            ObjectKind::Project,
        ),
    ]
}

async fn list(call: Call) -> Result<Response, Problem> {
    let list = call
        .database()
        .projects(
            call.account,
            call.api_key.projects.clone(),
            call.page.clone(),
        )
        .await?;
    response::list_of_parts(list, &call, |last| {
        format!("/v1/project/{}", last.project_uuid)
    })
    .await
}

async fn create(call: Call) -> Result<Response, Problem> {
    call.api_key.projects.require_none()?;
    let operations = &call.app.operations;
    let project = operations
        .create_project(call.account, call.body, call.key)
        .await?;
    Ok(response::created(
        response::object(&project),
        Some(ObjectKind::Project),
        project.project_uuid,
    ))
}

async fn find(call: Call) -> Result<Response, Problem> {
    let page = call.page.clone();
    let part = call
        .database()
        .project(call.account, call.id(), page)
        .await?;
    response::part(part, &call.uri).await
}
