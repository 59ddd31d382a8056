//! A field or parameter that is a feature.

use proc_macro2::TokenStream;
use syn::{Attribute, Type};

pub(crate) struct FeatureOrigin<'a> {
    /// Its name in the source.
    pub(crate) place: TokenStream,
    pub(crate) kind: &'a Type,
    pub(crate) attributes: &'a [Attribute],
    pub(crate) written: Written,
}

/// How a feature is written, on which the fixes of some mistakes depend.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Written {
    Field,
    Parameter,
}
