//! What values consist of.

use crate::feature::Feature;

/// The features that a value consists of.
#[derive(Clone, Copy, Debug)]
pub enum Parts<'a> {
    /// It is a single value.
    None,
    /// Any number of elements, each a value of this feature.
    Element(&'a Feature),
    /// A value for each of these features, by its name.
    Members(&'a [Feature]),
    /// A value for each of these features, in their order.
    Tuple(&'a [Feature]),
}

impl<'a> Parts<'a> {
    /// The features.
    #[must_use]
    pub fn features(self) -> &'a [Feature] {
        match self {
            Self::None => &[],
            Self::Element(element) => std::slice::from_ref(element),
            Self::Members(features) | Self::Tuple(features) => features,
        }
    }
}
