//! The types of features.

use std::fmt;

/// The type of a feature's values.
///
/// Read in any case (`"float"`, `"Float"`), written in upper case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FeatureType {
    /// A finite 64-bit float; a JSON number.
    Float,
    /// An integer, all of `i64` or all of `u64`; a JSON number.
    Integer,
    /// Text; a JSON string.
    String,
    /// `true` or `false`.
    Boolean,
    /// A second in UTC, years 0000 to 9999; a JSON string such as `2021-03-08T22:14:28Z` (RFC
    /// 3339).
    DateTime,
    /// A day of the Gregorian calendar, years 0000 to 9999; a JSON string such as `2021-03-08`.
    Date,
    /// Any bytes; a JSON string with the escapes of Rust's `b"…"`, such as `\\xffGIF`.
    Bytes,
    /// Any number of similar values; a JSON array.
    List,
    /// Several values by name; a JSON object.
    Object,
    /// One of several variants, with or without a value; JSON as serde writes enums.
    Variant,
}

// The names in definitions, in the order used by messages.
crate::names!(FeatureType::name {
    Float = "FLOAT", Integer = "INTEGER", String = "STRING", Boolean = "BOOLEAN",
    DateTime = "DATETIME", Date = "DATE", Bytes = "BYTES",
    List = "LIST", Object = "OBJECT", Variant = "VARIANT",
});

impl FeatureType {
    /// The types of single values, in the same order.
    pub const SCALARS: [Self; 7] = {
        let [float, integer, string, boolean, date_time, date, bytes, ..] = Self::ALL;
        [float, integer, string, boolean, date_time, date, bytes]
    };

    /// Returns the type with this name, in any case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|feature_type| feature_type.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for FeatureType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
