//! The logistic distribution.

use std::sync::Arc;

use super::chunks::draw_quantiles;
use super::location_scale::LocationScale;
use super::{Distribution, Entry, Sampler};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::math::ln;

pub(super) const ENTRY: Entry = Entry {
    name: "logistic",
    aliases: &[],
    types: &[FeatureType::Float],
    read,
};

/// Mean `mu`, standard deviation `π × sigma / √3`. The value is the quantile
/// `mu + sigma × ln (u / (1 - u))` (Johnson, Kotz and Balakrishnan, *Continuous Univariate
/// Distributions* 2, 1995, chapter 23).
#[derive(Debug)]
struct Logistic {
    place: LocationScale,
}

/// `ln (u / (1 - u))` stays below 37.
const LARGEST: f64 = 37.0;

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let place = LocationScale::read(fields, LARGEST)?;
    Some(Arc::new(Logistic { place }))
}

impl Logistic {
    fn at(&self, u: f64) -> f64 {
        self.place.value(ln(u / (1.0 - u)))
    }
}

impl Distribution for Logistic {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        self.place.parameters()
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rising(|words| draw_quantiles(words, |u| self.at(u)))
    }
}
