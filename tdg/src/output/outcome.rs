//! What one call of the function under test came to.

use std::any::type_name;
use std::fmt::Display;

use serde_core::Serialize;

use super::{OutputError, to_value};
use crate::made::Refusal;
use tdg_definition::json::Value;
use tdg_engine::output::not_an_input;

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
pub struct Outcome(OutcomeKind);

#[derive(Clone, Debug, PartialEq)]
enum OutcomeKind {
    Nothing,
    Value(Value),
    Error(Value),
    /// The `Err` of a `Result<(), E>`.
    Failure(Value),
    /// There is no output, since the row is not an input.
    Refused(Value),
    Unwritable(OutputError),
}

impl Outcome {
    /// An output.
    pub fn of<T: Serialize + ?Sized>(output: &T) -> Self {
        Self(match to_value(output) {
            // A generic function can't be told by a trait that its output is a `Result`.
            Ok(value) if value.get("Err").is_some() && is_check(type_name::<T>()) => {
                OutcomeKind::Failure(value)
            }
            Ok(value) => OutcomeKind::Value(value),
            Err(error) => OutcomeKind::Unwritable(error),
        })
    }

    /// Either side of a `Result`: `{"Ok": …}` or `{"Err": …}`.
    pub fn result<T: Serialize, E: Serialize>(output: &Result<T, E>) -> Self {
        let kind = match output {
            Ok(_) => OutcomeKind::Value,
            Err(_) if is_nothing(type_name::<T>()) => OutcomeKind::Failure,
            Err(_) => OutcomeKind::Error,
        };
        Self(to_value(output).map_or_else(OutcomeKind::Unwritable, kind))
    }

    /// Nothing to record: all that is asked of the function is not to panic.
    #[must_use]
    pub fn nothing() -> Self {
        Self(OutcomeKind::Nothing)
    }

    /// The row is not an input of the function, for that reason, so it was not called:
    /// `{"$not_an_input": "…"}`.
    ///
    /// The attribute does so where `via` or `parse` gives an `Err` or `None`; a function that takes
    /// its rows apart can do it too:
    ///
    /// ```no_run
    /// # struct Money(u32);
    /// # impl Money { fn new(cents: u32) -> Result<Self, String> { Ok(Money(cents)) } }
    /// # fn total(money: &Money) -> u32 { money.0 }
    /// use tdg::Outcome;
    ///
    /// tdg::EnsembleTest::new("total")
    ///     .definition("definitions/orders.json")
    ///     .run_rows(|row| {
    ///         Ok(match Money::new(row.get("cents")?) {
    ///             Ok(money) => Outcome::of(&total(&money)),
    ///             Err(error) => Outcome::not_an_input(&error),
    ///         })
    ///     });
    /// ```
    pub fn not_an_input(reason: &(impl Display + ?Sized)) -> Self {
        Self(OutcomeKind::Refused(not_an_input(&reason.to_string())))
    }

    pub(crate) fn refused(Refusal(reason): &Refusal) -> Self {
        Self::not_an_input(reason)
    }

    /// A panic that is to be recorded: `{"$panic": "…"}`.
    pub(crate) fn panic(message: &str) -> Self {
        Self(OutcomeKind::Value(Value::object([(
            "$panic",
            Value::from(message),
        )])))
    }

    /// Whether it is the `Err` of a `Result`.
    pub(crate) fn is_error(&self) -> bool {
        matches!(self.0, OutcomeKind::Error(_) | OutcomeKind::Failure(_))
    }

    /// Whether the row is not an input.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self.0, OutcomeKind::Refused(_))
    }

    /// Whether it is the `Err` of a `Result<(), E>`, which says nothing but whether all is well.
    pub(crate) fn is_failure(&self) -> bool {
        matches!(self.0, OutcomeKind::Failure(_))
    }

    /// The value to record, if there is one.
    ///
    /// # Errors
    /// The output could not be turned into JSON.
    pub(crate) fn into_value(self) -> Result<Option<Value>, OutputError> {
        match self.0 {
            OutcomeKind::Nothing => Ok(None),
            OutcomeKind::Value(value)
            | OutcomeKind::Error(value)
            | OutcomeKind::Failure(value)
            | OutcomeKind::Refused(value) => Ok(Some(value)),
            OutcomeKind::Unwritable(error) => Err(error),
        }
    }
}

/// Whether a type of that name is `()`, or a reference to it.
fn is_nothing(name: &str) -> bool {
    name.trim_start_matches('&') == "()"
}

/// Whether a type of that name is `Result<(), E>`, or a reference to it.
fn is_check(name: &str) -> bool {
    let result = name.trim_start_matches('&');
    result.starts_with("core::result::Result<(), ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_err_of_a_result_that_returns_nothing_is_a_failure() {
        let refused: Result<(), &str> = Err("refused");
        let failures = [
            Outcome::of(&refused),
            Outcome::of(&&refused),
            Outcome::result(&refused),
            Outcome::result(&refused.as_ref()),
        ];
        assert!(failures.iter().all(Outcome::is_failure));
        let others = [
            Outcome::result(&Err::<i32, _>("refused")),
            Outcome::of(&Err::<i32, _>("refused")),
            Outcome::of(&Some(refused)),
            Outcome::of(&[refused]),
            Outcome::result(&Ok::<(), &str>(())),
            Outcome::of(&Ok::<(), &str>(())),
        ];
        assert!(!others.iter().any(Outcome::is_failure));
    }
}
