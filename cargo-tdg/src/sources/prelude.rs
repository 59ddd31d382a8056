//! Types and traits that are in scope in every module.

pub(crate) const SCALARS: [&str; 18] = [
    "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128",
    "usize", "bool", "char", "str", "String",
];
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
