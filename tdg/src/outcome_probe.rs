//! From what a test function returned to the outcome of its row.
//!
//! The attribute sees the return type's tokens, not its traits, so the compiler has to choose: the
//! expansion calls one method name on a reference to a reference to … a [`Probe`], and method
//! resolution takes the first of the traits below, from the most references to none, whose bounds
//! hold.

#![allow(missing_docs)]

use std::fmt::Display;
use std::marker::PhantomData;

use serde_core::Serialize;

use crate::output::Outcome;

/// Stands for the returned type without being a value of it, so that no method of the user's type
/// is in the way.
pub struct Probe<T>(PhantomData<T>);

impl<T> Probe<T> {
    pub fn of(_: &T) -> Self {
        Probe(PhantomData)
    }
}

/// `()`: there is nothing to record.
pub trait OfNothing {
    fn tdg_outcome(&self, returned: &()) -> Outcome;
}

impl OfNothing for &&&Probe<()> {
    fn tdg_outcome(&self, (): &()) -> Outcome {
        Outcome::nothing()
    }
}

/// A `Result` of which both arms can be recorded as they are.
pub trait OfResult<T, E> {
    fn tdg_outcome(&self, returned: &Result<T, E>) -> Outcome;
}

impl<T: Serialize, E: Serialize> OfResult<T, E> for &&Probe<Result<T, E>> {
    fn tdg_outcome(&self, returned: &Result<T, E>) -> Outcome {
        Outcome::result(returned)
    }
}

/// A `Result` whose error can only be recorded as its text.
pub trait OfResultWithText<T, E> {
    fn tdg_outcome(&self, returned: &Result<T, E>) -> Outcome;
}

impl<T: Serialize, E: Display> OfResultWithText<T, E> for &Probe<Result<T, E>> {
    fn tdg_outcome(&self, returned: &Result<T, E>) -> Outcome {
        Outcome::result(&returned.as_ref().map_err(ToString::to_string))
    }
}

/// Everything else; what can't be recorded is refused here, so that the error is about recording
/// and not about a method that is missing.
pub trait OfValue<T> {
    fn tdg_outcome(&self, returned: &T) -> Outcome
    where
        T: Recordable;
}

impl<T> OfValue<T> for Probe<T> {
    fn tdg_outcome(&self, returned: &T) -> Outcome
    where
        T: Recordable,
    {
        returned.outcome()
    }
}

/// What a test function may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be recorded as the output of a test",
    label = "doesn't implement `serde::Serialize`",
    note = "derive `serde::Serialize` for it, or return only the part that matters",
    note = "both sides of a `Result` are recorded: the `Ok` must be `Serialize`, the `Err` `Serialize` or `Display`"
)]
pub trait Recordable {
    fn outcome(&self) -> Outcome;
}

// Without this the error would be about `Serialize`, and the way there.
#[diagnostic::do_not_recommend]
impl<T: Serialize> Recordable for T {
    fn outcome(&self) -> Outcome {
        Outcome::of(self)
    }
}

/// The outcome of one call; `probe` is method resolution's choice.
pub fn outcome<T>(returned: T, probe: impl FnOnce(&T) -> Outcome) -> Outcome {
    probe(&returned)
}

/// The outcomes of one call for all rows.
pub fn outcomes<T>(returned: Vec<T>, probe: impl FnMut(&T) -> Outcome) -> Vec<Outcome> {
    returned.iter().map(probe).collect()
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use super::*;

    /// As the attribute writes it.
    macro_rules! outcome {
        ($call:expr) => {
            outcome($call, |returned| {
                (&&&&Probe::of(returned)).tdg_outcome(returned)
            })
        };
    }

    struct NotAnInput;

    impl fmt::Display for NotAnInput {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("refused")
        }
    }

    /// Can be recorded both ways.
    #[derive(serde::Serialize)]
    struct Code(i32);

    impl fmt::Display for Code {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(formatter, "code {}", self.0)
        }
    }

    #[test]
    fn a_value_is_recorded_as_it_is() {
        assert_eq!(outcome!(1.5), Outcome::of(&1.5));
        assert_eq!(outcome!("a"), Outcome::of(&"a"));
        assert_eq!(outcome!(Some(1)), Outcome::of(&Some(1)));
    }

    #[test]
    fn nothing_is_recorded_of_a_unit() {
        assert_eq!(outcome!(()), Outcome::nothing());
    }

    #[test]
    fn a_result_is_recorded_as_a_result() {
        assert_eq!(
            outcome!(Ok::<_, Code>(1)),
            Outcome::result(&Ok::<_, i32>(1))
        );
        assert_eq!(outcome!(Err::<(), _>(7)), Outcome::result(&Err::<(), _>(7)));
    }

    #[test]
    fn an_error_that_is_serialize_and_display_is_serialized() {
        assert_eq!(
            outcome!(Err::<(), _>(Code(3))),
            Outcome::result(&Err::<(), _>(3))
        );
    }

    #[test]
    fn an_error_that_is_only_display_is_recorded_as_its_text() {
        assert_eq!(
            outcome!(Err::<(), _>(NotAnInput)),
            Outcome::result(&Err::<(), _>("refused"))
        );
    }

    #[test]
    #[allow(clippy::needless_borrow)]
    fn each_row_of_a_batch_has_its_outcome() {
        let rows: Vec<Result<i32, NotAnInput>> = vec![Ok(1), Err(NotAnInput)];
        assert_eq!(
            outcomes(rows, |returned| (&&&&Probe::of(returned))
                .tdg_outcome(returned)),
            [
                outcome!(Ok::<_, NotAnInput>(1)),
                outcome!(Err::<i32, _>(NotAnInput))
            ]
        );
    }

    #[test]
    fn a_result_in_another_value_is_an_ordinary_value() {
        assert_eq!(
            outcome!(Some(Err::<(), _>(1))),
            Outcome::of(&Some(Err::<(), _>(1)))
        );
    }
}
