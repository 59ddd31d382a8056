//! Named constants in a definition. A macro doesn't know their values, so the test fills them in.

use tdg_definition::json::{Number, Value};

use super::{Composed, PartMembers};

/// A constant that replaces a number in a definition.
#[diagnostic::on_unimplemented(
    message = "expected a number, found `{Self}`",
    label = "this is not a number",
    note = "the constant of a number is of an integer type, or `f32` or `f64`"
)]
pub trait NumberConstant {
    /// Returns the number.
    fn number(self) -> Number;
}

/// A constant that replaces a value of any type in a definition.
#[diagnostic::on_unimplemented(
    message = "expected a value of a definition, found `{Self}`",
    label = "this is not a number, a text or a `bool`"
)]
pub trait ValueConstant {
    /// Returns the value.
    fn value(self) -> Value;
}

impl<T: NumberConstant> ValueConstant for T {
    fn value(self) -> Value {
        self.number().into()
    }
}

macro_rules! numbers {
    ($($kind:ty: $wide:ty),*) => {$(
        impl NumberConstant for $kind {
            fn number(self) -> Number {
                Number::from(self as $wide)
            }
        }
    )*};
}

numbers! { i8: i128, i16: i128, i32: i128, i64: i128, i128: i128, isize: i128 }
numbers! { u8: u128, u16: u128, u32: u128, u64: u128, u128: u128, usize: u128 }
numbers! { f32: f32, f64: f64 }

impl ValueConstant for bool {
    fn value(self) -> Value {
        self.into()
    }
}

impl ValueConstant for char {
    fn value(self) -> Value {
        self.to_string().into()
    }
}

impl ValueConstant for &str {
    fn value(self) -> Value {
        self.into()
    }
}

/// Fills in a constant in place of a number. `written` is its source text.
pub fn number(written: &str, constant: impl NumberConstant) -> PartMembers {
    filled(written, constant.number().into())
}

/// Fills in a constant in place of a value of any type. `written` is its source text.
pub fn value(written: &str, constant: impl ValueConstant) -> PartMembers {
    filled(written, constant.value())
}

/// Fills in a constant that is the excluded end of a range of integers.
pub fn end(written: &str, constant: impl NumberConstant) -> PartMembers {
    let number = constant.number();
    match number.as_i128().filter(|_| !number.is_float()) {
        Some(end) => filled(written, end.saturating_sub(1).into()),
        None => PartMembers(Err(format!(
            "`{written}` is {number}, but the values of the range are integers; end it with an \
             integer, or write ..={written}"
        )
        .into())),
    }
}

fn filled(written: &str, value: Value) -> PartMembers {
    let constant = format!("`{written}` is {value}");
    PartMembers(Ok(Composed {
        constants: vec![constant],
        ..Composed::new(value)
    }))
}
