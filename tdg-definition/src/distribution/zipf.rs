//! The Zipf distribution.

use std::sync::Arc;

use super::discrete::Discrete;
use super::{CatalogueEntry, Distribution, INTEGER, Sampler, Work};
use crate::checkpoint;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::math::pow;

pub(super) const ENTRY: CatalogueEntry = CatalogueEntry::new("zipf", &["n", "s"], INTEGER, read);

/// Ranks from 1 to `n`: `P(k)` is proportional to `1 / kˢ`, by inversion over a table of all ranks.
/// With `s = 0`, all are equally likely.
#[derive(Debug)]
struct Zipf {
    n: i64,
    s: f64,
}

/// The largest table.
const LARGEST: i64 = 1_000_000;

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let (n, s) = (fields.integer("n"), fields.number("s"));
    let (n, s) = (n?, s?);
    if !(1..=LARGEST).contains(&n) {
        let message = format!("must be between 1 and {LARGEST}, but is {n}");
        fields.fault("n", message);
        return None;
    }
    if s >= 0.0 {
        return Some(Arc::new(Zipf { n, s }));
    }
    fields.fault("s", format!("must not be negative, but is {s}"));
    None
}

impl Zipf {
    fn table(&self) -> Discrete {
        let mut weights = Vec::with_capacity(self.n as usize);
        for rank in 1..=self.n {
            if rank % 1024 == 0 {
                checkpoint();
            }
            weights.push(pow(rank as f64, -self.s));
        }
        Discrete::new(1, &weights)
    }
}

impl Distribution for Zipf {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        vec![("n", Value::from(self.n)), ("s", Value::from(self.s))]
    }

    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        (Some(Value::from(1)), Some(Value::from(self.n)))
    }

    fn work(&self) -> Work {
        Work::table(self.n as f64)
    }

    fn sampler(&self) -> Sampler<'_> {
        Discrete::sampler(|| self.table())
    }
}
