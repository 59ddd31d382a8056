//! The exponential distribution.

use std::sync::Arc;

use super::rate_or_scale::RateOrScale;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::math::ln;
use crate::scalar::by_inversion::by_quantile;
use crate::scalar::{CatalogueEntry, Distribution, FLOAT};

pub(crate) const ENTRY: CatalogueEntry = CatalogueEntry::new("exponential", &["rate"], FLOAT, read);

/// Mean `scale`, or `1 / rate`. The value is the quantile `-ln(1 - u)`, times `scale` or divided by
/// `rate`.
fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let missing = "`rate` (1 / mean) or `scale` (the mean) is missing; give one of them";
    let mean = RateOrScale::read(fields, missing)?;
    // -ln(1 - u) stays below 37.
    if !mean.apply(37.0).is_finite() {
        fields.fault_here("values would be infinite; the mean is too large");
        return None;
    }
    // 1 - u is exact for the `u` of random words, which are multiples of 2⁻⁵³.
    let quantile = move |u: f64| mean.apply(-ln(1.0 - u));
    let exponential = by_quantile(ENTRY.name, [mean.parameter()], quantile);
    Some(exponential.within(0, None).shared())
}
