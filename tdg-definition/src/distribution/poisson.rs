//! The Poisson distribution.

use std::sync::Arc;

use super::discrete::Discrete;
use super::{CatalogueEntry, Distribution, INTEGER, Sampler, Work};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;

pub(super) const ENTRY: CatalogueEntry = CatalogueEntry::new("poisson", &["rate"], INTEGER, read);

/// Counts with mean `rate`: `P(k) = rateᵏ e⁻ʳᵃᵗᵉ / k!`, by inversion over a table.
#[derive(Debug)]
struct Poisson {
    rate: f64,
}

/// Keeps the table below 10⁵ entries.
const LARGEST_RATE: f64 = 1e7;

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let rate = fields.positive("rate")?;
    if rate <= LARGEST_RATE {
        return Some(Arc::new(Poisson { rate }));
    }
    let message =
        format!("must be at most {LARGEST_RATE}, but is {rate}; use a FLOAT gaussian instead");
    fields.fault("rate", message);
    None
}

impl Poisson {
    fn table(&self) -> Discrete {
        Discrete::around(self.rate as i64, |k| self.rate / k as f64)
    }
}

impl Distribution for Poisson {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        vec![("rate", Value::from(self.rate))]
    }

    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        (Some(Value::from(0)), None)
    }

    fn work(&self) -> Work {
        Work::table(Discrete::entries(self.rate))
    }

    fn sampler(&self) -> Sampler<'_> {
        Discrete::sampler(|| self.table())
    }
}
