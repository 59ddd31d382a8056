//! The Cauchy distribution.

use super::{CatalogueEntry, FLOAT, standard};
use crate::math::tan_pi;

pub(super) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("cauchy", &["mu", "sigma"], FLOAT, |fields, _| {
        standard::read(fields, ENTRY.name, LARGEST, quantile)
    });

/// `tan π(u - ½)` for the `u` next to 1 is 2⁵³ / π.
const LARGEST: f64 = 3e15;

/// Median `mu`, with half of all values within `sigma` of it and no mean. The value is the quantile
/// `mu + sigma × tan π(u - ½)` (Johnson, Kotz and Balakrishnan, *Continuous Univariate
/// Distributions* 1, 1994, chapter 16).
fn quantile(u: f64) -> f64 {
    tan_pi(u - 0.5)
}
