//! The exponential distribution.

use std::sync::Arc;

use super::chunks::draw_quantiles;
use super::rate_or_scale::RateOrScale;
use super::{CatalogueEntry, Distribution, FLOAT, Sampler};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::math::ln;

pub(super) const ENTRY: CatalogueEntry = CatalogueEntry::new("exponential", &["rate"], FLOAT, read);

/// Mean `scale`, or `1 / rate`. The value is the quantile `-ln(1 - u)`, times `scale` or divided by
/// `rate`.
#[derive(Debug)]
struct Exponential {
    mean: RateOrScale,
}

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let missing = "`rate` (1 / mean) or `scale` (the mean) is missing; give one of them";
    let mean = RateOrScale::read(fields, missing)?;
    // -ln(1 - u) stays below 37.
    if mean.apply(37.0).is_finite() {
        return Some(Arc::new(Exponential { mean }));
    }
    fields.fault_here("values would be infinite; the mean is too large");
    None
}

impl Exponential {
    fn at(&self, u: f64) -> f64 {
        // 1 - u is exact for the `u` of random words, which are multiples of 2⁻⁵³.
        self.mean.apply(-ln(1.0 - u))
    }
}

impl Distribution for Exponential {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        vec![self.mean.parameter()]
    }

    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        (Some(Value::from(0)), None)
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rising(|words| draw_quantiles(words, |u| self.at(u)))
    }
}
