//! A distribution in the catalogue.

use std::sync::Arc;

use super::Distribution;
use crate::feature_type::FeatureType;
use crate::fields::{Aliases, Fields};

/// The aliases of parameters, each with its canonical name.
pub(crate) const ALIASES: Aliases = &[
    ("mean", "mu"),
    ("loc", "mu"),
    ("sd", "sigma"),
    ("std", "sigma"),
    ("std_dev", "sigma"),
    ("stddev", "sigma"),
    ("low", "min"),
    ("lower", "min"),
    ("high", "max"),
    ("upper", "max"),
    ("lam", "rate"),
    ("lambda", "rate"),
];

/// Reads the parameters of a distribution and reports their faults.
pub(crate) type ReadScalar = fn(&mut Fields<'_>, FeatureType) -> Option<Arc<dyn Distribution>>;

/// Like [`ReadScalar`], for a distribution that is made of others.
pub(crate) type ReadWithParts =
    fn(&mut Fields<'_>, FeatureType, ReadPart) -> Option<Arc<dyn Distribution>>;

/// Reads a distribution within another one. The error is the name of one that refers to a feature.
pub(crate) type ReadPart =
    fn(Fields<'_>, FeatureType) -> Option<Result<Arc<dyn Distribution>, &'static str>>;

/// A distribution in the catalogue.
#[derive(Clone, Copy)]
pub(crate) struct CatalogueEntry<Read = ReadScalar> {
    pub(crate) name: &'static str,
    pub(crate) aliases: &'static [&'static str],
    /// The names of its parameters, in the order of the documentation.
    pub(crate) parameters: &'static [&'static str],
    pub(crate) types: &'static [FeatureType],
    pub(crate) read: Read,
}

impl<Read: Copy> CatalogueEntry<Read> {
    pub(crate) const fn new(
        name: &'static str,
        parameters: &'static [&'static str],
        types: &'static [FeatureType],
        read: Read,
    ) -> Self {
        Self {
            name,
            aliases: &[],
            parameters,
            types,
            read,
        }
    }

    pub(crate) const fn with_aliases(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    /// Returns the entry with another way to read it.
    pub(crate) const fn with_read<Other>(self, read: Other) -> CatalogueEntry<Other> {
        CatalogueEntry {
            name: self.name,
            aliases: self.aliases,
            parameters: self.parameters,
            types: self.types,
            read,
        }
    }
}

/// Resolves a parameter's name or alias to its canonical name.
pub fn parameter_name(name: &str) -> &str {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    alias.map_or(name, |(_, name)| name)
}
