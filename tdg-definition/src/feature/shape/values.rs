//! Values of one of the definition's shapes, which can contain others of the same shape.

use std::sync::Arc;

use super::{ValueShape, nodes};
use crate::column::Cells;
use crate::feature::part_reader::{PartReader, ReadStructured};
use crate::feature::recursion::Recursion;
use crate::feature::structure::{FeatureValues, Structure};
use crate::feature::{Feature, Parts};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::scalar::{CatalogueEntry, Distribution, Domain, Sampler, Support, Work};

pub(crate) const ENTRY: CatalogueEntry<ReadStructured> = CatalogueEntry::new(
    "shape",
    &[OF],
    &[FeatureType::Object, FeatureType::Variant],
    read,
);

/// The member that names the shape.
const OF: &str = "of";

const NOT_UNIQUE: &str = "a value of a shape can't be unique; make another feature unique";

fn read(fields: &mut Fields<'_>, kind: FeatureType, _: &PartReader) -> Option<FeatureValues> {
    let (found, distribution) = ValueShape::named(fields, OF)?;
    if found != kind {
        let message = format!("is a shape of {found} values; write `\"type\": \"{found}\"`");
        fields.fault(OF, message);
        return None;
    }
    Some(distribution)
}

/// Whole values of a shape.
pub(crate) struct ShapeValue(pub(crate) Arc<ValueShape>);

/// A value of a shape within another value of the same shape.
pub(crate) struct ShapeNode {
    pub(crate) shape: String,
    /// The feature of the value, or `None` at the shape's greatest depth.
    pub(crate) feature: Option<Arc<Feature>>,
}

fn named(shape: &str) -> Vec<(&'static str, Value)> {
    vec![(OF, shape.into())]
}

impl Distribution for ShapeValue {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        named(self.0.name())
    }

    fn support(&self) -> Support<'_> {
        Support::Drawn
    }

    fn domain(&self) -> Domain<'_> {
        Domain::Other(Some(NOT_UNIQUE))
    }

    fn cells(&self) -> f64 {
        self.0.cells()
    }

    fn work(&self) -> Work {
        self.0.work()
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(|rows| nodes::draw(&self.0, rows))
    }
}

impl Structure for ShapeValue {
    fn parts(&self) -> Parts<'_> {
        self.0.root().parts()
    }

    fn is_shape(&self) -> bool {
        true
    }

    fn list_levels(&self) -> u32 {
        self.0.list_levels()
    }
}

impl Distribution for ShapeNode {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn parameters(&self) -> Vec<(&'static str, Value)> {
        named(&self.shape)
    }

    fn support(&self) -> Support<'_> {
        Support::Drawn
    }

    fn domain(&self) -> Domain<'_> {
        Domain::Other(Some(NOT_UNIQUE))
    }

    /// Counted with the other nodes of its depth.
    fn cells(&self) -> f64 {
        0.0
    }

    fn work(&self) -> Work {
        Work::each(0)
    }

    /// Reserves a place until the nodes of its depth are drawn together.
    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(|rows| Cells::Boolean(vec![false; rows.len()]))
    }
}

impl Structure for ShapeNode {
    fn parts(&self) -> Parts<'_> {
        let feature = self.feature.as_ref();
        feature.map_or(Parts::None, |feature| feature.parts())
    }

    fn is_shape(&self) -> bool {
        true
    }

    fn recursion(&self) -> Recursion {
        Recursion::NODE
    }
}
