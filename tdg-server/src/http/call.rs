//! An authorized request that has fully arrived.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{RawPathParams, Request};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use tdg_service::{IdempotencyKey, Page, Uuid};

use super::attribution::Attribution;
use super::path::PathIds;
use super::problem::Problem;
use super::{App, paging};
use crate::account::Account;
use crate::database::{Database, Deleter};
use crate::endpoint_spec::EndpointSpec;
use crate::keys::{KeyRecord, Scope};
use crate::memory::Held;

/// An authorized request.
pub(super) struct Call {
    pub(super) app: Arc<App>,
    pub(super) account: Account,
    pub(super) api_key: KeyRecord,
    pub(super) uri: Uri,
    pub(super) headers: HeaderMap,
    /// The body; empty if the endpoint takes none.
    pub(super) body: String,
    pub(super) page: Page,
    pub(super) key: Option<IdempotencyKey>,
    address: Option<IpAddr>,
    ids: Vec<Uuid>,
    /// The memory of the body.
    _held: Held,
}

impl Call {
    /// Receives a request. The key is checked first: a client without one can't send anything.
    pub(super) async fn receive(
        endpoint: &EndpointSpec,
        app: Arc<App>,
        params: &RawPathParams,
        request: Request,
        attribution: &Attribution,
    ) -> Result<Call, Problem> {
        let (parts, body) = request.into_parts();
        let api_key = app
            .authorize(&parts.headers, endpoint.scope, attribution)
            .await?;
        let account = api_key.account;
        let ids = PathIds::parse(params).map_err(not_an_identifier)?;
        note_intention(endpoint, &ids, attribution);
        let ids = ids.opened_by(&api_key, &app.operations.database).await?;
        let page = paging::requested(&parts.uri, endpoint.query())?;
        let mut call = Call {
            account,
            api_key,
            ids,
            page,
            key: None,
            address: attribution.address,
            body: String::new(),
            uri: parts.uri,
            headers: parts.headers,
            _held: app.memory.nothing(account),
            app,
        };
        if endpoint.request.is_some() {
            call.key = idempotency_key(&call.headers)?;
            let app = call.app.clone();
            let read = app
                .bodies
                .read(
                    account,
                    &call.headers,
                    body,
                    &app.memory,
                    &app.operations.workers,
                )
                .await?;
            (call.body, call._held) = (read.text, read.held);
        }
        Ok(call)
    }

    pub(super) fn database(&self) -> &Database {
        &self.app.operations.database
    }

    /// Returns the sender, who may delete something.
    pub(super) fn sender(&self) -> Deleter {
        Deleter {
            key: Some(self.api_key.prefix.to_string()),
            address: self.address.map(|address| address.to_string()),
        }
    }

    /// Returns the last identifier in the path.
    pub(super) fn id(&self) -> Uuid {
        self.ids.last().copied().unwrap_or_default()
    }

    /// Returns the two identifiers in the path.
    pub(super) fn two_ids(&self) -> (Uuid, Uuid) {
        (self.ids.first().copied().unwrap_or_default(), self.id())
    }
}

/// Notes in advance what the request may create or delete.
fn note_intention(endpoint: &EndpointSpec, ids: &PathIds<'_>, attribution: &Attribution) {
    let is_post = endpoint.method == Method::POST;
    let deletes = endpoint.scope == Some(Scope::Delete);
    let writes = endpoint.scope == Some(Scope::Write) || endpoint.scope.is_none() && is_post;
    if writes || deletes {
        attribution.intend_change(ids.last().filter(|_| deletes));
    }
}

/// Refuses an identifier: not found if it isn't a UUID, invalid if it has another notation.
fn not_an_identifier((name, uuid): (&str, Option<Uuid>)) -> Problem {
    match uuid {
        Some(uuid) => {
            let detail = format!("`{name}` must be a UUID with hyphens: {uuid}");
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
        }
        None => {
            let detail = format!("`{name}` is a UUID such as 6f0c1c1e-0d3a-4c3b-9d56-0f1f2a7c9b10");
            Problem::new(StatusCode::NOT_FOUND, detail)
        }
    }
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Problem> {
    let Some(value) = headers.get("idempotency-key") else {
        return Ok(None);
    };
    let text = String::from_utf8_lossy(value.as_bytes());
    Ok(Some(text.parse::<IdempotencyKey>()?))
}
