//! The Laplace (double exponential) distribution.

use super::location_scale;
use crate::math::ln;
use crate::scalar::{CatalogueEntry, FLOAT};

pub(crate) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("laplace", &["mu", "sigma"], FLOAT, |fields, _| {
        location_scale::read(fields, ENTRY.name, LARGEST, quantile)
    });

/// `-ln 2(1 - u)` stays below 37.
const LARGEST: f64 = 37.0;

/// Mean `mu`; distances from it are exponential with mean `sigma`, so the standard deviation is `√2
/// × sigma`. The value is the quantile `mu + sigma × z`, with `z = ln 2u` up to `u = ½` and `-ln
/// 2(1 - u)` above (Johnson, Kotz and Balakrishnan, *Continuous Univariate Distributions* 2, 1995,
/// chapter 24).
fn quantile(u: f64) -> f64 {
    if u <= 0.5 {
        ln(2.0 * u)
    } else {
        -ln(2.0 * (1.0 - u))
    }
}
