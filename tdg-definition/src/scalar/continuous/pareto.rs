//! The Pareto distribution.

use std::sync::Arc;

use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::math::pow;
use crate::scalar::by_inversion::by_quantile;
use crate::scalar::{CatalogueEntry, Distribution, FLOAT};

pub(crate) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("pareto", &["min", "shape"], FLOAT, read);

/// `P(X > x) = (min / x)^shape` from `min` on. The value is the quantile `min × (1 - u)^(-1 /
/// shape)` (Johnson, Kotz and Balakrishnan, *Continuous Univariate Distributions* 1, 1994, chapter
/// 20).
fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let (min, shape) = (fields.positive("min"), fields.positive("shape"));
    let (min, shape) = (min?, shape?);
    let quantile = move |u: f64| min * pow(1.0 - u, -1.0 / shape);
    // The largest random number below 1.
    if !quantile(1.0 - f64::EPSILON / 2.0).is_finite() {
        fields.fault_here(format!(
            "values would be infinite: up to {min:?} × (2^53)^(1 / {shape:?}); use a larger shape"
        ));
        return None;
    }
    let parameters = [("min", min.into()), ("shape", shape.into())];
    Some(by_quantile(ENTRY.name, parameters, quantile).shared())
}
