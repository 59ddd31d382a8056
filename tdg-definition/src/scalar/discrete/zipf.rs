//! The Zipf distribution.

use std::sync::Arc;

use super::table::Discrete;
use crate::checkpoint;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::math::pow;
use crate::scalar::by_inversion::ByInversion;
use crate::scalar::{CatalogueEntry, Distribution, INTEGER, Work};

pub(crate) const ENTRY: CatalogueEntry = CatalogueEntry::new("zipf", &["n", "s"], INTEGER, read);

/// The largest table.
const LARGEST: i64 = 1_000_000;

/// Ranks from 1 to `n`: `P(k)` is proportional to `1 / kˢ`, by inversion over a table of all ranks.
/// With `s = 0`, all are equally likely.
fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let (n, s) = (fields.integer("n"), fields.number("s"));
    let (n, s) = (n?, s?);
    if !(1..=LARGEST).contains(&n) {
        let message = format!("must be between 1 and {LARGEST}, but is {n}");
        fields.fault("n", message);
        return None;
    }
    if s < 0.0 {
        fields.fault("s", format!("must not be negative, but is {s}"));
        return None;
    }
    let sampler = move || Discrete::sampler(move || table(n, s));
    let zipf = ByInversion::new(ENTRY.name, [("n", n.into()), ("s", s.into())], sampler);
    let work = Work::table(n as f64);
    Some(zipf.within(1, Some(n.into())).with_work(work).shared())
}

fn table(n: i64, s: f64) -> Discrete {
    let mut weights = Vec::with_capacity(n as usize);
    for rank in 1..=n {
        if rank % 1024 == 0 {
            checkpoint();
        }
        weights.push(pow(rank as f64, -s));
    }
    Discrete::new(1, &weights)
}
