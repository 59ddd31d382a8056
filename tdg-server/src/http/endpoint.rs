//! Endpoints, from which both the router and the OpenAPI document are built.

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
use tdg_service::ObjectKind;
use tokio::time::timeout;

use super::attribution::Attribution;
use super::call::Call;
use super::problem::Problem;
use super::{App, observe, response};
use crate::endpoint_spec::{EndpointSpec, ResponseSpec};
use crate::keys::Scope;

/// The timeout for handling a request that has fully arrived.
const HANDLING_TIMEOUT: Duration = Duration::from_secs(120);

/// An endpoint of the interface.
pub(crate) struct Endpoint {
    pub(crate) spec: EndpointSpec,
    handler: Handler,
}

type Handler = Box<dyn Fn(Call) -> BoxFuture<'static, Result<Response, Problem>> + Send + Sync>;

impl Endpoint {
    /// Creates an endpoint that reads.
    pub(super) fn get<F>(
        path: &'static str,
        summary: &'static str,
        response: ResponseSpec,
        handler: impl Fn(Call) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<Response, Problem>> + Send + 'static,
    {
        let spec = EndpointSpec {
            method: Method::GET,
            path,
            summary,
            scope: Some(Scope::Read),
            request: None,
            response,
        };
        Endpoint {
            spec,
            handler: Box::new(move |call| Box::pin(handler(call))),
        }
    }

    /// Creates an endpoint that creates an object from a body.
    pub(super) fn post<F>(
        path: &'static str,
        summary: &'static str,
        (request, answer): (&'static str, &'static str),
        handler: impl Fn(Call) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<Response, Problem>> + Send + 'static,
    {
        let mut endpoint = Endpoint::get(path, summary, ResponseSpec::Object(answer), handler);
        endpoint.spec.method = Method::POST;
        endpoint.spec.request = Some(request);
        endpoint.needs(Scope::Write)
    }

    /// Creates an endpoint that deletes an object.
    pub(super) fn delete(path: &'static str, summary: &'static str, kind: ObjectKind) -> Self {
        let delete = move |call: Call| async move {
            let (id, by) = (call.id(), call.sender());
            call.database().delete(call.account, (kind, id), by).await?;
            Ok(response::deleted(kind, id))
        };
        let answer = ResponseSpec::Object("Deleted");
        let mut endpoint = Endpoint::get(path, summary, answer, delete);
        endpoint.spec.method = Method::DELETE;
        endpoint.needs(Scope::Delete)
    }

    pub(super) fn needs(mut self, scope: Scope) -> Self {
        self.spec.scope = Some(scope);
        self
    }

    /// Admits keys with any scope. The handler checks the scopes that the request needs.
    pub(super) fn for_every_key(mut self) -> Self {
        self.spec.scope = None;
        self
    }

    /// Returns its name in logs and metrics.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.spec.method, self.spec.path)
    }

    pub(super) fn add_to(self, router: Router<Arc<App>>) -> Router<Arc<App>> {
        let filter = match self.spec.method {
            Method::POST => MethodFilter::POST,
            Method::DELETE => MethodFilter::DELETE,
            _ => MethodFilter::GET,
        };
        let path = self.spec.path;
        let name: Arc<str> = self.name().into();
        let endpoint = Arc::new(self);
        let serve = move |State(app): State<Arc<App>>, params: PathParams, request: Request| {
            let (endpoint, name) = (endpoint.clone(), name.clone());
            async move {
                let handle = |request, attribution| {
                    endpoint.handle(app.clone(), params, request, attribution)
                };
                observe::observed(&app, &name, request, handle).await
            }
        };
        router.route(path, on(filter, serve))
    }

    async fn handle(
        self: Arc<Self>,
        app: Arc<App>,
        params: PathParams,
        request: Request,
        attribution: Arc<Attribution>,
    ) -> Result<Response, Problem> {
        let params =
            params.map_err(|_| Problem::new(StatusCode::NOT_FOUND, "the path is not UTF-8"))?;
        let call = Call::receive(&self.spec, app.clone(), &params, request, &attribution).await?;
        let account = call.account;
        // Held until the response's memory is counted.
        let _listing = match self.spec.has_cursor() {
            true => Some(app.listing(account).await?),
            false => None,
        };
        let handled = timeout(HANDLING_TIMEOUT, (self.handler)(call)).await;
        let response = handled.unwrap_or_else(|_| {
            let detail = "the request took too long; try again";
            let wait = Duration::from_secs(5);
            Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail).retry_after(wait))
        })?;
        // A client must learn the changes that its request has made.
        let may_be_refused = self.spec.method == Method::GET;
        response::held(response, &app.memory, account, may_be_refused).await
    }
}

type PathParams = Result<RawPathParams, RawPathParamsRejection>;
