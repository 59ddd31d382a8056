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
use crate::scalar::{Canonical, CatalogueEntry, Distribution, Domain, Sampler, Work};

pub(crate) const ENTRY: CatalogueEntry<ReadStructured> = CatalogueEntry::new(
    "shape",
    &[OF],
    &[FeatureType::Object, FeatureType::Variant],
    read,
);

/// The member that names the shape.
const OF: &str = "of";

fn read(fields: &mut Fields<'_>, kind: FeatureType, _: &PartReader) -> Option<FeatureValues> {
    let (found, distribution) = ValueShape::named(fields, OF)?;
    if found != kind {
        let message = format!("is a shape of {found} values; write `\"type\": \"{found}\"`");
        fields.fault(OF, message);
        return None;
    }
    Some(distribution)
}

/// A value of a shape.
pub(crate) enum ShapeValue {
    Whole(Arc<ValueShape>),
    /// A value within another one of the shape with that name, and its feature: `None` at the
    /// greatest depth.
    Node(String, Option<Arc<Feature>>),
}

impl Distribution for ShapeValue {
    fn canonical(&self) -> Canonical {
        let name = match self {
            Self::Whole(shape) => shape.name(),
            Self::Node(name, _) => name,
        };
        (ENTRY.name, vec![(OF, name.into())])
    }

    fn domain(&self) -> Domain<'_> {
        let problem = "a value of a shape can't be unique; make another feature unique";
        Domain::Other(Some(problem))
    }

    /// Nodes are counted with the others of their depth.
    fn cells(&self) -> f64 {
        match self {
            Self::Whole(shape) => shape.cells(),
            Self::Node(..) => 0.0,
        }
    }

    fn work(&self) -> Work {
        match self {
            Self::Whole(shape) => shape.work(),
            Self::Node(..) => Work::each(0),
        }
    }

    /// Nodes reserve a place until all nodes of their depth are drawn together.
    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(move |rows| match self {
            Self::Whole(shape) => nodes::draw(shape, rows),
            Self::Node(..) => Cells::Boolean(vec![false; rows.len()]),
        })
    }
}

impl Structure for ShapeValue {
    fn parts(&self) -> Parts<'_> {
        match self {
            Self::Whole(shape) => shape.root().parts(),
            Self::Node(_, feature) => feature.as_ref().map_or(Parts::None, |it| it.parts()),
        }
    }

    fn is_shape(&self) -> bool {
        true
    }

    fn list_levels(&self) -> u32 {
        match self {
            Self::Whole(shape) => shape.list_levels(),
            Self::Node(..) => 0,
        }
    }

    fn recursion(&self) -> Recursion {
        match self {
            Self::Whole(_) => Recursion::NONE,
            Self::Node(..) => Recursion::NODE,
        }
    }
}
