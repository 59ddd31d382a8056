//! The geometric distribution.

use std::sync::Arc;

use super::chunks::draw_each;
use super::{CatalogueEntry, Distribution, INTEGER, Sampler};
use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::math::{ln, ln_1p};
use crate::random::uniform::unit_open;

pub(super) const ENTRY: CatalogueEntry = CatalogueEntry::new("geometric", &["p"], INTEGER, read);

/// The number of failures before the first success, from 0, where each trial succeeds with
/// probability `p`: `P(k) = p (1-p)ᵏ`. The value is the quantile `⌊ln(1 - u) / ln(1 - p)⌋` (L.
/// Devroye, *Non-Uniform Random Variate Generation*, 1986, section X.2).
#[derive(Debug)]
struct Geometric {
    p: f64,
}

/// The least `p` for which values stay within `i64`: `-ln(1 - u)` is below 37.
const SMALLEST: f64 = 1e-17;

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let p = fields.positive_probability("p")?;
    if p >= SMALLEST {
        return Some(Arc::new(Geometric { p }));
    }
    let message =
        format!("must be at least 1e-17, but is {p:e}; values would not fit into 64 bits");
    fields.fault("p", message);
    None
}

impl Distribution for Geometric {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        vec![("p", Value::from(self.p))]
    }

    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        (Some(Value::from(0)), None)
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rising(|words| {
            // -∞ for p = 1, which makes every quotient 0.
            let log_failure = ln_1p(-self.p);
            let value = |word| (ln(1.0 - unit_open(word)) / log_failure) as i64;
            Cells::Integer(draw_each(words, value))
        })
    }
}
