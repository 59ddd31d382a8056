//! The Weibull distribution.

use std::sync::Arc;

use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::math::{ln, pow};
use crate::scalar::by_inversion::by_quantile;
use crate::scalar::{CatalogueEntry, Distribution, FLOAT};

pub(crate) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("weibull", &["shape", "scale"], FLOAT, read);

/// `P(X > x) = exp(-(x / scale)^shape)`. The value is the quantile `scale × (-ln(1 - u))^(1 /
/// shape)` (Johnson, Kotz and Balakrishnan, *Continuous Univariate Distributions* 1, 1994, chapter
/// 21).
fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let (shape, scale) = (fields.positive("shape"), fields.positive("scale"));
    let (shape, scale) = (shape?, scale?);
    // Values of the standard exponential distribution are below 37.
    let of_exponential = move |standard: f64| scale * pow(standard, 1.0 / shape);
    if !of_exponential(37.0).is_finite() {
        fields.fault_here(format!(
            "values would be infinite: up to {scale:?} × 37^(1 / {shape:?}); use a larger shape"
        ));
        return None;
    }
    let parameters = [("shape", shape.into()), ("scale", scale.into())];
    let quantile = move |u: f64| of_exponential(-ln(1.0 - u));
    Some(
        by_quantile(ENTRY.name, parameters, quantile)
            .within(0, None)
            .shared(),
    )
}
