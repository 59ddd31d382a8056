//! What values consist of.

use super::Recursion;
use crate::feature::Feature;
use crate::variant_form::VariantForm;

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

/// One of the variants.
#[derive(Clone, Debug)]
pub struct Variant {
    pub(super) name: String,
    pub(super) probability: f64,
    pub(super) value: Option<Feature>,
}

/// The variants that a value can be.
#[derive(Clone, Copy, Debug)]
pub struct Variants<'a> {
    pub(super) form: &'a VariantForm,
    pub(super) all: &'a [Variant],
}

impl Variant {
    /// Its name, unique among them.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The share of rows that have it.
    #[must_use]
    pub fn probability(&self) -> f64 {
        self.probability
    }

    /// What it has of further nodes of the shape that it is in.
    pub(crate) fn recursion(&self) -> Recursion {
        self.value
            .as_ref()
            .map_or(Recursion::NONE, Feature::recursion)
    }

    /// What its value is like, if it has one: a feature of its name.
    #[must_use]
    pub fn value(&self) -> Option<&Feature> {
        self.value.as_ref()
    }
}

impl<'a> Variants<'a> {
    /// How they are written.
    #[must_use]
    pub fn form(&self) -> &'a VariantForm {
        self.form
    }

    /// In the order of the definition.
    #[must_use]
    pub fn all(&self) -> &'a [Variant] {
        self.all
    }
}
