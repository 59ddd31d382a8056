//! The geometric distribution.

use std::sync::Arc;

use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::math::{ln, ln_1p};
use crate::random::uniform::unit_open;
use crate::scalar::batches::draw_each;
use crate::scalar::by_inversion::ByInversion;
use crate::scalar::{CatalogueEntry, Distribution, INTEGER, Sampler, Words};

pub(crate) const ENTRY: CatalogueEntry = CatalogueEntry::new("geometric", &["p"], INTEGER, read);

/// The least `p` for which values stay within `i64`: `-ln(1 - u)` is below 37.
const SMALLEST: f64 = 1e-17;

/// The number of failures before the first success, from 0, where each trial succeeds with
/// probability `p`: `P(k) = p (1-p)ᵏ`. The value is the quantile `⌊ln(1 - u) / ln(1 - p)⌋` (L.
/// Devroye, *Non-Uniform Random Variate Generation*, 1986, section X.2).
fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let p = fields.positive_probability("p")?;
    if p < SMALLEST {
        let message =
            format!("must be at least 1e-17, but is {p:e}; values would not fit into 64 bits");
        fields.fault("p", message);
        return None;
    }
    let values = move |words: &Words<'_>| {
        // -∞ for p = 1, which makes every quotient 0.
        let log_failure = ln_1p(-p);
        let value = |word| (ln(1.0 - unit_open(word)) / log_failure) as i64;
        Cells::Integer(draw_each(words, value))
    };
    let sampler = move || Sampler::rising(values);
    let geometric = ByInversion::new(ENTRY.name, [("p", p.into())], sampler);
    Some(geometric.within(0, None).shared())
}
