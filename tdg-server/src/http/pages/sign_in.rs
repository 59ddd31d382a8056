//! Signing in to the pages and out. A key begins a session, which the browser keeps as a cookie.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::Response;
use axum::routing::{get, post};
use tdg_service::{Timestamp, Uuid};

use crate::http::attribution::Attribution;
use crate::http::browser::{form_fields, html, refused, see_other};
use crate::http::problem::Problem;
use crate::http::{App, observe};
use crate::keys::{FeedToken, IssuedKey, KeyHash, KeyRecord, Scope, SecretToken};
use crate::pages::{self, HOME, PageError, Query, SIGN_IN, SIGN_OUT, Visitor, sign_in_form};

/// The endpoints' names in logs and metrics.
pub(super) const NAMES: [&str; 3] = [SHOW, BEGIN, END];
const SHOW: &str = "GET /sign-in";
const BEGIN: &str = "POST /sign-in";
const END: &str = "POST /sign-out";

/// The maximum size of a form in bytes.
const FORM: usize = 8 << 10;

/// The cookie. Browsers accept the first only over TLS and for this host; the other is for this
/// machine, without TLS.
const COOKIE: &str = "__Host-tdg";
const LOCAL_COOKIE: &str = "tdg";

/// The maximum lifetime of a session, in seconds.
const LASTING: u64 = 7 * 24 * 60 * 60;

pub(crate) fn routes(router: Router<Arc<App>>) -> Router<Arc<App>> {
    router
        .route(SIGN_IN, get(form).post(begin))
        .route(SIGN_OUT, post(end))
}

/// Returns the address of the form, which redirects back to the requested page.
pub(crate) fn path(uri: &Uri) -> String {
    let wanted = uri.path_and_query().map_or(HOME, |path| path.as_str());
    pages::sign_in_path(wanted)
}

async fn form(State(app): State<Arc<App>>, request: Request) -> Response {
    let query = Query::parse(request.uri().query().unwrap_or_default());
    observe::observed(&app, SHOW, request, async |_, _| {
        Ok(html(sign_in_form(None, query.get("next"))))
    })
    .await
}

async fn begin(State(app): State<Arc<App>>, request: Request) -> Response {
    let answer = async |request: Request, attribution: Arc<Attribution>| {
        let (head, body) = request.into_parts();
        let form = match form_fields(&head, body, FORM).await {
            Ok(form) => form,
            Err(problem) => return Ok(refused(&app, problem, &attribution, None)),
        };
        let next = form.get("next").filter(|next| pages::is_own(next));
        let key = form.get("key").unwrap_or_default();
        let begun = app.sign_in(key, &head.headers, &attribution).await;
        Ok(match begun {
            Ok(cookie) => with_cookie(see_other(next.unwrap_or(HOME)), &cookie),
            Err(problem) if problem.is_about_key() => {
                let page = sign_in_form(Some(&problem.explanation()), next);
                problem.answer(html(page))
            }
            Err(problem) => refused(&app, problem, &attribution, None),
        })
    };
    observe::observed(&app, BEGIN, request, answer).await
}

async fn end(State(app): State<Arc<App>>, request: Request) -> Response {
    let answer = async |request: Request, attribution: Arc<Attribution>| {
        let (head, body) = request.into_parts();
        let ended = async {
            form_fields(&head, body, FORM).await?;
            if let Some(session) = session(&head.headers, &attribution) {
                app.operations.database.end_session(session.hash()).await?;
            }
            Ok::<_, Problem>(())
        };
        Ok(match ended.await {
            Ok(()) => with_cookie(
                see_other(SIGN_IN),
                &cookie("", 0, &head.headers, &attribution),
            ),
            Err(problem) => refused(&app, problem, &attribution, None),
        })
    };
    observe::observed(&app, END, request, answer).await
}

impl App {
    /// Begins a session by a key and returns its cookie.
    async fn sign_in(
        &self,
        key: &str,
        headers: &HeaderMap,
        attribution: &Attribution,
    ) -> Result<String, Problem> {
        let unknown = || Problem::new(StatusCode::UNAUTHORIZED, "unknown API key");
        let key = IssuedKey::parse(key).ok_or_else(unknown)?;
        attribution.presented(key.prefix());
        let record = self.admit(&key, attribution.address).await?;
        self.let_in(&record, Some(Scope::Read), attribution).await?;
        let session = SecretToken::generate().map_err(no_random_numbers)?;
        let database = &self.operations.database;
        let added = database.add_session(session.hash(), record.prefix, Timestamp::now());
        added.await?;
        Ok(cookie(session.reveal(), LASTING, headers, attribution))
    }

    /// Returns the visitor with a feed token of the project.
    pub(super) async fn subscriber(
        &self,
        project: Uuid,
        token: &FeedToken,
        attribution: &Attribution,
    ) -> Result<Visitor, Problem> {
        attribution.presented(token.prefix().clone());
        let hash = |key: &KeyRecord| token.is_of(key, project).then_some(key.hash);
        let admitted = self.admit_by(token.prefix(), false, attribution.address, hash);
        let key = admitted
            .await
            .map_err(|problem| match problem.is_about_key() {
                true => PageError::Nothing.into(),
                false => problem,
            })?;
        self.let_in(&key, Some(Scope::Read), attribution).await?;
        self.by_key(key, None, attribution).await
    }

    async fn by_key(
        &self,
        key: KeyRecord,
        session: Option<KeyHash>,
        attribution: &Attribution,
    ) -> Result<Visitor, Problem> {
        let account = self.operations.accounts.get(key.account).await?;
        Ok(Visitor {
            account_name: account.name.clone(),
            name: attribution.person.as_ref().unwrap_or(&key.name).clone(),
            key,
            session,
        })
    }

    /// Returns the signed-in visitor, unless the session or its key has expired.
    pub(in crate::http) async fn visitor(
        &self,
        headers: &HeaderMap,
        attribution: &Attribution,
    ) -> Result<Option<Visitor>, Problem> {
        let Some(session) = session(headers, attribution) else {
            return Ok(None);
        };
        let (database, now) = (&self.operations.database, Timestamp::now());
        let Some((key, times)) = database.session(session.hash()).await? else {
            return Ok(None);
        };
        if times.are_over(now) || !key.is_valid(now) {
            return Ok(None);
        }
        attribution.presented(key.prefix.clone());
        self.let_in(&key, Some(Scope::Read), attribution).await?;
        if times.are_stale(now) {
            database.use_session(session.hash(), now).await?;
        }
        let session = Some(session.hash());
        self.by_key(key, session, attribution).await.map(Some)
    }
}

pub(super) fn no_random_numbers(error: getrandom::Error) -> Problem {
    tracing::error!(%error, "no random numbers are available");
    Problem::logged()
}

/// Returns the session that a browser presents.
fn session(headers: &HeaderMap, attribution: &Attribution) -> Option<SecretToken> {
    let name = cookie_name(headers, attribution);
    let texts = headers.get_all(header::COOKIE).iter();
    let mut cookies = texts
        .filter_map(|text| text.to_str().ok())
        .flat_map(|text| text.split(';'));
    cookies.find_map(|cookie| {
        let (known, value) = cookie.trim().split_once('=')?;
        (known == name).then(|| SecretToken::parse(value))?
    })
}

fn cookie(value: &str, seconds: u64, headers: &HeaderMap, attribution: &Attribution) -> String {
    let name = cookie_name(headers, attribution);
    let secure = if name == COOKIE { "; Secure" } else { "" };
    format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
}

fn cookie_name(headers: &HeaderMap, attribution: &Attribution) -> &'static str {
    match is_local(headers, attribution) {
        true => LOCAL_COOKIE,
        false => COOKIE,
    }
}

/// Returns the address of this server as the client sees it.
pub(crate) fn origin(headers: &HeaderMap, attribution: &Attribution) -> String {
    let scheme = match is_local(headers, attribution) {
        true => "http",
        false => "https",
    };
    format!("{scheme}://{}", host(headers))
}

fn host(headers: &HeaderMap) -> &str {
    let host = headers.get(header::HOST);
    host.and_then(|host| host.to_str().ok()).unwrap_or_default()
}

/// Returns true if a client on this machine uses one of its own names, and so needs no TLS.
fn is_local(headers: &HeaderMap, attribution: &Attribution) -> bool {
    let from_here = attribution
        .address
        .is_some_and(|from| from.to_canonical().is_loopback());
    let host = host(headers);
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    from_here && ["127.0.0.1", "localhost", "[::1]"].contains(&name)
}

fn with_cookie(mut response: Response, cookie: &str) -> Response {
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}
