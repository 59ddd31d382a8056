//! Spans, sent to a collector in OTLP over HTTP.

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use async_trait::async_trait;
use axum::http::HeaderMap;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::{Span as _, SpanKind, Status, Tracer, TracerProvider};
use opentelemetry::{Context, KeyValue};
use opentelemetry_http::{Bytes, HeaderExtractor, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider, Span as SdkSpan};
use ureq::Agent;

use super::Answered;

/// The timeout for a collector to accept spans.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The maximum size of a collector's answer in bytes.
const ANSWER: u64 = 64 << 10;

/// Sends spans from a separate thread, or creates none.
pub(crate) struct Traces(Option<Collector>);

struct Collector {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

pub(crate) struct Span(Option<SdkSpan>);

impl Traces {
    /// # Errors
    ///
    /// If the URL of the collector is invalid.
    pub(crate) fn start(collector: Option<&str>) -> Result<Traces> {
        let Some(url) = collector else {
            return Ok(Traces(None));
        };
        let expected = "`otlp` is the URL of a collector such as `http://localhost:4318`";
        if !url.starts_with("http://") && !url.starts_with("https://") {
            bail!("{expected}: `{url}` isn't");
        }
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Sender::new())
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(format!("{}/v1/traces", url.trim_end_matches('/')))
            .with_timeout(TIMEOUT)
            .build()
            .context(expected)?;
        let resource = Resource::builder()
            .with_service_name("tdg-server")
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource)
            .build();
        let tracer = provider.tracer("tdg-server");
        Ok(Traces(Some(Collector { provider, tracer })))
    }

    /// Begins a span, in the trace of the client's `traceparent` if there is one.
    pub(crate) fn begin(&self, endpoint: &str, headers: &HeaderMap) -> Span {
        let Some(Collector { tracer, .. }) = &self.0 else {
            return Span(None);
        };
        let fields = HeaderExtractor(headers);
        let parent = TraceContextPropagator::new().extract_with_context(&Context::new(), &fields);
        let (method, route) = endpoint.split_once(' ').unwrap_or(("", endpoint));
        let attributes = [
            KeyValue::new("http.request.method", method.to_owned()),
            KeyValue::new("http.route", route.to_owned()),
        ];
        let span = tracer
            .span_builder(endpoint.to_owned())
            .with_kind(SpanKind::Server)
            .with_attributes(attributes);
        Span(Some(tracer.build_with_context(span, &parent)))
    }

    /// Sends the remaining spans.
    pub(crate) fn end(&self) {
        if let Some(Collector { provider, .. }) = &self.0
            && let Err(error) = provider.shutdown_with_timeout(TIMEOUT)
        {
            tracing::warn!(%error, "the last traces could not be sent");
        }
    }
}

impl Span {
    pub(crate) fn end(self, answered: &Answered<'_>) {
        let Some(mut span) = self.0 else { return };
        let status = i64::from(answered.status);
        span.set_attribute(KeyValue::new("http.response.status_code", status));
        let texts = [
            ("tdg.request", Some(answered.request.to_owned())),
            ("tdg.account", answered.account.map(str::to_owned)),
            (
                "client.address",
                answered.address.map(|address| address.to_string()),
            ),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                span.set_attribute(KeyValue::new(name, text));
            }
        }
        if answered.status >= 500 {
            span.set_status(Status::error(""));
        }
        span.end();
    }
}

/// Sends requests and waits for their answers, on the thread that sends spans.
#[derive(Debug)]
struct Sender(Agent);

impl Sender {
    fn new() -> Self {
        let config = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            .max_redirects(0);
        Sender(config.build().into())
    }
}

#[async_trait]
impl HttpClient for Sender {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (parts, body) = request.into_parts();
        let sent = self.0.run(Request::from_parts(parts, body.to_vec()))?;
        let (parts, mut body) = sent.into_parts();
        let answer = body.with_config().limit(ANSWER).read_to_vec()?;
        Ok(Response::from_parts(parts, answer.into()))
    }
}
