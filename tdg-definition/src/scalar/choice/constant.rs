//! The same value in every row.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::scalar::{Canonical, CatalogueEntry, Distribution, Sampler, Support};
use crate::value::{self, Scalar};

pub(crate) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("constant", &["value"], &FeatureType::SCALARS, read);

/// `value` in every row.
struct Constant {
    value: Scalar,
}

fn read(fields: &mut Fields<'_>, feature_type: FeatureType) -> Option<Arc<dyn Distribution>> {
    let value = value::read_member(fields, "value", feature_type)?;
    Some(Arc::new(Constant { value }))
}

/// The same integer in every row.
pub(crate) fn integer(value: i64) -> Arc<dyn Distribution> {
    Arc::new(Constant {
        value: Scalar::Integer(value),
    })
}

impl Distribution for Constant {
    fn canonical(&self) -> Canonical {
        (ENTRY.name, vec![("value", self.value.to_value())])
    }

    fn integers(&self) -> RangeInclusive<i128> {
        value::integers(std::slice::from_ref(&self.value))
    }

    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        (Some(self.value.to_value()), Some(self.value.to_value()))
    }

    fn support(&self) -> Support<'_> {
        Support::Values(vec![self.value.to_value()])
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::fixed(|rows| {
            value::column(std::slice::from_ref(&self.value)).gather(&vec![0; rows.len()])
        })
    }
}
