//! The Weibull distribution.

use std::sync::Arc;

use super::chunks::draw_quantiles;
use super::{CatalogueEntry, Distribution, FLOAT, Sampler};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::math::{ln, pow};

pub(super) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("weibull", &["shape", "scale"], FLOAT, read);

/// `P(X > x) = exp(-(x / scale)^shape)`. The value is the quantile `scale × (-ln(1 - u))^(1 /
/// shape)` (Johnson, Kotz and Balakrishnan, *Continuous Univariate Distributions* 1, 1994, chapter
/// 21).
#[derive(Debug)]
struct Weibull {
    shape: f64,
    scale: f64,
}

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let (shape, scale) = (fields.positive("shape"), fields.positive("scale"));
    let weibull = Weibull {
        shape: shape?,
        scale: scale?,
    };
    if weibull.of_exponential(37.0).is_finite() {
        return Some(Arc::new(weibull));
    }
    fields.fault_here(format!(
        "values would be infinite: up to {scale:?} × 37^(1 / {shape:?}); use a larger shape",
        scale = weibull.scale,
        shape = weibull.shape,
    ));
    None
}

impl Weibull {
    fn at(&self, u: f64) -> f64 {
        self.of_exponential(-ln(1.0 - u))
    }

    /// Converts a value of the standard exponential distribution, which is below 37.
    fn of_exponential(&self, standard: f64) -> f64 {
        self.scale * pow(standard, 1.0 / self.shape)
    }
}

impl Distribution for Weibull {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("shape", Value::from(self.shape)),
            ("scale", Value::from(self.scale)),
        ]
    }

    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        (Some(Value::from(0)), None)
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rising(|words| draw_quantiles(words, |u| self.at(u)))
    }
}
