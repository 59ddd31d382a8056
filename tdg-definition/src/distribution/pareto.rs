//! The Pareto distribution.

use std::sync::Arc;

use super::chunks::draw_quantiles;
use super::{CatalogueEntry, Distribution, FLOAT, Sampler};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::math::pow;

pub(super) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("pareto", &["min", "shape"], FLOAT, read);

/// `P(X > x) = (min / x)^shape` from `min` on. The value is the quantile `min × (1 - u)^(-1 /
/// shape)` (Johnson, Kotz and Balakrishnan, *Continuous Univariate Distributions* 1, 1994, chapter
/// 20).
#[derive(Debug)]
struct Pareto {
    min: f64,
    shape: f64,
}

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let (min, shape) = (fields.positive("min"), fields.positive("shape"));
    let pareto = Pareto {
        min: min?,
        shape: shape?,
    };
    // The largest random number below 1.
    if pareto.at(1.0 - f64::EPSILON / 2.0).is_finite() {
        return Some(Arc::new(pareto));
    }
    fields.fault_here(format!(
        "values would be infinite: up to {min:?} × (2^53)^(1 / {shape:?}); use a larger shape",
        min = pareto.min,
        shape = pareto.shape,
    ));
    None
}

impl Pareto {
    fn at(&self, u: f64) -> f64 {
        self.min * pow(1.0 - u, -1.0 / self.shape)
    }
}

impl Distribution for Pareto {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("min", Value::from(self.min)),
            ("shape", Value::from(self.shape)),
        ]
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rising(|words| draw_quantiles(words, |u| self.at(u)))
    }
}
