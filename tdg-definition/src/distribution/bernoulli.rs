//! The Bernoulli distribution.

use std::sync::Arc;

use super::chunks::draw_each;
use super::{Distribution, Entry};
use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::random::{Stream, Threshold};

pub(super) const ENTRY: Entry = Entry {
    name: "bernoulli",
    aliases: &[],
    types: &[FeatureType::Boolean, FeatureType::Integer],
    read,
};

/// `true`, or 1, with probability `p`; else `false`, or 0.
#[derive(Debug)]
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

impl Distribution for Bernoulli {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        vec![("p", Value::from(self.p))]
    }

    fn draw(&self, stream: &Stream, first_row: u64, rows: usize) -> Cells {
        let threshold = Threshold::of(self.p);
        if self.boolean {
            let value = |word| threshold.is_above(word);
            Cells::Boolean(draw_each(stream, first_row, rows, value))
        } else {
            let value = |word| i64::from(threshold.is_above(word));
            Cells::Integer(draw_each(stream, first_row, rows, value))
        }
    }
}
