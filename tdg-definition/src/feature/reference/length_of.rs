//! The length of a list or of bytes.

use crate::column::Cells;
use crate::feature::part_reader::{PartReader, ReadStructured};
use crate::feature::path::{Reference, ReferenceUse, count_of};
use crate::feature::structure::{FeatureValues, Structure};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::random::StreamRows;
use crate::scalar::{Canonical, CatalogueEntry, Distribution, INTEGER, Sampler, Work};

pub(crate) const ENTRY: CatalogueEntry<ReadStructured> =
    CatalogueEntry::new("length_of", &["of"], INTEGER, read);

struct LengthOf {
    of: Reference,
}

fn read(fields: &mut Fields<'_>, _: FeatureType, _: &PartReader) -> Option<FeatureValues> {
    let of = Reference::read(fields, "of", ReferenceUse::Length)?;
    Some(FeatureValues::structured(LengthOf { of }))
}

impl Distribution for LengthOf {
    fn canonical(&self) -> Canonical {
        (ENTRY.name, vec![("of", self.of.to_value())])
    }

    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        let counts = self.of.target().map(|target| target.counts);
        (counts.map(|it| it.0.into()), counts.map(|it| it.1.into()))
    }

    fn work(&self) -> Work {
        Work::each(150)
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::fixed(|rows| {
            let counts = self.of.counts(rows).into_iter();
            Cells::Integer(counts.map(|it| it.unwrap_or(0) as i64).collect())
        })
    }
}

impl Structure for LengthOf {
    fn reference(&self) -> Option<&Reference> {
        Some(&self.of)
    }

    fn follows(&self, value: &Value, referred: Option<&Value>) -> bool {
        value.as_u64() == referred.and_then(count_of)
    }

    fn adjusted(&self, _: &Value, referred: Option<&Value>, _: Option<&Value>) -> Option<Value> {
        Some(referred.and_then(count_of).map_or(Value::Null, Value::from))
    }

    fn may_be_absent(&self) -> bool {
        self.of.may_be_null()
    }

    fn absent(&self, rows: &StreamRows<'_>) -> Option<Vec<bool>> {
        Some(self.of.absent(rows))
    }
}
