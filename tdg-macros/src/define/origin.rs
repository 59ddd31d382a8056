//! A field or parameter that is a feature.

use proc_macro2::TokenStream;
use syn::{Attribute, Type};

use super::maker::Maker;

pub(crate) struct FeatureOrigin<'a> {
    /// Its name in the source.
    pub(crate) place: TokenStream,
    /// The type of what is drawn.
    pub(crate) kind: &'a Type,
    /// Set if the value is another, made of what is drawn.
    pub(crate) maker: Option<&'a Maker>,
    pub(crate) attributes: &'a [Attribute],
    pub(crate) written: Written,
}

/// How a feature is written, on which the fixes of some mistakes depend.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Written {
    Field,
    Parameter,
}
