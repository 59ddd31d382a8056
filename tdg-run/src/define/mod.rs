//! Definitions in code.

use std::cell::RefCell;

use serde_core::de::DeserializeOwned;
use tdg_definition::json::{self, Object, Pointer, Value};
use tdg_definition::{Definition, Invalid};

mod alias;
pub mod constant;

pub use self::alias::{AnyPart, NullablePart};
use crate::{BindError, Vectors};

/// A struct whose fields are the features of a definition, each with its distribution.
///
/// [Derive](derive.Define.html) it. Only derived implementations are guaranteed to keep compiling.
#[diagnostic::on_unimplemented(
    message = "`{Self}` defines no rows",
    label = "this is not a definition",
    note = "a struct with named fields becomes one with #[derive(tdg::Define)]"
)]
pub trait Define {
    /// The names of the features in order, if known at compile time. `#[ensemble_test]` checks the
    /// names of its parameters against them.
    const FEATURES: Option<&'static [&'static str]> = None;

    /// Returns the definition.
    fn definition() -> Definition;

    /// Draws the same `size` rows as a test with this definition, seed and size, for loops,
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
    /// [`Vectors::bind`] binds rows of a type that borrows.
    ///
    /// # Errors
    /// Fails at the first row that isn't such a value, or if a feature has nulls and the field
    /// can't.
    fn rows(seed: u64, size: usize) -> Result<Vec<Self>, BindError>
    where
        Self: DeserializeOwned,
    {
        Vectors::generate(&Self::definition(), seed, size).bind()
    }
}

/// A type with a distribution of its values: an enum, whose variants are categories, or a struct,
/// whose fields are features. It is usually [derived](derive.Define.html).
#[diagnostic::on_unimplemented(
    message = "the values of a feature of type `{Self}` are unknown",
    label = "this type has no distribution",
    note = "an enum or a struct gets one with #[derive(tdg::Define)]; for a type of your library in \
            `tests/`, see docs/how-to/own-types.md",
    note = "for another type, state the type that serde reads it from, and the distribution: \
            #[define(type = INTEGER, uniform(1..=255))]; or name a function that makes it: \
            #[define(uniform(1..=255), via = {Self}::new)]",
    note = "a value that isn't part of the row is a fixture: #[fixture(…)]; to use a definition \
            file, name it: #[ensemble_test(definition = \"definitions/orders.json\")]"
)]
pub trait DefinedPart {
    /// The definition, if the type is a struct.
    const DEFINITION: StatedDefinition<'static> = (("", &[]), &[]);

    /// Returns the members `type` and `distribution` of a feature.
    fn members() -> PartMembers;

    /// Returns the members for an `Option`, which is often null in a type that contains itself.
    fn optional() -> PartMembers {
        let stated = Self::members();
        match &stated.0 {
            Ok(composed) if composed.value.get("shape").is_some() => stated.or_null(0.25),
            _ => stated,
        }
    }
}

impl<T: DefinedPart> DefinedPart for Box<T> {
    fn members() -> PartMembers {
        T::members()
    }
}

/// The members that a derived type states for a feature, or an error.
pub struct PartMembers(Result<Composed, Invalid>);

/// A part of a definition, with the shapes that it names.
struct Composed {
    value: Value,
    shapes: Vec<(&'static str, Value)>,
    /// The constants in the part, each with its value, for messages.
    constants: Vec<String>,
}

impl Composed {
    fn new(value: Value) -> Self {
        Self {
            value,
            shapes: Vec::new(),
            constants: Vec::new(),
        }
    }

    /// Takes the shapes and constants of another part, and returns its value.
    fn extend(&mut self, other: Composed) -> Value {
        self.shapes.extend(other.shapes);
        self.constants.extend(other.constants);
        other.value
    }
}

/// A type that states how its values are drawn.
#[derive(Clone, Copy)]
pub struct DefinedType {
    path: &'static str,
    name: &'static str,
    /// Set if the type may contain itself.
    budget: Option<StatedJson<'static>>,
}

/// Creates a type of that name, with a budget for the values in it, if it has one.
pub fn defined<T: ?Sized>(name: &'static str, budget: Option<StatedJson<'static>>) -> DefinedType {
    DefinedType {
        path: std::any::type_name::<T>(),
        name,
        budget,
    }
}

/// Returns the members of an enum, from the JSON of a feature with its values.
pub fn part(of: DefinedType, feature: StatedJson<'_>) -> PartMembers {
    PartMembers(of.compose(|| composed(feature)))
}

/// Returns the members of a struct, with the features of its definition.
pub fn members(of: DefinedType, definition: StatedDefinition<'_>) -> PartMembers {
    PartMembers(of.compose(|| {
        let mut whole = compose(definition)?;
        if let Value::Object(members) = &mut whole.value {
            members.remove("definition_name");
            members.insert("type", "object".into());
        }
        whole.value = Value::object([("type", "OBJECT".into()), ("distribution", whole.value)]);
        Ok(whole)
    }))
}

/// JSON that a macro writes, with the parts that types and constants state, each by its pointer.
type StatedJson<'a> = (&'a str, &'a [(&'a str, fn() -> PartMembers)]);

/// The definition that a macro writes: its JSON without features, and the JSON of each feature.
pub type StatedDefinition<'a> = (StatedJson<'a>, &'a [StatedJson<'a>]);

/// Returns the definition that a macro writes.
///
/// # Panics
/// Panics if the definition is invalid. The macros check everything at compile time except the
/// values of constants, and whether a feature and a type that is derived elsewhere fit together.
#[track_caller]
#[expect(clippy::panic, reason = "it is checked while compiling")]
pub fn definition(stated: StatedDefinition<'_>) -> Definition {
    match compose(stated).and_then(checked) {
        Ok(definition) => definition,
        Err(problem) => panic!("the definition in code is invalid:\n{problem}"),
    }
}

fn checked(mut composed: Composed) -> Result<Definition, Invalid> {
    let constants = std::mem::take(&mut composed.constants);
    let definition = Definition::from_value(&with_shapes(composed)?);
    definition.map_err(|faults| {
        let lines = std::iter::once(faults.to_string()).chain(constants);
        lines.collect::<Vec<_>>().join("\n").into()
    })
}

thread_local! {
    /// The types being composed, from the outermost to the innermost. The flag is set if a type was
    /// met again within itself.
    static ASKED: RefCell<Vec<(&'static str, bool)>> = const { RefCell::new(Vec::new()) };
}

/// Removes the innermost type when it is done or panics.
struct AskedType;

impl Drop for AskedType {
    fn drop(&mut self) {
        ASKED.with_borrow_mut(Vec::pop);
    }
}

impl DefinedType {
    /// Returns the stated members, or the name of a shape if the type contains itself.
    fn compose(
        self,
        compose: impl FnOnce() -> Result<Composed, Invalid>,
    ) -> Result<Composed, Invalid> {
        const DEPTH_LIMIT: usize = 8;
        let name = self.name;
        let shape = || Composed::new(Value::object([("shape", name.into())]));
        let depth = ASKED.with_borrow_mut(|asked| {
            let mut around = asked.iter_mut();
            if let Some((_, is_again)) = around.find(|it| it.0 == self.path) {
                *is_again = true;
                return None;
            }
            asked.push((self.path, false));
            Some(asked.len())
        });
        let Some(depth) = depth else {
            let itself = format!(
                "`{name}` contains itself, so it needs a budget: #[define(depth = 4, leaves = 64)] \
                 before `{name}`"
            );
            return self.budget.map(|_| shape()).ok_or(itself.into());
        };
        let asked = AskedType;
        if depth > DEPTH_LIMIT {
            return Err(format!("types are nested more than {DEPTH_LIMIT} deep").into());
        }
        let mut composed = compose()?;
        let is_again = ASKED.with_borrow(|asked| asked.last().is_some_and(|it| it.1));
        drop(asked);
        let (true, Some(budget)) = (is_again, self.budget) else {
            return Ok(composed);
        };
        let budget = composed.extend(self::composed(budget)?);
        if let (Value::Object(members), Value::Object(budget)) = (&mut composed.value, budget) {
            members.remove("feature_name");
            for (name, value) in budget {
                members.insert(name, value);
            }
        }
        let mut named = shape();
        let value = named.extend(composed);
        named.shapes.push((name, value));
        Ok(named)
    }
}

/// Adds the shapes that the definition names.
fn with_shapes(composed: Composed) -> Result<Value, Invalid> {
    let Composed {
        mut value, shapes, ..
    } = composed;
    let mut members = Object::new();
    for (name, shape) in shapes {
        if members.get(name).is_some_and(|other| *other != shape) {
            return Err(format!(
                "two types that contain themselves are named `{name}`, so their shapes are as \
                 well; rename one of them"
            )
            .into());
        }
        members.insert(name, shape);
    }
    if let (Value::Object(whole), false) = (&mut value, members.is_empty()) {
        whole.insert("shapes", Value::Object(members));
    }
    Ok(value)
}

fn compose((members, features): StatedDefinition<'_>) -> Result<Composed, Invalid> {
    let mut whole = composed(members)?;
    let mut values = Vec::with_capacity(features.len());
    for feature in features {
        values.push(whole.extend(composed(*feature)?));
    }
    if let Value::Object(members) = &mut whole.value {
        members.insert("features", Value::Array(values));
    }
    Ok(whole)
}

/// Returns the JSON with the parts that types and constants state.
fn composed((text, parts): StatedJson<'_>) -> Result<Composed, Invalid> {
    let value = json::parse(text).map_err(|error| error.to_string())?;
    let name = value.get("feature_name").and_then(Value::as_str);
    let place = name.map_or_else(String::new, |name| format!("in `{name}`: "));
    let mut whole = Composed::new(value);
    for (pointer, state) in parts {
        fill(&mut whole, pointer, *state).map_err(|problem| format!("{place}{problem}"))?;
    }
    for constant in &mut whole.constants {
        constant.insert_str(0, &place);
    }
    Ok(whole)
}

/// Fills in the part at that place from a type or a constant.
fn fill(whole: &mut Composed, pointer: &str, state: fn() -> PartMembers) -> Result<(), Invalid> {
    let pointer: Pointer = pointer
        .parse()
        .map_err(|error: json::PointerError| error.to_string())?;
    let stated = whole.extend(state().0?);
    match (pointer.find_mut(&mut whole.value), stated) {
        (Some(Value::Object(part)), Value::Object(stated)) => add(part, stated)?,
        (Some(stand_in), constant) => *stand_in = constant,
        (None, _) => {}
    }
    Ok(())
}

/// Adds the members that a type states. An alias only adds members that aren't written.
fn add(part: &mut Object, stated: Object) -> Result<(), Invalid> {
    let is_drawn = part.contains_key("distribution");
    for (name, value) in stated {
        if is_drawn && name != "type" {
            continue;
        }
        let written = part.get_or_insert_with(&name, || value.clone());
        if let (true, Some(written), Some(held)) =
            (*written != value, written.as_str(), value.as_str())
        {
            return Err(format!(
                "the distribution draws {written}, but the type holds {held}; write its numbers \
                 as {held}, or state what is drawn: #[define(type = {written}, …)]"
            )
            .into());
        }
    }
    Ok(())
}

/// Rejects, at compile time, a parameter that names none of the features.
///
/// # Panics
/// Panics at compile time if there isn't such a feature. `#[track_caller]` points the error at the
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
