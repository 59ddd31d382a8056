//! The parts of values.

use super::Feature;
use super::recursion::Recursion;
use crate::variant_form::VariantForm;

/// The features that a value is composed of.
#[derive(Clone, Copy, Debug)]
pub enum Parts<'a> {
    /// A single value.
    None,
    /// Any number of elements, each a value of this feature.
    Element(&'a Feature),
    /// Any number of entries, each an object with a key and a value.
    Entries(&'a Feature),
    /// A value for each of these features, by name.
    Members(&'a [Feature]),
    /// A value for each of these features, in order.
    Tuple(&'a [Feature]),
    /// One of these variants, with its value if any.
    Variants(Variants<'a>),
}

impl<'a> Parts<'a> {
    /// Returns the features in order.
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

/// One of the variants.
#[derive(Clone, Debug)]
pub struct Variant {
    pub(super) name: String,
    pub(super) probability: f64,
    pub(super) value: Option<Feature>,
}

/// The possible variants of a value.
#[derive(Clone, Copy, Debug)]
pub struct Variants<'a> {
    pub(super) form: &'a VariantForm,
    pub(super) all: &'a [Variant],
}

impl Variant {
    /// Returns its name, unique among the variants.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns its share of the rows.
    #[must_use]
    pub fn probability(&self) -> f64 {
        self.probability
    }

    /// The further nodes of the enclosing shape that its value contains.
    pub(crate) fn recursion(&self) -> Recursion {
        self.value
            .as_ref()
            .map_or(Recursion::NONE, Feature::recursion)
    }

    /// Returns the feature of its value, if any, which has the variant's name.
    #[must_use]
    pub fn value(&self) -> Option<&Feature> {
        self.value.as_ref()
    }
}

impl<'a> Variants<'a> {
    /// Returns the form in which the variants are written.
    #[must_use]
    pub fn form(&self) -> &'a VariantForm {
        self.form
    }

    /// Returns the variants in the order of the definition.
    #[must_use]
    pub fn all(&self) -> &'a [Variant] {
        self.all
    }
}
