//! Distributions that shift and scale a standard distribution.

use std::sync::Arc;

use crate::fields::Fields;
use crate::json::Value;
use crate::scalar::Distribution;
use crate::scalar::by_inversion::by_quantile;

/// Values are `mu + sigma × z`, with `z` from the standard distribution.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocationScale {
    mu: f64,
    sigma: f64,
}

impl LocationScale {
    /// Reads `mu` and `sigma` for standard values up to ±`largest`.
    pub(super) fn read(fields: &mut Fields<'_>, largest: f64) -> Option<Self> {
        let (mu, sigma) = (fields.number("mu"), fields.positive("sigma"));
        Self::within_floats(fields, mu?, sigma?, largest)
    }

    /// Like [`read`](Self::read), with the defaults 0 and 1.
    pub(super) fn read_optional(fields: &mut Fields<'_>, largest: f64) -> Option<Self> {
        let mu = fields.optional_number("mu");
        let sigma = if fields.has("sigma") {
            fields.positive("sigma")
        } else {
            fields.ignore(&["sigma"]);
            Some(1.0)
        };
        Self::within_floats(fields, mu.ok()?.unwrap_or(0.0), sigma?, largest)
    }

    fn within_floats(fields: &mut Fields<'_>, mu: f64, sigma: f64, largest: f64) -> Option<Self> {
        if (mu.abs() + largest * sigma).is_finite() {
            return Some(Self { mu, sigma });
        }
        fields.fault("sigma", "is so large that values could be infinite");
        None
    }

    pub(super) fn sigma(self) -> f64 {
        self.sigma
    }

    /// Converts a standard value to a value.
    pub(super) fn value(self, z: f64) -> f64 {
        self.mu + self.sigma * z
    }

    /// Converts a value to a standard value.
    pub(super) fn standard(self, value: f64) -> f64 {
        (value - self.mu) / self.sigma
    }

    /// Returns the canonical form.
    pub(super) fn parameters(self) -> [(&'static str, Value); 2] {
        [("mu", self.mu.into()), ("sigma", self.sigma.into())]
    }
}

/// Reads `mu` and `sigma` of a distribution whose standard quantiles are up to ±`largest`.
pub(super) fn read(
    fields: &mut Fields<'_>,
    name: &'static str,
    largest: f64,
    quantile: impl Fn(f64) -> f64 + Copy + Send + Sync + 'static,
) -> Option<Arc<dyn Distribution>> {
    let place = LocationScale::read(fields, largest)?;
    let quantile = move |u| place.value(quantile(u));
    Some(by_quantile(name, place.parameters(), quantile).shared())
}
