//! Types whose names reveal nothing to the macro: types that derive `Define`, and aliases.

use syn::Type;
use tdg_definition::json::Pointer;

use super::list::ListType;
use super::{map, tuple};
use crate::types::feature_type;

/// A part of a feature whose type the compiler resolves: an enum or a struct that derives `Define`,
/// or an alias.
#[derive(Clone)]
pub(crate) struct TypedPart {
    pub(crate) at: Pointer,
    pub(crate) kind: Type,
    /// The trait to query, and its function.
    pub(crate) asked: [&'static str; 2],
    /// True if the type states how the part is drawn. Otherwise, it only has to fit.
    pub(crate) is_drawn: bool,
}

/// Returns true if the name of the type reveals nothing about its values.
pub(super) fn may_be_alias(kind: &Type) -> bool {
    let has_parts = ListType::from_type(kind).is_some()
        || tuple::tuple_type(kind).is_some()
        || map::entry_types(kind).is_some();
    matches!(kind, Type::Path(_)) && feature_type(kind).is_none() && !has_parts
}
