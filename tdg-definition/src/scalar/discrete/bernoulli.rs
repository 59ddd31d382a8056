//! The Bernoulli distribution.

use std::sync::Arc;

use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::random::Threshold;
use crate::scalar::batches::draw_each;
use crate::scalar::{Canonical, CatalogueEntry, Distribution, Monotonicity, Sampler, Support};

pub(crate) const ENTRY: CatalogueEntry = CatalogueEntry::new(
    "bernoulli",
    &["p"],
    &[FeatureType::Boolean, FeatureType::Integer],
    read,
);

/// `true`, or 1, with probability `p`; else `false`, or 0.
struct Bernoulli {
    p: f64,
    boolean: bool,
}

fn read(fields: &mut Fields<'_>, feature_type: FeatureType) -> Option<Arc<dyn Distribution>> {
    Some(Arc::new(Bernoulli {
        p: fields.probability("p")?,
        boolean: feature_type == FeatureType::Boolean,
    }))
}

/// `true` and `false` with equal probability.
pub(crate) fn even() -> Arc<dyn Distribution> {
    Arc::new(Bernoulli {
        p: 0.5,
        boolean: true,
    })
}

impl Distribution for Bernoulli {
    fn canonical(&self) -> Canonical {
        (ENTRY.name, vec![("p", Value::from(self.p))])
    }

    fn categories(&self) -> Option<Vec<u64>> {
        let mut first = vec![0];
        first.extend(Threshold::of(self.p).first_word());
        first.dedup();
        Some(first)
    }

    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        (Some(Value::from(0)), Some(Value::from(1)))
    }

    fn support(&self) -> Support<'_> {
        Support::Values(match self.boolean {
            true => vec![Value::from(false), Value::from(true)],
            false => vec![Value::from(0), Value::from(1)],
        })
    }

    fn sampler(&self) -> Sampler<'_> {
        let threshold = Threshold::of(self.p);
        Sampler::inversion(Some(Monotonicity::Falling), move |words| {
            if self.boolean {
                Cells::Boolean(draw_each(words, |word| threshold.is_above(word)))
            } else {
                let value = |word| i64::from(threshold.is_above(word));
                Cells::Integer(draw_each(words, value))
            }
        })
    }
}
