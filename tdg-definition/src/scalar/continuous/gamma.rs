//! The gamma distribution.

use std::sync::Arc;

use super::log_concave::{LOG_CONCAVE, LogConcave};
use super::rate_or_scale::RateOrScale;
use super::standard_gamma::{Draws, StandardGamma};
use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::math::{exp, exp_m1, ln};
use crate::scalar::batches::draw_quantiles;
use crate::scalar::{
    Canonical, CatalogueEntry, Distribution, FLOAT, Inversion, Monotonicity, Sampler, Work,
};

pub(crate) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("gamma", &["shape", "rate"], FLOAT, read);

/// Mean `shape × scale`, or `shape / rate`: a [standard gamma variable](StandardGamma) times
/// `scale` or divided by `rate`.
///
/// For shapes below 1 it's `g × exp((ln w) / shape + ln scale)`, so no factor underflows before the
/// others apply. Values below the smallest float are 0, which is half of them for a shape of 0.001.
///
/// By inversion it's `exp(s + ln shape + ln scale)`, where the density of `s` is log-concave for
/// all shapes: its logarithm is `shape × (s - (eˢ - 1))`.
struct Gamma {
    shape: f64,
    scale: RateOrScale,
}

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let shape = StandardGamma::read_shape(fields, "shape");
    let missing = "`rate` or `scale` (1 / rate) is missing; give one of them";
    let scale = RateOrScale::read(fields, missing);
    let gamma = Gamma {
        shape: shape?,
        scale: scale?,
    };
    if gamma.scale.apply(gamma.standard().largest()).is_finite() {
        return Some(Arc::new(gamma));
    }
    fields.fault_here("values would be infinite; the mean, shape × scale, is too large");
    None
}

impl Gamma {
    fn standard(&self) -> StandardGamma {
        StandardGamma::new(self.shape, Draws { first: 0, step: 1 })
    }
}

impl Distribution for Gamma {
    fn canonical(&self) -> Canonical {
        (
            ENTRY.name,
            vec![("shape", Value::from(self.shape)), self.scale.parameter()],
        )
    }

    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        (Some(Value::from(0)), None)
    }

    fn inversion(&self) -> Option<Inversion<'_>> {
        Some(Inversion::new(Some(Monotonicity::Rising), |words| {
            let density = LogConcave::new(|s: f64| self.shape * (s - exp_m1(s)));
            let log_mode = ln(self.shape) + self.scale.ln();
            draw_quantiles(words, |u| exp(density.quantile(u, 1.0 - u) + log_mode))
        }))
    }

    fn work(&self) -> Work {
        Work::each(120)
    }

    fn inverted_work(&self) -> Work {
        LOG_CONCAVE
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(|rows| {
            let standard = self.standard();
            let mut values = vec![0.0; rows.len()];
            standard.fill(rows, &mut values);
            if standard.has_factor() {
                let log_scale = self.scale.ln();
                let factors = standard.log_factors(rows);
                for row in 0..rows.len() {
                    values[row] *= exp(factors[row] + log_scale);
                }
            } else {
                for value in &mut values {
                    *value = self.scale.apply(*value);
                }
            }
            Cells::Float(values)
        })
    }
}
