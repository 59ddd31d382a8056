//! The gaussian (normal) distribution, whole or truncated.

use std::sync::Arc;

use super::location_scale::LocationScale;
use super::truncation::{REACH, Truncation};
use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::math::normal;
use crate::scalar::batches::{draw_quantiles, draw_with};
use crate::scalar::{Canonical, CatalogueEntry, Distribution, FLOAT, Sampler};

pub(crate) const ENTRY: CatalogueEntry =
    <CatalogueEntry>::new("gaussian", &["mu", "sigma", "min", "max"], FLOAT, read)
        .with_aliases(&["normal"]);

/// Mean `mu`, standard deviation `sigma`. The value is `mu + sigma × z`, where `z` is the standard
/// normal quantile of the row's word (Wichura, algorithm AS 241, 1988).
///
/// With `min`, `max` or both, it is the gaussian conditional on a value in that range, by
/// inversion. Values therefore don't pile up at the bounds.
pub(crate) struct Gaussian {
    place: LocationScale,
    min: Option<f64>,
    max: Option<f64>,
}

/// The smallest distance between the bounds, in sigmas. Floats near 37, the largest standard value,
/// are 7e-15 apart, and probabilities near ½ are 1e-16 apart. That leaves at least 140,000
/// different values between the bounds, for at most 10,000 rows.
const NARROWEST: f64 = 1e-9;

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    Some(Arc::new(Gaussian::read(fields)?))
}

impl Gaussian {
    pub(crate) fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let truncated = fields.has("min") || fields.has("max");
        // The largest |z|: below 8.3 for 64-bit words, and slightly past the reach of bounds.
        let largest = if truncated { REACH + 2.0 } else { 9.0 };
        let place = LocationScale::read(fields, largest);
        let (min, max) = (fields.optional_number("min"), fields.optional_number("max"));
        let gaussian = Self {
            place: place?,
            min: min.ok()?,
            max: max.ok()?,
        };
        gaussian.check_bounds(fields)?;
        Some(gaussian)
    }

    fn check_bounds(&self, fields: &mut Fields<'_>) -> Option<()> {
        if let (Some(min), Some(max)) = (self.min, self.max)
            && min > max
        {
            fields.fault_here("`min` must not be greater than `max`");
            return None;
        }
        if let (Some(min), Some(max)) = (self.min, self.max)
            && min < max
            && max - min < NARROWEST * self.place.sigma()
        {
            fields.fault_unless_recorded(
                "sigma",
                "must be at most a billion times max - min, or values between the bounds can't be \
                 distinguished; use uniform, which is equivalent there",
            );
        }
        let (low, high) = self.standard_bounds();
        if low > REACH {
            fields.fault(
                "min",
                "is more than 37 sigma above mu, where probabilities are too small",
            );
            return None;
        }
        if high < -REACH {
            fields.fault(
                "max",
                "is more than 37 sigma below mu, where probabilities are too small",
            );
            return None;
        }
        Some(())
    }

    fn standard_bounds(&self) -> (f64, f64) {
        let standard = |bound| self.place.standard(bound);
        (
            self.min.map_or(f64::NEG_INFINITY, standard),
            self.max.map_or(f64::INFINITY, standard),
        )
    }

    fn truncation(&self) -> Option<Truncation> {
        if self.min.is_none() && self.max.is_none() {
            return None;
        }
        let (low, high) = self.standard_bounds();
        Some(Truncation::new(low, high))
    }

    fn truncated_at(&self, truncation: Truncation, u: f64) -> f64 {
        let value = self.place.value(truncation.quantile(u));
        // Rounding can exceed the bounds.
        match (self.min, self.max) {
            (Some(min), _) if value < min => min,
            (_, Some(max)) if value > max => max,
            _ => value,
        }
    }
}

impl Distribution for Gaussian {
    fn canonical(&self) -> Canonical {
        let mut parameters = self.place.parameters().to_vec();
        parameters.extend(self.min.map(|min| ("min", Value::from(min))));
        parameters.extend(self.max.map(|max| ("max", Value::from(max))));
        (ENTRY.name, parameters)
    }

    fn sampler(&self) -> Sampler<'_> {
        if let Some(truncation) = self.truncation() {
            let value = move |u| self.truncated_at(truncation, u);
            return Sampler::rising(move |words| draw_quantiles(words, value));
        }
        Sampler::rising(|words| {
            let mut chunk = normal::Chunk::new();
            let fill = |words: &[u64], values: &mut [f64]| {
                chunk.fill_all(words, values);
                for value in values {
                    *value = self.place.value(*value);
                }
            };
            Cells::Float(draw_with(words, fill))
        })
    }
}
