//! Pages for people, next to `/v1`. A session replaces the key, and a browser shows the answer.
//!
//! Keys don't work for pages, and cookies don't work for `/v1`. Without a session, every page,
//! existing or not, redirects to the sign-in form.

mod device_login;
pub(super) mod feeds;
mod sign_in;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Router, middleware};
use tokio::time::timeout;

use super::attribution::Attribution;
use super::etag::Encoding;
use super::path::PathIds;
use super::problem::Problem;
use super::{App, browser, observe, response};
use crate::account::Account;
use crate::keys::FeedToken;
use crate::pages::{
    self, ASSETS, PageError, PageRequest, PageRoute, Query, Visitor, WebAnswer, WebChange,
};

/// The timeout for building a page.
const HANDLING_TIMEOUT: Duration = Duration::from_secs(60);

/// The maximum size of a form in bytes: enough for a long reason with every byte escaped.
const FORM: usize = 32 << 10;

/// The message for a form that is sent without a session.
const ENDED: &str = "the session has ended, or its key was revoked, so nothing was changed; sign in \
                     and send the form again";

/// The name of asset requests in logs and metrics.
const ASSET: &str = "GET /assets";

/// Builds the routes of every page, the forms, and the assets.
pub(super) fn routes() -> Router<Arc<App>> {
    let mut router = device_login::routes(sign_in::routes(Router::new()));
    for route in pages::routes() {
        let serve = move |state, params, request| serve(route, state, params, request);
        let method = match route.takes_form() {
            true => post(serve),
            false => get(serve),
        };
        router = router.route(route.path, method);
    }
    for asset in &*ASSETS {
        let serve = move |State(app): State<Arc<App>>, request: Request| async move {
            let answer = async |_, _| Ok(browser::file(asset.media_type, asset.content));
            observe::observed(&app, ASSET, request, answer).await
        };
        router = router.route(&asset.path, get(serve));
    }
    router.layer(middleware::map_response(browser::guarded))
}

/// Returns the pages' names in logs and metrics.
pub(super) fn names() -> impl Iterator<Item = String> {
    let names = pages::routes().into_iter().map(name);
    let others = sign_in::NAMES.into_iter().chain(device_login::NAMES);
    let others = others.chain([ASSET]);
    names.chain(others.map(str::to_owned))
}

fn name(route: PageRoute) -> String {
    let method = if route.takes_form() { "POST" } else { "GET" };
    format!("{method} {}", route.path)
}

async fn serve(
    route: PageRoute,
    State(app): State<Arc<App>>,
    params: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
) -> Response {
    let answer = async |request: Request, attribution: Arc<Attribution>| {
        let (head, body) = request.into_parts();
        let fields = match route.takes_form() {
            true => browser::form_fields(&head, body, FORM).await,
            false => Ok(Query::parse(head.uri.query().unwrap_or_default())),
        };
        let fields = match fields {
            Ok(fields) => fields,
            Err(problem) => return Ok(browser::refused(&app, problem, &attribution, None)),
        };
        let visitor = match visitor(&app, route, &params, &head, &fields, &attribution).await {
            Ok(Some(visitor)) => visitor,
            Ok(None) => return Ok(browser::see_other(&sign_in::path(&head.uri))),
            Err(problem) => return Ok(browser::refused(&app, problem, &attribution, None)),
        };
        let origin = sign_in::origin(&head.headers, &attribution);
        let shown = show(
            &app,
            route,
            params,
            &head,
            (fields, origin),
            (&visitor, &attribution),
        )
        .await;
        Ok(shown.unwrap_or_else(|problem| {
            browser::refused(&app, problem, &attribution, Some(&visitor))
        }))
    };
    observe::observed(&app, &name(route), request, answer).await
}

/// Returns the visitor by session or token. `None` leads to the sign-in form.
async fn visitor(
    app: &App,
    route: PageRoute,
    params: &Result<RawPathParams, RawPathParamsRejection>,
    head: &Parts,
    fields: &Query,
    attribution: &Attribution,
) -> Result<Option<Visitor>, Problem> {
    if route.takes_token() {
        let token = fields.get(pages::TOKEN).and_then(FeedToken::parse);
        let token = token.ok_or(PageError::Nothing)?;
        let params = params.as_ref().map_err(|_| PageError::Nothing)?;
        let ids = PathIds::parse(params).map_err(|_| PageError::Nothing)?;
        let project = ids.last().ok_or(PageError::Nothing)?;
        return app.subscriber(project, &token, attribution).await.map(Some);
    }
    match app.visitor(&head.headers, attribution).await? {
        None if route.takes_form() => Err(Problem::new(StatusCode::UNAUTHORIZED, ENDED)),
        visitor => Ok(visitor),
    }
}

/// Answers with the page at an address.
async fn show(
    app: &App,
    route: PageRoute,
    params: Result<RawPathParams, RawPathParamsRejection>,
    head: &Parts,
    (query, origin): (Query, String),
    (visitor, attribution): (&Visitor, &Attribution),
) -> Result<Response, Problem> {
    let nothing = || Problem::from(PageError::Nothing);
    let params = params.map_err(|_| nothing())?;
    let ids = PathIds::parse(&params).map_err(|_| nothing())?;
    let ids = ids.opened_by(&visitor.key, &app.operations.database);
    let ids = ids.await.map_err(PageError::from)?;
    let account = visitor.key.account;
    // Held until the page's memory is counted.
    let _listing = app.listing(account).await?;
    let request = PageRequest {
        visitor,
        operations: &app.operations,
        memory: &app.memory,
        origin,
        ids,
        query,
    };
    if route.takes_token() {
        return feed(app, route, head, &request).await;
    }
    let (text, file) = match make(route, &request).await? {
        WebAnswer::Page(page) => (pages::document(&page, visitor), None),
        WebAnswer::File(file) => (file.text, Some((file.name, file.media_type))),
        WebAnswer::Change(change) => return changed(app, change, account, attribution).await,
    };
    let mut page = match Encoding::wanted(&head.headers) {
        Encoding::Identity => browser::html(text),
        Encoding::Gzip => {
            let length = text.len();
            let compress = move || Ok(browser::gzipped(&text));
            let workers = &app.operations.workers;
            workers.run_sized(account, length, compress).await?
        }
    };
    if let Some((name, media_type)) = file {
        browser::as_file(&mut page, name.as_deref(), media_type);
    }
    response::held(page, &app.memory, account, true).await
}

async fn make(route: PageRoute, request: &PageRequest<'_>) -> Result<WebAnswer, Problem> {
    let page = timeout(HANDLING_TIMEOUT, route.show(request)).await;
    let page = page.map_err(|_| {
        let detail = "the page took too long; try again";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail).retry_after(Duration::from_secs(5))
    })?;
    Ok(page?)
}

/// Answers with a feed or a badge, up to a minute old.
async fn feed(
    app: &App,
    route: PageRoute,
    head: &Parts,
    request: &PageRequest<'_>,
) -> Result<Response, Problem> {
    let account = request.visitor.key.account;
    // A deleted project has no feed.
    for project in &request.ids {
        let name = app.operations.database.project_name(account, *project);
        name.await.map_err(PageError::from)?;
    }
    let at = (account, format!("{}{}", request.origin, head.uri));
    let make = async {
        match make(route, request).await? {
            WebAnswer::File(file) => Ok(file),
            _ => Err(PageError::Nothing.into()),
        }
    };
    let answer = app.feeds.answer(at, &head.headers, make).await?;
    response::held(answer, &app.memory, account, true).await
}

/// Answers a form.
async fn changed(
    app: &App,
    change: WebChange,
    account: Account,
    attribution: &Attribution,
) -> Result<Response, Problem> {
    for (action, key) in change.of_keys {
        let record = attribution.audit_record(action, account, &key);
        app.operations.database.add_audit(vec![record]).await?;
    }
    let answer = browser::see_other(&change.path);
    Ok(response::synchronised(answer, change.changed))
}

impl From<PageError> for Problem {
    fn from(error: PageError) -> Self {
        match error {
            PageError::Nothing => {
                Problem::new(StatusCode::NOT_FOUND, "There is no page at this address.")
            }
            PageError::Service(error) => error.into(),
            PageError::OutOfMemory(error) => error.into(),
        }
    }
}
