//! The negative binomial distribution.

use std::sync::Arc;

use super::table::Discrete;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::scalar::by_inversion::ByInversion;
use crate::scalar::{CatalogueEntry, Distribution, INTEGER, Work};

pub(crate) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("negative_binomial", &["n", "p"], INTEGER, read);

/// The largest table.
const LARGEST: f64 = 1e6;

/// The number of failures before the `n`-th success, from 0, where each trial succeeds with
/// probability `p`: `P(k) = Γ(n + k) / (k! Γ(n)) × pⁿ (1-p)ᵏ`, by inversion over a table of the
/// possible counts. `n` need not be an integer: it's a Poisson distribution whose rate is gamma
/// with shape `n` and rate `p / (1 - p)`.
fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let (n, p) = (fields.positive("n"), fields.positive_probability("p"));
    let (n, p) = (n?, p?);
    // 10 standard deviations to either side, and the slow upper tail.
    let entries = (20.0 * (n * (1.0 - p)).sqrt() + 50.0) / p;
    if entries > LARGEST {
        fields.fault_here(format!(
            "about {entries:.0e} different values would be likely, which is more than {LARGEST}; use a FLOAT \
             gamma with shape = n and rate = p / (1 - p) instead"
        ));
        return None;
    }
    let sampler = move || Discrete::sampler(move || table(n, p));
    let negative_binomial =
        ByInversion::new(ENTRY.name, [("n", n.into()), ("p", p.into())], sampler);
    let work = Work::table(entries);
    Some(negative_binomial.within(0, None).with_work(work).shared())
}

fn table(n: f64, p: f64) -> Discrete {
    let failure = 1.0 - p;
    // Negative for n < 1; the cast makes that 0.
    let mode = ((n - 1.0) * failure / p) as i64;
    let mode = if mode > 0 { mode } else { 0 };
    Discrete::around(mode, |k| (k as f64 + n - 1.0) / k as f64 * failure)
}
