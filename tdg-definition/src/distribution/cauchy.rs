//! The Cauchy distribution.

use std::sync::Arc;

use super::chunks::draw_quantiles;
use super::location_scale::LocationScale;
use super::{Distribution, Entry, Sampler};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::math::tan_pi;

pub(super) const ENTRY: Entry = Entry {
    name: "cauchy",
    aliases: &[],
    types: &[FeatureType::Float],
    read,
};

/// Median `mu`, half of all values within `sigma` of it; without a mean. The value is the quantile
/// `mu + sigma × tan π(u - ½)` (Johnson, Kotz and Balakrishnan, *Continuous Univariate Distributions*
/// 1, 1994, chapter 16).
#[derive(Debug)]
struct Cauchy {
    place: LocationScale,
}

/// `tan π(u - ½)` for the `u` next to 1 is 2⁵³ / π.
const LARGEST: f64 = 3e15;

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let place = LocationScale::read(fields, LARGEST)?;
    Some(Arc::new(Cauchy { place }))
}

impl Cauchy {
    fn at(&self, u: f64) -> f64 {
        self.place.value(tan_pi(u - 0.5))
    }
}

impl Distribution for Cauchy {
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
