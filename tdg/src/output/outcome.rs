//! What one call of the function under test came to.

use serde_core::Serialize;

use super::{Error, to_value};
use tdg_definition::json::Value;

/// What one call of the function under test came to: an output to record, or nothing.
///
/// ```
/// use tdg::Outcome;
///
/// let price = Outcome::of(&12.5);
/// let refused = Outcome::result(&Err::<f64, _>("out of stock"));
/// assert_ne!(price, refused);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome(Kind);

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Nothing,
    Value(Value),
    Error(Value),
    Unwritable(Error),
}

impl Outcome {
    /// An output.
    pub fn of<T: Serialize + ?Sized>(output: &T) -> Self {
        Self(to_value(output).map_or_else(Kind::Unwritable, Kind::Value))
    }

    /// Either side of a `Result`: `{"Ok": …}` or `{"Err": …}`.
    pub fn result<T: Serialize, E: Serialize>(output: &Result<T, E>) -> Self {
        let kind = if output.is_ok() {
            Kind::Value
        } else {
            Kind::Error
        };
        Self(to_value(output).map_or_else(Kind::Unwritable, kind))
    }

    /// Nothing to record: all that is asked of the function is not to panic.
    #[must_use]
    pub fn nothing() -> Self {
        Self(Kind::Nothing)
    }

    /// A panic that is to be recorded: `{"$panic": "…"}`.
    pub(crate) fn panic(message: &str) -> Self {
        Self(Kind::Value(Value::object([(
            "$panic",
            Value::from(message),
        )])))
    }

    /// Whether it is the `Err` of a `Result`.
    pub(crate) fn is_error(&self) -> bool {
        matches!(self.0, Kind::Error(_))
    }

    /// The value to record, if there is one.
    ///
    /// # Errors
    /// The output could not be turned into JSON.
    pub(crate) fn into_value(self) -> Result<Option<Value>, Error> {
        match self.0 {
            Kind::Nothing => Ok(None),
            Kind::Value(value) | Kind::Error(value) => Ok(Some(value)),
            Kind::Unwritable(error) => Err(error),
        }
    }
}
