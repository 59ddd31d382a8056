//! A request, once its sender is known and all of it has arrived.

use std::sync::Arc;

use crate::database::Account;
use axum::extract::{RawPathParams, Request};
use axum::http::{HeaderMap, StatusCode, Uri};
use tdg_service::{IdempotencyKey, Page, Uuid};

use crate::database::Database;

use super::authorize::Caller;
use super::body::Leave;
use super::endpoint::Endpoint;
use super::problem::Problem;
use super::{App, paging};

/// A request that may be done.
pub(super) struct Call {
    pub(super) app: Arc<App>,
    pub(super) account: Account,
    pub(super) uri: Uri,
    pub(super) headers: HeaderMap,
    /// What was sent; nothing where the endpoint takes nothing.
    pub(super) body: String,
    pub(super) page: Page,
    /// The caller's name for this request, where it makes something.
    pub(super) key: Option<IdempotencyKey>,
    ids: Vec<Uuid>,
    _leave: Option<Leave>,
}

impl Call {
    /// Asks for the sender's key first: who has none learns nothing and can send nothing.
    pub(super) async fn receive(
        endpoint: &Endpoint,
        app: Arc<App>,
        params: &RawPathParams,
        request: Request,
    ) -> Result<Call, Problem> {
        let (parts, body) = request.into_parts();
        let Caller { account, key } = app.authorize(&parts.headers, endpoint.scope).await?;
        tracing::debug!(%key, endpoint = endpoint.name(), "admitted");
        let ids = params.iter().map(|(name, text)| identifier(name, text));
        let ids = ids.collect::<Result<_, _>>()?;
        let page = if endpoint.is_list() {
            paging::requested(&parts.uri)?
        } else {
            Page::default()
        };
        let mut call = Call {
            account,
            ids,
            page,
            key: None,
            body: String::new(),
            uri: parts.uri,
            headers: parts.headers,
            _leave: None,
            app,
        };
        if endpoint.request.is_some() {
            call.key = idempotency_key(&call.headers)?;
            let app = call.app.clone();
            let read = app
                .bodies
                .read(account, &call.headers, body, &app.operations.workers)
                .await?;
            (call.body, call._leave) = (read.text, read.leave);
        }
        Ok(call)
    }

    /// Where things are looked up.
    pub(super) fn database(&self) -> &dyn Database {
        &*self.app.operations.database
    }

    /// The identifier in the path, if there is one.
    pub(super) fn id(&self) -> Uuid {
        self.ids.last().copied().unwrap_or_default()
    }

    /// The two identifiers in the path.
    pub(super) fn two_ids(&self) -> (Uuid, Uuid) {
        (self.ids.first().copied().unwrap_or_default(), self.id())
    }
}

/// What is no UUID names nothing.
fn identifier(name: &str, text: &str) -> Result<Uuid, Problem> {
    match Uuid::try_parse(text) {
        Ok(uuid) if text.len() == 36 => Ok(uuid),
        _ => {
            let detail = format!("`{name}` is a UUID such as 6f0c1c1e-0d3a-4c3b-9d56-0f1f2a7c9b10");
            Err(Problem::new(StatusCode::NOT_FOUND, detail))
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
