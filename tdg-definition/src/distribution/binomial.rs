//! The binomial distribution.

use std::sync::Arc;

use super::discrete::Discrete;
use super::{CatalogueEntry, Distribution, INTEGER, Sampler, Work};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;

pub(super) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("binomial", &["n", "p"], INTEGER, read);

/// The number of successes in `n` trials, each with probability `p`: `P(k) = n! / (k! (n-k)!) × pᵏ
/// (1-p)ⁿ⁻ᵏ`, by inversion over a table of the possible counts.
#[derive(Debug)]
struct Binomial {
    n: i64,
    p: f64,
}

/// Keeps the table below 10⁵ entries.
const LARGEST_VARIANCE: f64 = 1e7;
/// The limit up to which an integer and its successor are exact as floats.
const LARGEST_N: i64 = (1 << 53) - 1;

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let (n, p) = (fields.integer("n"), fields.probability("p"));
    let (n, p) = (n?, p?);
    if !(0..=LARGEST_N).contains(&n) {
        let message = format!("must be between 0 and {LARGEST_N}, but is {n}");
        fields.fault("n", message);
        return None;
    }
    if n as f64 * p * (1.0 - p) <= LARGEST_VARIANCE {
        return Some(Arc::new(Binomial { n, p }));
    }
    fields.fault_here(format!(
        "the variance n × p × (1 - p) must be at most {LARGEST_VARIANCE}; use a FLOAT gaussian instead"
    ));
    None
}

impl Binomial {
    fn table(&self) -> Discrete {
        let (n, p) = (self.n as f64, self.p);
        // For p = 1, (n + 1) × p exceeds n, and the ratio is infinite: only n can occur.
        let mode = ((n + 1.0) * p) as i64;
        Discrete::around(mode.min(self.n), |k| {
            let k = k as f64;
            if k > n {
                0.0
            } else {
                (n - k + 1.0) * p / (k * (1.0 - p))
            }
        })
    }
}

impl Distribution for Binomial {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        vec![("n", Value::from(self.n)), ("p", Value::from(self.p))]
    }

    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        (Some(Value::from(0)), Some(Value::from(self.n)))
    }

    fn work(&self) -> Work {
        Work::table(Discrete::entries(self.n as f64 * self.p * (1.0 - self.p)))
    }

    fn sampler(&self) -> Sampler<'_> {
        Discrete::sampler(|| self.table())
    }
}
