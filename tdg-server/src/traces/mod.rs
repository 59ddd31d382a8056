//! Traces by OpenTelemetry: a span for each request. The feature `otel` compiles them in.

#[cfg(not(feature = "otel"))]
mod off;
#[cfg(feature = "otel")]
mod otlp;

#[cfg(not(feature = "otel"))]
pub(crate) use self::off::{Span, Traces};
#[cfg(feature = "otel")]
pub(crate) use self::otlp::{Span, Traces};

/// The data that a span gets about its request, once that is answered.
#[cfg_attr(
    not(feature = "otel"),
    expect(dead_code, reason = "only a span reads it")
)]
pub(crate) struct Answered<'a> {
    pub(crate) status: u16,
    pub(crate) request: &'a str,
    pub(crate) address: Option<std::net::IpAddr>,
    pub(crate) account: Option<&'a str>,
}
