//! Projects.

use axum::response::Response;

use super::answer;
use super::call::Call;
use super::endpoint::{Answer, Endpoint};
use super::problem::Problem;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            "/v1/projects",
            "The projects of the account",
            Answer::List("Project"),
            list,
        ),
        Endpoint::post(
            "/v1/project/new",
            "Makes a project",
            ("NewProject", "Project"),
            create,
        ),
        Endpoint::get(
            "/v1/project/{project_uuid}",
            "A project with its definitions",
            Answer::Object("Project"),
            find,
        ),
        Endpoint::delete(
            "/v1/project/{project_uuid}/delete",
            "Deletes a project and all that belongs to it",
            delete,
        ),
    ]
}

async fn list(call: Call) -> Result<Response, Problem> {
    let list = call
        .database()
        .projects(call.account, call.page.clone())
        .await?;
    Ok(answer::list(list, &call.uri, &call.page))
}

async fn create(call: Call) -> Result<Response, Problem> {
    let operations = &call.app.operations;
    let project = operations
        .create_project(call.account, call.body, call.key)
        .await?;
    Ok(answer::object(&project))
}

async fn find(call: Call) -> Result<Response, Problem> {
    let project = call.database().project(call.account, call.id()).await?;
    Ok(answer::object(&project))
}

async fn delete(call: Call) -> Result<Response, Problem> {
    call.database()
        .delete_project(call.account, call.id())
        .await?;
    Ok(answer::empty())
}
