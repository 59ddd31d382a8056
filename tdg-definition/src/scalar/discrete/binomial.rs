//! The binomial distribution.

use std::sync::Arc;

use super::table::Discrete;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::scalar::by_inversion::ByInversion;
use crate::scalar::{CatalogueEntry, Distribution, INTEGER, Work};

pub(crate) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("binomial", &["n", "p"], INTEGER, read);

/// Keeps the table below 10⁵ entries.
const LARGEST_VARIANCE: f64 = 1e7;
/// The limit up to which an integer and its successor are exact as floats.
const LARGEST_N: i64 = (1 << 53) - 1;

/// The number of successes in `n` trials, each with probability `p`: `P(k) = n! / (k! (n-k)!) × pᵏ
/// (1-p)ⁿ⁻ᵏ`, by inversion over a table of the possible counts.
fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let (n, p) = (fields.integer("n"), fields.probability("p"));
    let (n, p) = (n?, p?);
    if !(0..=LARGEST_N).contains(&n) {
        let message = format!("must be between 0 and {LARGEST_N}, but is {n}");
        fields.fault("n", message);
        return None;
    }
    let variance = n as f64 * p * (1.0 - p);
    if variance > LARGEST_VARIANCE {
        fields.fault_here(format!(
            "the variance n × p × (1 - p) must be at most {LARGEST_VARIANCE}; use a FLOAT gaussian instead"
        ));
        return None;
    }
    let sampler = move || Discrete::sampler(move || table(n, p));
    let binomial = ByInversion::new(ENTRY.name, [("n", n.into()), ("p", p.into())], sampler);
    let work = Work::table(Discrete::entries(variance));
    Some(binomial.within(0, Some(n.into())).with_work(work).shared())
}

fn table(largest: i64, p: f64) -> Discrete {
    let n = largest as f64;
    // For p = 1, (n + 1) × p exceeds n, and the ratio is infinite: only n can occur.
    let mode = ((n + 1.0) * p) as i64;
    Discrete::around(mode.min(largest), |k| {
        let k = k as f64;
        if k > n {
            0.0
        } else {
            (n - k + 1.0) * p / (k * (1.0 - p))
        }
    })
}
