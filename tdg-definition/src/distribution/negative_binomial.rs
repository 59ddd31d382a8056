//! The negative binomial distribution.

use std::sync::Arc;

use super::discrete::Discrete;
use super::{CatalogueEntry, Distribution, INTEGER, Sampler, Work};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;

pub(super) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("negative_binomial", &["n", "p"], INTEGER, read);

/// The number of failures before the `n`-th success, from 0, where each trial succeeds with
/// probability `p`: `P(k) = Γ(n + k) / (k! Γ(n)) × pⁿ (1-p)ᵏ`, by inversion over a table of the
/// possible counts. `n` need not be an integer: it's a Poisson distribution whose rate is gamma
/// with shape `n` and rate `p / (1 - p)`.
#[derive(Debug)]
struct NegativeBinomial {
    n: f64,
    p: f64,
}

/// The largest table.
const LARGEST: f64 = 1e6;

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let (n, p) = (fields.positive("n"), fields.positive_probability("p"));
    let negative_binomial = NegativeBinomial { n: n?, p: p? };
    let entries = negative_binomial.entries();
    if entries <= LARGEST {
        return Some(Arc::new(negative_binomial));
    }
    fields.fault_here(format!(
        "about {entries:.0e} different values would be likely, which is more than {LARGEST}; use a FLOAT \
         gamma with shape = n and rate = p / (1 - p) instead"
    ));
    None
}

impl NegativeBinomial {
    /// An upper bound for the table's size: 10 standard deviations to either side, and the slow
    /// upper tail.
    fn entries(&self) -> f64 {
        (20.0 * (self.n * (1.0 - self.p)).sqrt() + 50.0) / self.p
    }

    fn table(&self) -> Discrete {
        let (n, failure) = (self.n, 1.0 - self.p);
        // Negative for n < 1; the cast makes that 0.
        let mode = ((n - 1.0) * failure / self.p) as i64;
        let mode = if mode > 0 { mode } else { 0 };
        Discrete::around(mode, |k| (k as f64 + n - 1.0) / k as f64 * failure)
    }
}

impl Distribution for NegativeBinomial {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        vec![("n", Value::from(self.n)), ("p", Value::from(self.p))]
    }

    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        (Some(Value::from(0)), None)
    }

    fn work(&self) -> Work {
        Work::table(self.entries())
    }

    fn sampler(&self) -> Sampler<'_> {
        Discrete::sampler(|| self.table())
    }
}
