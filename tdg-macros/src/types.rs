//! What the tokens of a type tell. A macro sees names and no types, so an alias hides them.

use syn::{Ident, Type};

/// Without the wrappers of `macro_rules!` fragments and parentheses.
pub(crate) fn ungroup(kind: &Type) -> &Type {
    match kind {
        Type::Group(group) => ungroup(&group.elem),
        Type::Paren(paren) => ungroup(&paren.elem),
        other => other,
    }
}

/// The `Vec` of `std::vec::Vec<f64>`.
pub(crate) fn last_word(kind: &Type) -> Option<&Ident> {
    match kind {
        Type::Path(path) => path.path.segments.last().map(|segment| &segment.ident),
        _ => None,
    }
}

/// `&Row`, `&tdg::Row<'_>`.
pub(crate) fn is_row(kind: &Type) -> bool {
    match kind {
        Type::Reference(reference) => {
            reference.mutability.is_none()
                && last_word(ungroup(&reference.elem)).is_some_and(|word| word == "Row")
        }
        _ => false,
    }
}

/// A type that can hold one value and no row of several.
pub(crate) fn is_scalar(kind: &Type) -> bool {
    const SCALARS: [&str; 17] = [
        "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
        "u128", "usize", "bool", "String", "str",
    ];
    match kind {
        Type::Reference(reference) => is_scalar(ungroup(&reference.elem)),
        _ => last_word(kind).is_some_and(|word| SCALARS.iter().any(|scalar| word == scalar)),
    }
}
