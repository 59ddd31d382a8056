//! Helpers shared by the benchmarks.

pub mod judged;

/// Ten features: floats, integers and categories.
pub const TEN: &str = include_str!("../../same/tdg/definitions/ten.json");

/// A definition of one feature.
#[must_use]
pub fn one(feature_type: &str, distribution: &str) -> tdg_definition::Definition {
    parse(&format!(
        r#"{{"features": [{{"type": "{feature_type}", "distribution": {distribution}}}]}}"#
    ))
}

/// Parses a valid definition.
#[must_use]
pub fn parse(text: &str) -> tdg_definition::Definition {
    tdg_definition::Definition::parse(text).expect("a valid definition")
}
