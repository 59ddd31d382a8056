//! Ensembles and their rows.

use axum::response::Response;
use futures_util::{TryStreamExt, stream};
use tdg_service::ObjectKind;

use crate::endpoint_spec::ResponseSpec;
use crate::http::call::Call;
use crate::http::endpoint::Endpoint;
use crate::http::etag::{self, Encoding};
use crate::http::problem::Problem;
use crate::http::response;
use crate::operations::RowsToUnpack;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            "/v1/definition/{definition_uuid}/ensembles",
            "The ensembles of a definition",
            ResponseSpec::List("Ensemble"),
            list,
        ),
        Endpoint::post(
            "/v1/definition/{definition_uuid}/ensembles/add",
            "Draws an ensemble from a definition",
            ("NewEnsemble", "Ensemble"),
            create,
        ),
        Endpoint::get(
            "/v1/ensemble/{ensemble_uuid}",
            "An ensemble with its benchmarks, without its rows",
            ResponseSpec::Part("Ensemble"),
            find,
        ),
        Endpoint::get(
            "/v1/ensemble/{ensemble_uuid}/data",
            "The rows of an ensemble",
            ResponseSpec::Immutable("Vectors"),
            data,
        ),
        Endpoint::delete(
            "/v1/ensemble/{ensemble_uuid}/delete",
            "Deletes an ensemble and all that belongs to it",
            ObjectKind::Ensemble,
        ),
    ]
}

async fn list(call: Call) -> Result<Response, Problem> {
    let list = call
        .database()
        .ensembles(call.account, call.id(), call.page.clone())
        .await?;
    response::list_of_parts(list, &call, |last| {
        format!("/v1/ensemble/{}", last.ensemble_uuid)
    })
    .await
}

async fn create(call: Call) -> Result<Response, Problem> {
    let (operations, definition) = (&call.app.operations, call.id());
    let ensemble = operations
        .create_ensemble(call.account, definition, call.body, call.key)
        .await?;
    Ok(response::created(
        response::object(&ensemble),
        Some(ObjectKind::Ensemble),
        ensemble.ensemble_uuid,
    ))
}

async fn find(call: Call) -> Result<Response, Problem> {
    let page = call.page.clone();
    let part = call
        .database()
        .ensemble(call.account, call.id(), page)
        .await?;
    response::part(part, &call.uri).await
}

/// Sends the rows as stored, possibly from the cache. Looking up their digest checks the caller's
/// permission.
async fn data(call: Call) -> Result<Response, Problem> {
    let (operations, memory) = (&call.app.operations, &call.app.memory);
    let digest = operations
        .database
        .ensemble_digest(call.account, call.id())
        .await?;
    let encoding = Encoding::wanted(&call.headers);
    let tag = encoding.tag(&digest);
    if etag::is_known(&call.headers, &tag) {
        return Ok(response::not_modified(&tag));
    }
    let (body, held) = if encoding == Encoding::Gzip {
        let rows = operations.rows::<Problem>(call.account, call.id(), memory);
        let (rows, held) = rows.await?;
        (rows.0, held)
    } else {
        let rows = operations.unpacked_rows::<Problem>(call.account, call.id(), memory);
        match rows.await? {
            (RowsToUnpack::Unpacked(body), held) => (body, held),
            (RowsToUnpack::TooLong(rows), held) => {
                let threads = call.app.unpacking.clone();
                let parts = response::unpacked(&rows, memory.clone(), call.account, threads);
                let parts = parts.inspect_ok(move |_| _ = &held);
                return Ok(response::immutable(parts, rows.length(), &tag, encoding));
            }
        }
    };
    let whole = stream::iter([Ok(held.carry_part(body.bytes().clone()))]);
    Ok(response::immutable(
        whole,
        body.bytes().len(),
        &tag,
        encoding,
    ))
}
