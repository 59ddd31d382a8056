//! Definitions that are stated in code.

use tdg_definition::Definition;
use tdg_definition::json::{self, Value};

/// A struct whose fields are the features of a definition, each with its distribution.
///
/// [Derived](macro@crate::Define), as a rule.
#[diagnostic::on_unimplemented(
    message = "`{Self}` defines no rows",
    label = "this is no definition",
    note = "a struct with named fields becomes one with #[derive(tdg::Define)]"
)]
pub trait Define {
    /// The names of the features, in order, where they are known while compiling: by them
    /// `#[ensemble_test]` checks the names of its parameters.
    const FEATURES: Option<&'static [&'static str]> = None;

    /// The definition.
    fn definition() -> Definition;
}

/// An enum whose variants are the categories of a feature.
///
/// [Derived](macro@crate::Define), as a rule.
#[diagnostic::on_unimplemented(
    message = "what are the values of a feature of type `{Self}`?",
    label = "the type does not tell",
    note = "an enum becomes a feature's categories with #[derive(tdg::Define)]; of another type say \
            what serde reads it from, and the distribution: \
            #[define(type = FLOAT, gaussian(mu = 10.0, sigma = 2.0))]"
)]
pub trait Categories {
    /// A distribution of type `STRING` over the names by which serde reads the variants, as a
    /// definition writes it in JSON.
    const DISTRIBUTION: &'static str;
}

/// What `#[derive(Define)]` writes: the definition's JSON without its features, and each feature's,
/// with the distribution beside it where that was an enum's to give.
///
/// # Panics
/// If it is no valid definition. All that the derive knows is checked while compiling; what is left
/// is how a feature and an enum that was derived elsewhere fit together.
#[expect(clippy::panic, reason = "it is checked while compiling")]
pub fn definition(members: &str, features: &[(&str, Option<&str>)]) -> Definition {
    match compose(members, features) {
        Ok(definition) => definition,
        Err(problem) => panic!("this derives no valid definition:\n{problem}"),
    }
}

fn compose(members: &str, features: &[(&str, Option<&str>)]) -> Result<Definition, String> {
    let parse = |text: &str| json::parse(text).map_err(|error| error.to_string());
    let mut values = Vec::with_capacity(features.len());
    for (feature, distribution) in features {
        let mut feature = parse(feature)?;
        if let (Value::Object(members), Some(distribution)) = (&mut feature, distribution) {
            members.insert("distribution", parse(distribution)?);
        }
        values.push(feature);
    }
    let mut whole = parse(members)?;
    if let Value::Object(members) = &mut whole {
        members.insert("features", Value::Array(values));
    }
    Definition::from_value(&whole).map_err(|faults| faults.to_string())
}

/// Refuses, while compiling, a parameter that names none of the features.
///
/// # Panics
/// That is how it refuses; the place is the caller's, and so the parameter's.
#[track_caller]
#[expect(clippy::panic, reason = "it is evaluated while compiling")]
pub const fn check_feature(features: Option<&[&str]>, name: &str, problem: &str) {
    let Some(features) = features else {
        return;
    };
    let mut position = 0;
    while position < features.len() {
        if is_same(features[position].as_bytes(), name.as_bytes()) {
            return;
        }
        position += 1;
    }
    panic!("{}", problem);
}

const fn is_same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut position = 0;
    while position < left.len() {
        if left[position] != right[position] {
            return false;
        }
        position += 1;
    }
    true
}
