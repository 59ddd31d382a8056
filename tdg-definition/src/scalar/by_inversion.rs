//! Distributions that are drawn by inversion alone.

use std::sync::Arc;

use super::batches::draw_quantiles;
use super::{Canonical, Distribution, Sampler, Work, stated_bounds};
use crate::json::Value;

/// A distribution whose values come from one word each.
pub(super) struct ByInversion<S> {
    name: &'static str,
    parameters: Vec<(&'static str, Value)>,
    bounds: (Option<Value>, Option<Value>),
    work: Work,
    sampler: S,
}

impl<S: Fn() -> Sampler<'static> + Send + Sync + 'static> ByInversion<S> {
    /// Its bounds are the parameters `min` and `max`, if they exist.
    pub(super) fn new<const N: usize>(
        name: &'static str,
        parameters: [(&'static str, Value); N],
        sampler: S,
    ) -> Self {
        Self {
            name,
            bounds: stated_bounds(parameters.to_vec()),
            parameters: parameters.to_vec(),
            work: Work::each(80),
            sampler,
        }
    }

    pub(super) fn within(self, min: impl Into<Value>, max: Option<Value>) -> Self {
        let bounds = (Some(min.into()), max);
        Self { bounds, ..self }
    }

    pub(super) fn with_work(self, work: Work) -> Self {
        Self { work, ..self }
    }

    pub(super) fn shared(self) -> Arc<dyn Distribution> {
        Arc::new(self)
    }
}

/// A distribution of floats by their quantile function.
pub(super) fn by_quantile<const N: usize>(
    name: &'static str,
    parameters: [(&'static str, Value); N],
    quantile: impl Fn(f64) -> f64 + Copy + Send + Sync + 'static,
) -> ByInversion<impl Fn() -> Sampler<'static> + Send + Sync> {
    let sampler = move || Sampler::rising(move |words| draw_quantiles(words, quantile));
    ByInversion::new(name, parameters, sampler)
}

impl<S: Fn() -> Sampler<'static> + Send + Sync> Distribution for ByInversion<S> {
    fn canonical(&self) -> Canonical {
        (self.name, self.parameters.clone())
    }

    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        self.bounds.clone()
    }

    fn work(&self) -> Work {
        self.work
    }

    fn sampler(&self) -> Sampler<'_> {
        (self.sampler)()
    }
}
