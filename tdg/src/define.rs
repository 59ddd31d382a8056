//! Definitions that are stated in code.

use std::cell::Cell;

use serde_core::de::DeserializeOwned;
use tdg_definition::Definition;
use tdg_definition::json::{self, Pointer, Value};

use crate::{BindError, Vectors};

/// A struct whose fields are the features of a definition, each with its distribution.
///
/// [Derive](macro@crate::Define) it: only derived implementations are promised to keep compiling.
#[diagnostic::on_unimplemented(
    message = "`{Self}` defines no rows",
    label = "this is not a definition",
    note = "a struct with named fields becomes one with #[derive(tdg::Define)]"
)]
pub trait Define {
    /// The names of the features, in order, where they are known while compiling: by them
    /// `#[ensemble_test]` checks the names of its parameters.
    const FEATURES: Option<&'static [&'static str]> = None;

    /// The definition.
    fn definition() -> Definition;

    /// Draws `size` rows: those of a test with this definition, seed and size, for loops,
    /// benchmarks and other test frameworks.
    ///
    /// ```
    /// use tdg::Define;
    ///
    /// #[derive(Define, serde::Deserialize)]
    /// struct Parcel {
    ///     #[define(uniform(1..=31_500))]
    ///     grams: u32,
    ///     #[define(bernoulli(p = 0.2))]
    ///     insured: bool,
    /// }
    ///
    /// for parcel in Parcel::rows(0, 1_000)? {
    ///     assert!(parcel.grams <= 31_500);
    /// }
    /// # Ok::<(), tdg::BindError>(())
    /// ```
    ///
    /// Rows of a type that borrows are bound by [`Vectors::bind`].
    ///
    /// # Errors
    /// The first row that is not such a value, or a feature that can be null where the field can't.
    fn rows(seed: u64, size: usize) -> Result<Vec<Self>, BindError>
    where
        Self: DeserializeOwned,
    {
        Vectors::generate(&Self::definition(), seed, size).bind()
    }
}

/// A type that says how a value of it is drawn: an enum, whose variants are categories, or a
/// struct, whose fields are features; [derived](macro@crate::Define).
#[diagnostic::on_unimplemented(
    message = "the values of a feature of type `{Self}` are unknown",
    label = "this type has no distribution",
    note = "an enum or a struct gets one with #[derive(tdg::Define)]",
    note = "for another type, state the type that serde reads it from, and the distribution: \
            #[define(type = INTEGER, uniform(1..=255))]; or name a function that makes it: \
            #[define(uniform(1..=255), via = {Self}::new)]"
)]
pub trait DefinedPart {
    /// The members `type` and `distribution` of a feature.
    fn members() -> PartMembers;
}

impl<T: DefinedPart> DefinedPart for Box<T> {
    fn members() -> PartMembers {
        T::members()
    }
}

/// The members of a feature that a derived type states, or why there are none.
pub struct PartMembers(Result<Value, String>);

/// Of an enum, from the JSON of a feature with its values, and the parts of it that other types
/// state.
pub fn part(feature: &str, parts: &[StatedPart<'_>]) -> PartMembers {
    PartMembers(composed(feature, parts))
}

/// Of a struct, with the features of its definition, which can refer to what is around it.
pub fn members(members: &str, features: &[(&str, &[StatedPart<'_>])]) -> PartMembers {
    PartMembers(compose(members, features).map(|mut distribution| {
        if let Value::Object(members) = &mut distribution {
            members.remove("definition_name");
            members.insert("type", "object".into());
        }
        Value::object([("type", "OBJECT".into()), ("distribution", distribution)])
    }))
}

/// A part of a feature, by its pointer, and the members that its type states.
type StatedPart<'a> = (&'a str, fn() -> PartMembers);

/// The definition that a macro writes, from its JSON without features, and the JSON of each
/// feature, with the parts that types of it state.
///
/// # Panics
/// If it is not a valid definition. The macros check all they know while compiling, which is
/// everything except how a feature and a type that is derived elsewhere fit together.
#[expect(clippy::panic, reason = "it is checked while compiling")]
pub fn definition(members: &str, features: &[(&str, &[StatedPart<'_>])]) -> Definition {
    match compose(members, features).and_then(parsed) {
        Ok(definition) => definition,
        Err(problem) => panic!("the definition in code is invalid:\n{problem}"),
    }
}

/// The definition of that name with the features of a struct.
///
/// # Panics
/// As [`definition`].
#[expect(clippy::panic, reason = "it is checked while compiling")]
pub fn definition_of<T: DefinedPart>(name: &str) -> Definition {
    let whole = |mut part: Value| {
        let distribution = Pointer::root().child("distribution");
        let Some(Value::Object(members)) = distribution.find_mut(&mut part) else {
            return parsed(part);
        };
        members.remove("type");
        members.insert("definition_name", name.into());
        parsed(Value::Object(members.clone()))
    };
    match T::members().0.and_then(whole) {
        Ok(definition) => definition,
        Err(problem) => panic!("the definition in code is invalid:\n{problem}"),
    }
}

fn parsed(definition: Value) -> Result<Definition, String> {
    Definition::from_value(&definition).map_err(|faults| faults.to_string())
}

thread_local! {
    /// How many types are asked for their parts, each by the one around it.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// A type that is asked for its parts, which may panic.
struct AskedWithin;

impl Drop for AskedWithin {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

fn part_of(members: fn() -> PartMembers) -> Result<Value, String> {
    const DEPTH_LIMIT: usize = 8;
    let depth = DEPTH.get();
    if depth == DEPTH_LIMIT {
        return Err(format!(
            "types are more than {DEPTH_LIMIT} deep in each other; a type that contains itself has \
             no end: take what it contains out, or make it by a function, with `via`"
        ));
    }
    DEPTH.set(depth + 1);
    let _guard = AskedWithin;
    members().0
}

fn compose(members: &str, features: &[(&str, &[StatedPart<'_>])]) -> Result<Value, String> {
    let features = features
        .iter()
        .map(|(feature, parts)| composed(feature, parts));
    let features = features.collect::<Result<Vec<_>, _>>()?;
    let mut whole = json::parse(members).map_err(|error| error.to_string())?;
    if let Value::Object(members) = &mut whole {
        members.insert("features", Value::Array(features));
    }
    Ok(whole)
}

/// A feature with the parts that types of it state.
fn composed(feature: &str, parts: &[StatedPart<'_>]) -> Result<Value, String> {
    let mut feature = json::parse(feature).map_err(|error| error.to_string())?;
    for (pointer, members) in parts {
        let pointer = pointer.parse::<Pointer>();
        let pointer = pointer.map_err(|error| error.to_string())?;
        if let Some(Value::Object(part)) = pointer.find_mut(&mut feature)
            && let Value::Object(stated) = part_of(*members)?
        {
            for (name, value) in stated {
                part.insert(name, value);
            }
        }
    }
    Ok(feature)
}

/// Refuses, while compiling, a parameter that names none of the features.
///
/// # Panics
/// At compile time, if there is no such feature; `#[track_caller]` points the error at the
/// parameter.
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
