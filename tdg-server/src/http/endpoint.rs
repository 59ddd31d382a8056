//! What can be asked for. The router and the OpenAPI document are both made from these values.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::{Method, StatusCode};
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::future::BoxFuture;
use tokio::time::timeout;

use super::call::Call;
use super::problem::Problem;
use super::{App, observe};
use crate::keys::Scope;

/// What nothing takes, once a request has arrived: drawing and comparing are bounded.
const TIME: Duration = Duration::from_secs(120);

/// One operation of the interface.
pub(crate) struct Endpoint {
    pub(crate) method: Method,
    /// `/v1/project/{project_uuid}`.
    pub(crate) path: &'static str,
    pub(crate) summary: &'static str,
    /// What the key has to allow.
    pub(crate) scope: Scope,
    /// The schema of what is sent, if anything is.
    pub(crate) request: Option<&'static str>,
    pub(crate) answer: Answer,
    handler: Handler,
}

/// What is answered when all is well, by the names of schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Object(&'static str),
    /// A part of a list.
    List(&'static str),
    /// What never changes, with a tag.
    Immutable(&'static str),
    Empty,
}

type Handler = Box<dyn Fn(Call) -> BoxFuture<'static, Result<Response, Problem>> + Send + Sync>;

impl Endpoint {
    /// Something to look at.
    pub(super) fn get<F>(
        path: &'static str,
        summary: &'static str,
        answer: Answer,
        handler: impl Fn(Call) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<Response, Problem>> + Send + 'static,
    {
        Endpoint {
            method: Method::GET,
            path,
            summary,
            scope: Scope::Read,
            request: None,
            answer,
            handler: Box::new(move |call| Box::pin(handler(call))),
        }
    }

    /// Something to make, from what is sent.
    pub(super) fn post<F>(
        path: &'static str,
        summary: &'static str,
        (request, answer): (&'static str, &'static str),
        handler: impl Fn(Call) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<Response, Problem>> + Send + 'static,
    {
        Endpoint {
            method: Method::POST,
            scope: Scope::Write,
            request: Some(request),
            ..Endpoint::get(path, summary, Answer::Object(answer), handler)
        }
    }

    /// Something to delete.
    pub(super) fn delete<F>(
        path: &'static str,
        summary: &'static str,
        handler: impl Fn(Call) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<Response, Problem>> + Send + 'static,
    {
        Endpoint {
            method: Method::DELETE,
            scope: Scope::Write,
            ..Endpoint::get(path, summary, Answer::Empty, handler)
        }
    }

    pub(super) fn needs(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// What logs and metrics call it.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    pub(crate) fn is_list(&self) -> bool {
        matches!(self.answer, Answer::List(_))
    }

    pub(super) fn add_to(self, router: Router<Arc<App>>) -> Router<Arc<App>> {
        let filter = match self.method {
            Method::POST => MethodFilter::POST,
            Method::DELETE => MethodFilter::DELETE,
            _ => MethodFilter::GET,
        };
        let path = self.path;
        let name: Arc<str> = self.name().into();
        let endpoint = Arc::new(self);
        let serve = move |State(app): State<Arc<App>>, params: Params, request: Request| {
            let (endpoint, name) = (endpoint.clone(), name.clone());
            async move {
                let answer = endpoint.answer(app.clone(), params, request);
                observe::observed(&app, &name, answer).await
            }
        };
        router.route(path, on(filter, serve))
    }

    async fn answer(
        self: Arc<Self>,
        app: Arc<App>,
        params: Params,
        request: Request,
    ) -> Result<Response, Problem> {
        let params =
            params.map_err(|_| Problem::new(StatusCode::NOT_FOUND, "the path is not UTF-8"))?;
        let call = Call::receive(&self, app, &params, request).await?;
        let answer = timeout(TIME, (self.handler)(call)).await;
        answer.unwrap_or_else(|_| {
            let detail = "this takes too long; try again";
            let wait = Duration::from_secs(5);
            Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail).retry_after(wait))
        })
    }
}

type Params = Result<RawPathParams, RawPathParamsRejection>;
