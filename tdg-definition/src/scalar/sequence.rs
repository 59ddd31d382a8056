//! Consecutive numbers.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::limits::SIZES;
use crate::scalar::{Canonical, CatalogueEntry, Distribution, Domain, INTEGER, Sampler, Support};

pub(crate) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("sequence", &["start", "step"], INTEGER, read);

/// `start + row × step`, with rows counted from 0. The defaults are `start` 0 and `step` 1.
struct Sequence {
    start: i64,
    step: i64,
}

/// The last row of the largest ensemble.
const LAST_ROW: i64 = *SIZES.end() as i64 - 1;

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let start = fields.optional_integer("start");
    let step = fields.optional_integer("step");
    let (start, step) = (start.ok()?.unwrap_or(0), step.ok()?.unwrap_or(1));
    let sequence = Sequence { start, step };
    if i64::try_from(sequence.last()).is_ok() {
        return Some(Arc::new(sequence));
    }
    fields.fault_here(format!(
        "start + {LAST_ROW} × step must fit into 64 bits: the largest ensemble has {} rows",
        SIZES.end()
    ));
    None
}

impl Sequence {
    fn last(&self) -> i128 {
        i128::from(self.start) + i128::from(self.step) * i128::from(LAST_ROW)
    }
}

impl Distribution for Sequence {
    fn canonical(&self) -> Canonical {
        let parameters = vec![("start", self.start.into()), ("step", self.step.into())];
        (ENTRY.name, parameters)
    }

    fn integers(&self) -> RangeInclusive<i128> {
        let (start, last) = (i128::from(self.start), self.last());
        start.min(last)..=start.max(last)
    }

    fn domain(&self) -> Domain<'_> {
        match self.step {
            0 => Domain::Other(Some("needs a `step` other than 0")),
            _ => Domain::Distinct,
        }
    }

    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        let integers = self.integers();
        (
            Some(Value::from(*integers.start())),
            Some(Value::from(*integers.end())),
        )
    }

    fn support(&self) -> Support<'_> {
        Support::Drawn
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::fixed(|rows| {
            let mut values = Vec::with_capacity(rows.len());
            for row in 0..rows.len() {
                let steps = rows.number(row) as i64;
                values.push(self.start.wrapping_add(self.step.wrapping_mul(steps)));
            }
            Cells::Integer(values)
        })
    }
}
