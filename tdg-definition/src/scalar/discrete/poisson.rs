//! The Poisson distribution.

use std::sync::Arc;

use super::table::Discrete;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::scalar::by_inversion::ByInversion;
use crate::scalar::{CatalogueEntry, Distribution, INTEGER, Work};

pub(crate) const ENTRY: CatalogueEntry = CatalogueEntry::new("poisson", &["rate"], INTEGER, read);

/// Keeps the table below 10⁵ entries.
const LARGEST_RATE: f64 = 1e7;

/// Counts with mean `rate`: `P(k) = rateᵏ e⁻ʳᵃᵗᵉ / k!`, by inversion over a table.
fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let rate = fields.positive("rate")?;
    if rate > LARGEST_RATE {
        let message =
            format!("must be at most {LARGEST_RATE}, but is {rate}; use a FLOAT gaussian instead");
        fields.fault("rate", message);
        return None;
    }
    let table = move || Discrete::around(rate as i64, |k| rate / k as f64);
    let sampler = move || Discrete::sampler(table);
    let poisson = ByInversion::new(ENTRY.name, [("rate", rate.into())], sampler);
    let work = Work::table(Discrete::entries(rate));
    Some(poisson.within(0, None).with_work(work).shared())
}
