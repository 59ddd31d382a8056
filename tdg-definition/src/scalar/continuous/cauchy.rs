//! The Cauchy distribution.

use super::location_scale;
use crate::math::tan_pi;
use crate::scalar::{CatalogueEntry, FLOAT};

pub(crate) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("cauchy", &["mu", "sigma"], FLOAT, |fields, _| {
        location_scale::read(fields, ENTRY.name, LARGEST, quantile)
    });

/// `tan π(u - ½)` for the `u` next to 1 is 2⁵³ / π.
const LARGEST: f64 = 3e15;

/// Median `mu`, with half of all values within `sigma` of it and no mean. The value is the quantile
/// `mu + sigma × tan π(u - ½)` (Johnson, Kotz and Balakrishnan, *Continuous Univariate
/// Distributions* 1, 1994, chapter 16).
fn quantile(u: f64) -> f64 {
    tan_pi(u - 0.5)
}
