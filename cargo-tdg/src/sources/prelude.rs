//! Types and traits that are in scope in every module.

pub(crate) const SCALARS: [&str; 18] = [
    "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128",
    "usize", "bool", "char", "str", "String",
];
/// The crates of the standard library.
pub(crate) const STANDARD: [&str; 3] = ["std", "core", "alloc"];
/// Types and traits of the prelude, besides scalars.
pub(super) const PRELUDE: [&str; 20] = [
    "Option",
    "Result",
    "Vec",
    "Box",
    "From",
    "Into",
    "TryFrom",
    "TryInto",
    "AsRef",
    "AsMut",
    "Default",
    "PartialEq",
    "PartialOrd",
    "Ord",
    "Iterator",
    "DoubleEndedIterator",
    "IntoIterator",
    "Extend",
    "FromIterator",
    "ToString",
];

/// Returns true for a type of the language.
pub(super) fn is_primitive(name: &str) -> bool {
    name != "String" && SCALARS.contains(&name)
}

/// Returns true for a type or trait of the prelude, for `Self`, and for the usual name of a type
/// parameter.
pub(super) fn is_known_everywhere(name: &str) -> bool {
    let is_parameter = !name.contains(char::is_lowercase);
    is_parameter || name == "Self" || SCALARS.contains(&name) || PRELUDE.contains(&name)
}
