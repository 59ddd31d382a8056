//! Reading features.

use std::sync::Arc;

use super::part_reader::PartReader;
use super::shape::{self, ValueShape};
use super::structure::FeatureValues;
use super::{Feature, catalogue};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::modifier::Modifiers;
use crate::nearest;
use crate::scalar::Distribution;

/// Reads features and the parts of distributions.
pub(crate) const READER: PartReader = PartReader {
    feature: read_feature,
    distribution: read_part,
    has_parameter: catalogue::has_parameter,
};

/// Reads everything but the name.
fn read_feature(fields: &mut Fields<'_>, name: Option<String>) -> Option<Feature> {
    let null_probability = fields.optional_probability("null_probability", 0.0);
    let (feature_type, distribution) = read_distribution(fields);
    let values = distribution.as_ref().map(FeatureValues::values);
    let has_edges = distribution
        .as_ref()
        .is_some_and(FeatureValues::can_have_edges);
    let modifiers = Modifiers::read(fields, feature_type, values, has_edges);
    let (modifiers, mut distribution) = (modifiers?, distribution?);
    if let Some(digits) = modifiers.decimals() {
        distribution = distribution.with_decimals(digits);
    }
    if let Some(share) = modifiers.edge_share() {
        distribution = distribution.with_shapes(share);
    }
    let recursion = distribution.structure().recursion();
    let feature = Feature {
        name: name?,
        feature_type: feature_type?,
        null_probability: null_probability?,
        modifiers,
        distribution_name: distribution.values().name(),
        recursion: recursion.or_null(null_probability?),
        distribution,
    };
    if feature.null_probability > 0.0 && feature.is_null_a_value() {
        let message = "has no effect if a variant is written as null; remove it, or `untagged`";
        fields.fault("null_probability", message);
        return None;
    }
    Some(feature)
}

fn read_part(
    fields: Fields<'_>,
    feature_type: FeatureType,
) -> Option<Result<Arc<dyn Distribution>, &'static str>> {
    Some(catalogue::read(fields, feature_type, &READER)?.independent())
}

type ReadDistribution = (Option<FeatureType>, Option<FeatureValues>);

/// Reads the type and the distribution, or the shape that replaces both.
fn read_distribution(fields: &mut Fields<'_>) -> ReadDistribution {
    if fields.optional(shape::SHORT).is_some() {
        if fields.has("type") || fields.has("distribution") {
            fields.ignore(&["type", "distribution"]);
            let message = "replaces `type` and `distribution`; remove these, or this";
            fields.fault(shape::SHORT, message);
            return (None, None);
        }
        return ValueShape::named(fields, shape::SHORT).unzip();
    }
    let feature_type = read_type(fields);
    let distribution = fields.required("distribution");
    let distribution = distribution.and_then(|value| {
        let pointer = fields.pointer().child("distribution");
        let feature_type = feature_type?;
        let fields = fields.nested(value, pointer, "a distribution")?;
        catalogue::read(fields, feature_type, &READER)
    });
    (feature_type, distribution)
}

fn read_type(fields: &mut Fields<'_>) -> Option<FeatureType> {
    let name = fields.text("type")?;
    let found = FeatureType::from_name(name);
    if found.is_none() {
        let names = FeatureType::ALL.map(FeatureType::name);
        let message = match nearest(name, names) {
            Some(near) => format!("unknown type `{name}`; did you mean `{near}`?"),
            None => format!("unknown type `{name}`; the types are {}", names.join(", ")),
        };
        fields.fault("type", message);
    }
    found
}
