//! The logistic distribution.

use super::location_scale;
use crate::math::ln;
use crate::scalar::{CatalogueEntry, FLOAT};

pub(crate) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("logistic", &["mu", "sigma"], FLOAT, |fields, _| {
        location_scale::read(fields, ENTRY.name, LARGEST, quantile)
    });

/// `ln (u / (1 - u))` stays below 37.
const LARGEST: f64 = 37.0;

/// Mean `mu`, standard deviation `π × sigma / √3`. The value is the quantile
/// `mu + sigma × ln (u / (1 - u))` (Johnson, Kotz and Balakrishnan, *Continuous Univariate
/// Distributions* 2, 1995, chapter 23).
fn quantile(u: f64) -> f64 {
    ln(u / (1.0 - u))
}
