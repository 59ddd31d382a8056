//! Distributions of single values, which know nothing of features.
//!
//! A distribution's file holds everything about it: its parameters and their faults, its canonical
//! form, and how values come from random words. `feature::catalogue` lists them all.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::feature_type::FeatureType;
use crate::json::Value;

pub(crate) mod any;
pub(crate) mod batches;
mod by_inversion;
pub(crate) mod choice;
pub(crate) mod continuous;
pub(crate) mod discrete;
mod domain;
mod entry;
mod sampler;
pub(crate) mod sequence;
mod support;
pub(crate) mod text;
pub(crate) mod uniform;
mod work;

pub use domain::{Domain, ValuesByNumber};
pub use entry::parameter_name;
pub(crate) use entry::{ALIASES, CatalogueEntry, ReadPart, ReadScalar, ReadWithParts};
pub use sampler::{Inversion, Monotonicity, Sampler, ValuesOfRows, Words};
pub use support::Support;
pub use work::Work;

const FLOAT: &[FeatureType] = &[FeatureType::Float];
pub(crate) const INTEGER: &[FeatureType] = &[FeatureType::Integer];

/// A name and parameters.
pub type Canonical = (&'static str, Vec<(&'static str, Value)>);

/// A distribution with its parameters: where the values of a feature come from.
pub trait Distribution: Send + Sync {
    /// The name and the parameters in canonical form.
    fn canonical(&self) -> Canonical;

    /// The name in canonical form.
    fn name(&self) -> &'static str {
        self.canonical().0
    }

    /// The parameters in canonical form.
    fn parameters(&self) -> Vec<(&'static str, Value)> {
        self.canonical().1
    }

    /// The smallest and the largest `INTEGER` that can occur. A column can't hold both negative
    /// numbers and numbers above `i64::MAX`.
    fn integers(&self) -> RangeInclusive<i128> {
        0..=i64::MAX.into()
    }

    /// The smallest and the largest possible value, if bounded: by default the parameters `min` and
    /// `max`.
    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        stated_bounds(self.parameters())
    }

    /// The possible values: by default, everything between its bounds.
    fn support(&self) -> Support<'_> {
        let (min, max) = self.bounds();
        Support::Range(min, max)
    }

    /// The share of edge rows if the feature doesn't state one.
    fn edge_share(&self) -> f64 {
        0.0
    }

    /// The distribution to draw from for values with `digits` decimals; `None` if it's this one.
    fn with_decimals(&self, _digits: u8) -> Option<Arc<dyn Distribution>> {
        None
    }

    /// The values by number, if all are equally likely.
    fn domain(&self) -> Domain<'_> {
        Domain::Other(None)
    }

    /// For categories: the first word of each possible category, in rising order.
    fn categories(&self) -> Option<Vec<u64>> {
        None
    }

    /// The average number of cells in a value.
    fn cells(&self) -> f64 {
        1.0
    }

    /// The cost of drawing from its sampler.
    fn work(&self) -> Work {
        Work::each(80)
    }

    /// The cost of drawing by inversion, if that isn't its usual way.
    fn inverted_work(&self) -> Work {
        self.work()
    }

    /// The way that its values come from random words.
    fn sampler(&self) -> Sampler<'_>;

    /// Maps words supplied by relations to values; `None` if it has no inversion.
    ///
    /// A distribution that draws from several words per row can have an inversion too, with
    /// different values.
    fn inversion(&self) -> Option<Inversion<'_>> {
        match self.sampler() {
            Sampler::Inversion(inversion) => Some(inversion),
            _ => None,
        }
    }
}

impl fmt::Debug for dyn Distribution + '_ {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        to_value(self).fmt(formatter)
    }
}

/// The parameters `min` and `max`, if they exist.
fn stated_bounds(parameters: Vec<(&'static str, Value)>) -> (Option<Value>, Option<Value>) {
    let mut bounds = (None, None);
    for (name, value) in parameters {
        match name {
            "min" => bounds.0 = Some(value),
            "max" => bounds.1 = Some(value),
            _ => {}
        }
    }
    bounds
}

/// Returns the canonical form.
pub(crate) fn to_value(distribution: &dyn Distribution) -> Value {
    let (name, mut members) = distribution.canonical();
    members.push(("type", name.into()));
    Value::object(members)
}
