//! The gaussian (normal) distribution.

use std::sync::Arc;

use super::chunks::draw_with;
use super::{Distribution, Entry};
use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::math::normal;
use crate::random::{Purpose, Stream};

pub(super) const ENTRY: Entry = Entry {
    name: "gaussian",
    aliases: &["normal"],
    types: &[FeatureType::Float],
    read,
};

/// Mean `mu`, standard deviation `sigma`. The value is `mu + sigma × z`, `z` the standard normal
/// quantile of the row's word (Wichura, algorithm AS 241, 1988).
#[derive(Debug)]
pub(super) struct Gaussian {
    pub(super) mu: f64,
    pub(super) sigma: f64,
}

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    Some(Arc::new(Gaussian::read(fields)?))
}

impl Gaussian {
    pub(super) fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let (mu, sigma) = (fields.number("mu"), fields.positive("sigma"));
        let (mu, sigma) = (mu?, sigma?);
        // |z| stays below 8.3, so this is where the largest value would overflow.
        if (mu.abs() + 9.0 * sigma).is_finite() {
            return Some(Self { mu, sigma });
        }
        fields.fault("sigma", "is so large that values would be infinite");
        None
    }
}

impl Distribution for Gaussian {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("mu", Value::from(self.mu)),
            ("sigma", Value::from(self.sigma)),
        ]
    }

    fn draw(&self, stream: &Stream, first_row: u64, rows: usize) -> Cells {
        let fill = |words: &[u64], values: &mut [f64]| {
            normal::fill(words, values);
            for value in values {
                *value = self.mu + self.sigma * *value;
            }
        };
        Cells::Float(draw_with(stream, Purpose::Value, first_row, rows, fill))
    }
}
