//! The Laplace (double exponential) distribution.

use std::sync::Arc;

use super::chunks::draw_quantiles;
use super::location_scale::LocationScale;
use super::{Distribution, Entry, Sampler};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::math::ln;

pub(super) const ENTRY: Entry = Entry {
    name: "laplace",
    aliases: &[],
    types: &[FeatureType::Float],
    read,
};

/// Mean `mu`; distances from it are exponential with mean `sigma`, so that the standard deviation is
/// `√2 × sigma`. The value is the quantile: with `z = ln 2u` up to `u = ½` and `-ln 2(1 - u)` beyond,
/// `mu + sigma × z` (Johnson, Kotz and Balakrishnan, *Continuous Univariate Distributions* 2, 1995,
/// chapter 24).
#[derive(Debug)]
struct Laplace {
    place: LocationScale,
}

/// `-ln 2(1 - u)` stays below 37.
const LARGEST: f64 = 37.0;

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let place = LocationScale::read(fields, LARGEST)?;
    Some(Arc::new(Laplace { place }))
}

impl Laplace {
    fn at(&self, u: f64) -> f64 {
        let z = if u <= 0.5 {
            ln(2.0 * u)
        } else {
            -ln(2.0 * (1.0 - u))
        };
        self.place.value(z)
    }
}

impl Distribution for Laplace {
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
