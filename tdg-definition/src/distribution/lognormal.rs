//! The lognormal distribution.

use std::sync::Arc;

use super::chunks::draw_with;
use super::{CatalogueEntry, Distribution, FLOAT, Sampler};
use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::math::{exp, normal};

pub(super) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("lognormal", &["mu", "sigma"], FLOAT, read).with_aliases(&["log_normal"]);

/// `exp(mu + sigma × z)` with a standard normal `z`: `mu` and `sigma` describe the logarithm.
#[derive(Debug)]
struct Lognormal {
    mu: f64,
    sigma: f64,
}

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let (mu, sigma) = (fields.number("mu"), fields.positive("sigma"));
    let (mu, sigma) = (mu?, sigma?);
    // |z| stays below 8.3, and exp overflows at 709.78.
    if mu + 9.0 * sigma < 709.0 {
        return Some(Arc::new(Lognormal { mu, sigma }));
    }
    fields.fault_here(format!(
        "`mu` and `sigma` describe the logarithm: exp({mu} + 9 × {sigma}) would be infinite; \
         keep mu + 9 × sigma below 709"
    ));
    None
}

impl Distribution for Lognormal {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("mu", Value::from(self.mu)),
            ("sigma", Value::from(self.sigma)),
        ]
    }

    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        (Some(Value::from(0)), None)
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rising(|words| {
            let fill = |words: &[u64], values: &mut [f64]| {
                normal::fill(words, values);
                for value in values {
                    *value = exp(self.mu + self.sigma * *value);
                }
            };
            Cells::Float(draw_with(words, fill))
        })
    }
}
