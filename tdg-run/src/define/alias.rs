//! Types whose names a macro can't interpret. The compiler resolves aliases to them.

use tdg_definition::json::Value;

use super::{Composed, DefinedPart, PartMembers};

/// A type with drawn values: one that derives `Define`, or an alias.
#[diagnostic::on_unimplemented(
    message = "the values of a feature of type `{Self}` are unknown",
    label = "the distribution doesn't say how this type is read",
    note = "state the type that serde reads it from, one of FLOAT, INTEGER, STRING, BOOLEAN, \
            DATETIME, DATE: #[define(type = INTEGER, …)]",
    note = "or name a function that makes it from the drawn value: #[define(…, via = {Self}::new)]",
    note = "an alias can be of a number, a text, or an `Option` of these; for another one, write the \
            type itself"
)]
pub trait AnyPart {
    /// Returns the members of a feature that is any value of the type.
    fn any() -> PartMembers;
}

impl<T: DefinedPart> AnyPart for T {
    fn any() -> PartMembers {
        T::members()
    }
}

impl<T: AnyPart> AnyPart for Option<T> {
    fn any() -> PartMembers {
        T::any().or_null(0.1)
    }
}

macro_rules! any_of {
    ($($kind:ty: $feature:literal, $($bound:literal = $value:expr),*;)*) => {$(
        impl AnyPart for $kind {
            fn any() -> PartMembers {
                any($feature, &[$(($bound, Value::from($value))),*])
            }
        }
    )*};
    ($($integer:ident)*) => {
        any_of! { $($integer: "INTEGER", "min" = $integer::MIN as i128, "max" = $integer::MAX as i128;)* }
    };
}

any_of! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }
any_of! {
    f32: "FLOAT", "min" = f64::from(f32::MIN), "max" = f64::from(f32::MAX);
    f64: "FLOAT",;
    bool: "BOOLEAN",;
    char: "STRING", "min_length" = 1, "max_length" = 1;
    String: "STRING",;
    &str: "STRING",;
}

fn any(kind: &str, bounds: &[(&'static str, Value)]) -> PartMembers {
    let name = ("type", Value::from("any"));
    let distribution = Value::object(bounds.iter().cloned().chain([name]));
    let value = Value::object([("type", kind.into()), ("distribution", distribution)]);
    PartMembers(Ok(Composed::new(value)))
}

impl PartMembers {
    pub(super) fn or_null(mut self, probability: f64) -> Self {
        if let Ok(Composed {
            value: Value::Object(members),
            ..
        }) = &mut self.0
        {
            members.insert("null_probability", probability.into());
        }
        self
    }
}

/// A type that can hold null.
#[diagnostic::on_unimplemented(
    message = "a row of this feature can be null, which `{Self}` can't hold",
    label = "write `Option<{Self}>`"
)]
pub trait NullablePart {
    /// Returns the members of a feature that is any value of the type.
    fn any() -> PartMembers;
}

impl<T: AnyPart> NullablePart for Option<T> {
    fn any() -> PartMembers {
        T::any()
    }
}
