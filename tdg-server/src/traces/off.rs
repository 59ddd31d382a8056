//! A server without traces.

use anyhow::{Result, anyhow};
use axum::http::HeaderMap;

use super::Answered;

pub(crate) struct Traces;

pub(crate) struct Span;

impl Traces {
    /// # Errors
    ///
    /// If a collector is configured.
    pub(crate) fn start(collector: Option<&str>) -> Result<Traces> {
        match collector {
            None => Ok(Traces),
            Some(_) => Err(anyhow!(
                "this tdg-server can't send traces: remove `otlp` from its settings, or \
                            build it with `--features otel`"
            )),
        }
    }

    pub(crate) fn begin(&self, _endpoint: &str, _headers: &HeaderMap) -> Span {
        Span
    }

    pub(crate) fn end(&self) {}
}

impl Span {
    pub(crate) fn end(self, _answered: &Answered<'_>) {}
}
