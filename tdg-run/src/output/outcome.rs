//! The result of one call of the function under test.

use std::any::type_name;
use std::fmt::{Debug, Display};

use serde_core::Serialize;

use super::debug_text::DebugText;
use super::{OutputError, members, to_value};
use crate::maker::NotAnInput;
use tdg_definition::json::Value;
use tdg_engine::output::{OutputForm, not_an_input};

/// The result of one call of the function under test: an output to record, or nothing.
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
    /// No output, since the row is not an input.
    Refused(Value),
    Unwritable(OutputError),
}

impl Outcome {
    /// Creates the outcome of an output.
    pub fn of<T: Serialize + ?Sized>(output: &T) -> Self {
        Self(match to_value(output) {
            // In a generic function, no trait can show that the output is a `Result`.
            Ok(value) if value.get("Err").is_some() && is_check(type_name::<T>()) => {
                OutcomeKind::Failure(value)
            }
            Ok(value) => OutcomeKind::Value(value),
            Err(error) => OutcomeKind::Unwritable(error),
        })
    }

    /// Creates the outcome of either side of a `Result`: `{"Ok": …}` or `{"Err": …}`.
    pub fn result<T: Serialize, E: Serialize>(output: &Result<T, E>) -> Self {
        let kind = match output {
            Ok(_) => OutcomeKind::Value,
            Err(_) if is_nothing(type_name::<T>()) => OutcomeKind::Failure,
            Err(_) => OutcomeKind::Error,
        };
        Self(to_value(output).map_or_else(OutcomeKind::Unwritable, kind))
    }

    /// Creates the outcome of an output that is only `Debug`: the text of `{:?}`, [read back into a
    /// value](attr.ensemble_test.html#outputs-by-debug).
    ///
    /// ```no_run
    /// # use tdg::Outcome;
    /// #[derive(Debug)]
    /// struct Money {
    ///     cents: i64,
    /// }
    ///
    /// # #[allow(clippy::test_attr_in_doctest)]
    /// #[test]
    /// fn total() {
    ///     tdg::EnsembleTest::new("total")
    ///         .definition("definitions/orders.json")
    ///         .ignore("/cents")
    ///         .run_rows(|row| {
    ///             let quantity: i64 = row.get("quantity")?;
    ///             Ok(Outcome::debug(&Money { cents: 100 * quantity }))
    ///         });
    /// }
    /// ```
    pub fn debug<T: Debug + ?Sized>(output: &T) -> Self {
        let text = DebugText::new(output);
        let Some(ok) = type_name::<T>()
            .trim_start_matches('&')
            .strip_prefix(RESULT)
        else {
            return Self(OutcomeKind::Value(text.into_value()));
        };
        match text.side("Ok(") {
            Some(text) => Self::side(Ok(text.into_value()), false),
            None => {
                let error = text.side("Err(").unwrap_or(text);
                Self::side(Err(error.into_value()), ok.starts_with("(), "))
            }
        }
    }

    /// Creates the outcome of an output that is only `Display`: its text.
    ///
    /// ```
    /// use tdg::Outcome;
    ///
    /// let version = Outcome::display(&std::net::Ipv4Addr::LOCALHOST);
    /// assert_ne!(version, Outcome::of("127.0.0.1"));
    /// ```
    pub fn display<T: Display + ?Sized>(output: &T) -> Self {
        Self(OutcomeKind::Value(
            OutputForm::Display.of_text(output.to_string()),
        ))
    }

    /// Creates the outcome of either side of a `Result`. In a check, the `Ok` is `()`.
    pub(crate) fn side(result: Result<Value, Value>, is_check: bool) -> Self {
        let (side, kind): (_, fn(Value) -> OutcomeKind) = match result {
            Ok(_) => ("Ok", OutcomeKind::Value),
            Err(_) if is_check => ("Err", OutcomeKind::Failure),
            Err(_) => ("Err", OutcomeKind::Error),
        };
        let (Ok(value) | Err(value)) = result;
        Self(kind(Value::object([(side, value)])))
    }

    /// Creates the outcome of the `Ok` of a `Result`, or of the text of its `Err`.
    pub(crate) fn of_side(result: Result<Self, String>) -> Self {
        match result.map(Self::into_value) {
            Ok(Ok(value)) => Self::side(Ok(value.unwrap_or_default()), false),
            Ok(Err(error)) => Self(OutcomeKind::Unwritable(error)),
            Err(text) => Self::side(Err(text.into()), false),
        }
    }

    /// Creates the outcome of an output by members of it: an object.
    pub(crate) fn members<const N: usize>(members: [(&str, Self); N]) -> Self {
        let values = members.into_iter().map(|(name, outcome)| {
            let value = outcome.into_value()?;
            Ok((name.to_owned(), value.unwrap_or_default()))
        });
        let object = values.collect::<Result<_, _>>().and_then(members::object);
        Self(object.map_or_else(OutcomeKind::Unwritable, OutcomeKind::Value))
    }

    /// Creates an outcome without an output. The function is only required not to panic.
    #[must_use]
    pub fn nothing() -> Self {
        Self(OutcomeKind::Nothing)
    }

    /// Creates the outcome of a row that is not an input of the function, for that reason, so the
    /// function was not called: `{"$not_an_input": "…"}`.
    ///
    /// The attribute uses it if `via` or `parse` returns an `Err` or `None`. A function that reads
    /// its rows itself can use it too:
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

    pub(crate) fn refused(NotAnInput(reason): &NotAnInput) -> Self {
        Self::not_an_input(reason)
    }

    /// Creates the outcome of a recorded panic: `{"$panic": "…"}`.
    pub(crate) fn panic(message: &str) -> Self {
        Self(OutcomeKind::Value(Value::object([(
            "$panic",
            Value::from(message),
        )])))
    }

    /// Returns true if the outcome is the `Err` of a `Result`.
    pub(crate) fn is_error(&self) -> bool {
        matches!(self.0, OutcomeKind::Error(_) | OutcomeKind::Failure(_))
    }

    /// Returns true if the row is not an input.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self.0, OutcomeKind::Refused(_))
    }

    /// Returns true if the outcome is the `Err` of a `Result<(), E>`, which only reports a problem.
    pub(crate) fn is_failure(&self) -> bool {
        matches!(self.0, OutcomeKind::Failure(_))
    }

    /// Returns the value to record, if there is one.
    ///
    /// # Errors
    /// Fails if the output could not be converted to JSON.
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

/// The start of the name of a `Result`.
const RESULT: &str = "core::result::Result<";

/// Returns true if a type of that name is `()`, or a reference to it.
pub(crate) fn is_nothing(name: &str) -> bool {
    name.trim_start_matches('&') == "()"
}

/// Returns true if a type of that name is `Result<(), E>`, or a reference to it.
fn is_check(name: &str) -> bool {
    let result = name.trim_start_matches('&');
    let ok = result.strip_prefix(RESULT);
    ok.is_some_and(|ok| ok.starts_with("(), "))
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

    #[test]
    fn debug_shows_the_sides_of_a_result_as_well() {
        let refused: Result<(), &str> = Err("refused");
        assert!(Outcome::debug(&refused).is_failure());
        let error = Outcome::debug(&Err::<i32, _>("refused"));
        assert!(error.is_error() && !error.is_failure());
        assert!(!Outcome::debug(&Some(refused)).is_error());
        let value = |outcome: Outcome| outcome.into_value().unwrap().unwrap().to_string();
        insta::assert_snapshot!(value(error), @r#"{"Err":{"$debug":"\"refused\""}}"#);
        insta::assert_snapshot!(value(Outcome::debug(&Ok::<_, ()>((1, 2.5)))), @r#"{"Ok":{"$debug":"(1, 2.5)"}}"#);
        insta::assert_snapshot!(value(Outcome::debug(&Some('a'))), @r#"{"$debug":"Some('a')"}"#);
        insta::assert_snapshot!(value(Outcome::display(&'a')), @r#"{"$display":"a"}"#);
    }
}
