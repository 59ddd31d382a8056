//! Indices of elements, or of anything else that is counted.

use crate::column::Cells;
use crate::feature::part_reader::{PartReader, ReadStructured};
use crate::feature::path::{Reference, ReferenceUse, count_of};
use crate::feature::structure::{FeatureValues, Structure};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::random::{Purpose, StreamRows, Threshold, uniform};
use crate::scalar::{Canonical, CatalogueEntry, Distribution, INTEGER, Sampler, Work};

pub(crate) const ENTRY: CatalogueEntry<ReadStructured> =
    CatalogueEntry::new("index", &["of", "beyond"], INTEGER, read);

/// An index from 0 to below the count, all equally likely; absent if the count is 0.
struct IndexOf {
    of: Reference,
    /// The share of rows with the count itself, the first invalid index.
    beyond: f64,
}

fn read(fields: &mut Fields<'_>, _: FeatureType, _: &PartReader) -> Option<FeatureValues> {
    let of = Reference::read(fields, "of", ReferenceUse::Count);
    let beyond = fields.optional_probability("beyond", 0.0);
    let (of, beyond) = (of?, beyond?);
    Some(FeatureValues::structured(IndexOf { of, beyond }))
}

impl IndexOf {
    fn draw(&self, rows: &StreamRows<'_>) -> Vec<Option<u64>> {
        let beyond = Threshold::of(self.beyond);
        let words = rows.words(Purpose::Value, 0);
        let chosen = match self.beyond > 0.0 {
            true => rows.words(Purpose::Component, 0),
            false => Vec::new(),
        };
        let index = |(row, count): (usize, Option<u64>)| match count? {
            count if chosen.get(row).is_some_and(|word| beyond.is_above(*word)) => Some(count),
            0 => None,
            count => Some(uniform::up_to(words[row], count - 1)),
        };
        let counts = self.of.counts(rows).into_iter();
        counts.enumerate().map(index).collect()
    }
}

impl Distribution for IndexOf {
    fn canonical(&self) -> Canonical {
        let mut parameters = vec![("of", self.of.to_value())];
        if self.beyond > 0.0 {
            parameters.push(("beyond", self.beyond.into()));
        }
        (ENTRY.name, parameters)
    }

    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        let largest = self.of.target().map(|target| target.counts.1);
        (Some(0.into()), largest.map(Value::from))
    }

    fn work(&self) -> Work {
        Work::each(250)
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(|rows| {
            let drawn = self.draw(rows).into_iter();
            Cells::Integer(drawn.map(|it| it.unwrap_or(0) as i64).collect())
        })
    }
}

impl Structure for IndexOf {
    fn reference(&self) -> Option<&Reference> {
        Some(&self.of)
    }

    fn follows(&self, value: &Value, referred: Option<&Value>) -> bool {
        let count = referred.and_then(count_of).unwrap_or(0);
        let is_index = |index| index < count || self.beyond > 0.0 && index == count;
        value.as_u64().is_some_and(is_index)
    }

    fn adjusted(&self, _: &Value, referred: Option<&Value>, _: Option<&Value>) -> Option<Value> {
        let count = referred.and_then(count_of).unwrap_or(0);
        Some(count.checked_sub(1).map_or(Value::Null, Value::from))
    }

    fn may_be_absent(&self) -> bool {
        let target = self.of.target();
        target.is_none_or(|target| target.may_be_null || target.counts.0 < 1 && self.beyond < 1.0)
    }

    fn absent(&self, rows: &StreamRows<'_>) -> Option<Vec<bool>> {
        Some(self.draw(rows).iter().map(Option::is_none).collect())
    }
}
