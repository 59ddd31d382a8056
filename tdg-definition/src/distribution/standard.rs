//! Distributions that shift and scale a standard distribution.

use std::fmt;
use std::sync::Arc;

use super::chunks::draw_quantiles;
use super::location_scale::LocationScale;
use super::{Distribution, Sampler};
use crate::fields::Fields;
use crate::json::Value;

/// By inversion: `mu + sigma × z`, where `z` is the standard quantile.
struct Standard<Q> {
    name: &'static str,
    place: LocationScale,
    quantile: Q,
}

/// Reads `mu` and `sigma` of a distribution whose standard quantiles are up to ±`largest`.
pub(super) fn read(
    fields: &mut Fields<'_>,
    name: &'static str,
    largest: f64,
    quantile: impl Fn(f64) -> f64 + Send + Sync + 'static,
) -> Option<Arc<dyn Distribution>> {
    let place = LocationScale::read(fields, largest)?;
    Some(Arc::new(Standard {
        name,
        place,
        quantile,
    }))
}

impl<Q: Fn(f64) -> f64 + Send + Sync> Distribution for Standard<Q> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        self.place.parameters()
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rising(|words| draw_quantiles(words, |u| self.place.value((self.quantile)(u))))
    }
}

impl<Q> fmt::Debug for Standard<Q> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {:?}", self.name, self.place)
    }
}
