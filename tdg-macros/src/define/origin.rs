//! Fields and parameters that are features.

use proc_macro2::TokenStream;
use syn::{Attribute, Type};

use super::maker::Maker;

pub(crate) struct FeatureOrigin<'a> {
    /// The name in the source.
    pub(crate) place: TokenStream,
    /// The type of the drawn value.
    pub(crate) kind: &'a Type,
    /// Set if a maker makes the value of the drawn one.
    pub(crate) maker: Option<&'a Maker>,
    pub(crate) attributes: &'a [Attribute],
    pub(crate) written: Written,
}

/// The place of a feature, which determines the fixes of some mistakes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Written {
    Field,
    Parameter,
}
