//! The exponential distribution.

use std::sync::Arc;

use super::chunks::draw_each;
use super::{Distribution, Entry};
use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::math::ln;
use crate::random::Stream;
use crate::random::uniform::unit_open;

pub(super) const ENTRY: Entry = Entry {
    name: "exponential",
    aliases: &[],
    types: &[FeatureType::Float],
    read,
};

/// Mean `scale`, or `1 / rate`. The value is the quantile `-ln(1 - u)`, times `scale` or divided by `rate`.
#[derive(Debug)]
enum Exponential {
    Rate(f64),
    Scale(f64),
}

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let exponential = match (fields.has("rate"), fields.has("scale")) {
        (true, false) => Exponential::Rate(fields.positive("rate")?),
        (false, true) => Exponential::Scale(fields.positive("scale")?),
        (both, _) => {
            fields.ignore(&["rate", "scale"]);
            let problem = if both {
                "`rate` and `scale` say the same (scale = 1 / rate); keep one"
            } else {
                "`rate` (1 / mean) or `scale` (the mean) is missing; give one of them"
            };
            fields.fault_here(problem);
            return None;
        }
    };
    // -ln(1 - u) stays below 37.
    if exponential.value(37.0).is_finite() {
        return Some(Arc::new(exponential));
    }
    fields.fault_here("values would be infinite; the mean is too large");
    None
}

impl Exponential {
    fn value(&self, standard: f64) -> f64 {
        match self {
            Self::Rate(rate) => standard / rate,
            Self::Scale(scale) => standard * scale,
        }
    }
}

impl Distribution for Exponential {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        vec![match *self {
            Self::Rate(rate) => ("rate", Value::from(rate)),
            Self::Scale(scale) => ("scale", Value::from(scale)),
        }]
    }

    fn draw(&self, stream: &Stream, first_row: u64, rows: usize) -> Cells {
        // 1 - u is exact: u is a multiple of 2⁻⁵³.
        let value = |word| self.value(-ln(1.0 - unit_open(word)));
        Cells::Float(draw_each(stream, first_row, rows, value))
    }
}
