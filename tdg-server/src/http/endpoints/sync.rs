//! Synchronization.

use axum::response::Response;
use tdg_service::sync::request::RECORDS;
use tdg_service::sync::{KeyFacts, ServerFacts, ServerLimits};

use crate::endpoint_spec::ResponseSpec;
use crate::http::call::Call;
use crate::http::endpoint::Endpoint;
use crate::http::problem::Problem;
use crate::http::response;
use crate::keys::Scope;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            "/v1/server",
            "What the server says of itself and of the key",
            ResponseSpec::Object("Server"),
            server,
        )
        .for_every_key(),
        Endpoint::get(
            "/v1/sync/{project_uuid}/digests",
            "The digests of a project's records, without assertions",
            ResponseSpec::Object("SyncDigests"),
            digests,
        ),
        Endpoint::post(
            "/v1/sync/{project_uuid}/identities",
            "The identities of a kind of a project's records",
            ("SyncParts", "SyncIdentities"),
            identities,
        )
        .needs(Scope::Read),
        Endpoint::post(
            "/v1/sync/{project_uuid}/missing",
            "Which of these records a project lacks",
            ("SyncAsked", "SyncMissing"),
            missing,
        )
        .needs(Scope::Read),
        Endpoint::post(
            "/v1/sync/{project_uuid}/histories",
            "The assertions of benchmarks",
            ("SyncQuestions", "SyncHistories"),
            histories,
        )
        .needs(Scope::Read),
        Endpoint::post(
            "/v1/sync/{project_uuid}/records",
            "Records of a project",
            ("SyncWanted", "SyncRecords"),
            records,
        )
        .needs(Scope::Read),
        Endpoint::post(
            "/v1/sync/{project_uuid}/add",
            "Adds records to a project, each whole or not at all",
            ("SyncNewRecords", "SyncAnswers"),
            add,
        )
        .for_every_key(),
    ]
}

async fn server(call: Call) -> Result<Response, Problem> {
    let operations = &call.app.operations;
    let account = operations.accounts.get(call.account).await?;
    let key = &call.api_key;
    let scopes = Scope::ALL
        .into_iter()
        .filter(|scope| key.scopes.allow(*scope));
    let facts = ServerFacts::new(
        env!("CARGO_PKG_VERSION").to_owned(),
        call.database().epoch().await?,
        account.name.to_string(),
        KeyFacts {
            prefix: key.prefix.to_string(),
            name: key.name.clone(),
            scopes: scopes.map(|scope| scope.name().to_owned()).collect(),
            expires: key.expires,
        },
        ServerLimits {
            request_bytes: call.app.bodies.most() as u64,
            records: RECORDS as u64,
            definition_bytes: operations.max_definition() as u64,
        },
    );
    let facts = match call.app.has_pages {
        true => facts.with_pages(),
        false => facts,
    };
    Ok(response::object(&facts))
}

async fn digests(call: Call) -> Result<Response, Problem> {
    let digests = call.app.operations.digests(call.account, call.id()).await?;
    Ok(response::object(&digests))
}

async fn identities(call: Call) -> Result<Response, Problem> {
    let (operations, project) = (&call.app.operations, call.id());
    let found = operations.identities(call.account, project, call.body);
    response::large(found.await?).await
}

async fn missing(call: Call) -> Result<Response, Problem> {
    let (operations, project) = (&call.app.operations, call.id());
    let missing = operations.missing(call.account, project, call.body).await?;
    Ok(response::object(&missing))
}

async fn histories(call: Call) -> Result<Response, Problem> {
    let (operations, project) = (&call.app.operations, call.id());
    let found = operations.histories(call.account, project, call.body);
    response::large(found.await?).await
}

async fn records(call: Call) -> Result<Response, Problem> {
    let (operations, project) = (&call.app.operations, call.id());
    let found = operations.records(call.account, project, call.body);
    response::large(found.await?).await
}

async fn add(call: Call) -> Result<Response, Problem> {
    let (operations, project) = (&call.app.operations, call.id());
    let sender = call.sender();
    let added = operations.add(&call.api_key, sender, project, call.body);
    let (answers, made) = added.await?;
    Ok(response::synchronised(response::object(&answers), made))
}
