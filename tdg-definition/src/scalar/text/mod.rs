//! Strings and bytes of a given form.

pub(crate) mod pattern;
pub(crate) mod uuid;
