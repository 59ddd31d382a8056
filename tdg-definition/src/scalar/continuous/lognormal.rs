//! The lognormal distribution.

use std::sync::Arc;

use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::math::{exp, normal};
use crate::scalar::batches::draw_with;
use crate::scalar::by_inversion::ByInversion;
use crate::scalar::{CatalogueEntry, Distribution, FLOAT, Sampler};

pub(crate) const ENTRY: CatalogueEntry =
    <CatalogueEntry>::new("lognormal", &["mu", "sigma"], FLOAT, read).with_aliases(&["log_normal"]);

/// `exp(mu + sigma × z)` with a standard normal `z`: `mu` and `sigma` describe the logarithm.
fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let (mu, sigma) = (fields.number("mu"), fields.positive("sigma"));
    let (mu, sigma) = (mu?, sigma?);
    // |z| stays below 8.3, and exp overflows at 709.78.
    if mu + 9.0 * sigma >= 709.0 {
        fields.fault_here(format!(
            "`mu` and `sigma` describe the logarithm: exp({mu} + 9 × {sigma}) would be infinite; \
             keep mu + 9 × sigma below 709"
        ));
        return None;
    }
    let fill = move |words: &[u64], values: &mut [f64]| {
        normal::fill(words, values);
        for value in values {
            *value = exp(mu + sigma * *value);
        }
    };
    let sampler = move || Sampler::rising(move |words| Cells::Float(draw_with(words, fill)));
    let parameters = [("mu", mu.into()), ("sigma", sigma.into())];
    Some(
        ByInversion::new(ENTRY.name, parameters, sampler)
            .within(0, None)
            .shared(),
    )
}
