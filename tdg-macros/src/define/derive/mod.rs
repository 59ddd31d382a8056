//! The code that `#[derive(Define)]` generates for a struct or an enum.

pub(super) mod categories;
pub(super) mod deserialize;
pub(super) mod enum_variants;
pub(super) mod expand;
pub(super) mod newtype;
pub(super) mod struct_fields;
