//! What values consist of.

use super::{Variant, Variants};
use crate::feature::Feature;

/// The features that a value consists of.
#[derive(Clone, Copy, Debug)]
pub enum Parts<'a> {
    /// It is a single value.
    None,
    /// Any number of elements, each a value of this feature.
    Element(&'a Feature),
    /// Any number of entries, each an object of a key and a value.
    Entries(&'a Feature),
    /// A value for each of these features, by its name.
    Members(&'a [Feature]),
    /// A value for each of these features, in their order.
    Tuple(&'a [Feature]),
    /// One of these variants, with its value if it has one.
    Variants(Variants<'a>),
}

impl<'a> Parts<'a> {
    /// The features.
    #[must_use]
    pub fn features(self) -> Vec<&'a Feature> {
        match self {
            Self::None => Vec::new(),
            Self::Element(element) | Self::Entries(element) => vec![element],
            Self::Members(features) | Self::Tuple(features) => features.iter().collect(),
            Self::Variants(variants) => variants.all().iter().filter_map(Variant::value).collect(),
        }
    }
}
