//! Conversion of a test function's return value to the outcome of its row.
//!
//! The attribute sees the return type's tokens but not its traits, so the compiler has to choose.
//! The expansion calls a method through several references to a [`Probe`], and method resolution
//! takes the first of the traits below whose bounds hold, from the most references to none.

#![allow(missing_docs)]

use std::any::type_name;
use std::fmt::{Debug, Display};
use std::marker::PhantomData;

use serde_core::Serialize;
use tdg_definition::json::Value;
use tdg_engine::output::OutputForm;

use crate::output::{DebugText, Outcome, is_nothing};

/// Represents the return type and the trait that writes it. It isn't a value of the type, so no
/// method of the user's type gets in the way.
pub struct Probe<T, Form = BySerialize>(PhantomData<(T, Form)>);

pub struct BySerialize;
pub struct ByDebug;
pub struct ByDisplay;
pub struct ByMembers;

impl<T> Probe<T> {
    pub fn of(_: &T) -> Self {
        Probe(PhantomData)
    }
}

impl<T> Probe<T, ByDebug> {
    pub fn debug(_: &T) -> Self {
        Probe(PhantomData)
    }
}

impl<T> Probe<T, ByDisplay> {
    pub fn display(_: &T) -> Self {
        Probe(PhantomData)
    }
}

impl<T> Probe<T, ByMembers> {
    pub fn members(_: &T) -> Self {
        Probe(PhantomData)
    }
}

/// `()`: there is nothing to record.
pub trait OfNothing {
    fn tdg_outcome(&self, returned: &()) -> Outcome;
}

impl<Form> OfNothing for &&&&Probe<(), Form> {
    fn tdg_outcome(&self, (): &()) -> Outcome {
        Outcome::nothing()
    }
}

/// A `Result` with two sides that can be recorded as they are.
pub trait OfResult<T, E> {
    fn tdg_outcome(&self, returned: &Result<T, E>) -> Outcome;
}

impl<T: Serialize, E: Serialize> OfResult<T, E> for &&&Probe<Result<T, E>> {
    fn tdg_outcome(&self, returned: &Result<T, E>) -> Outcome {
        Outcome::result(returned)
    }
}

impl<T: Debug, E: Debug> OfResult<T, E> for &&&Probe<Result<T, E>, ByDebug> {
    fn tdg_outcome(&self, returned: &Result<T, E>) -> Outcome {
        side::<T>(returned.as_ref().map(debug).map_err(debug))
    }
}

impl<T: Display, E: Display> OfResult<T, E> for &&&Probe<Result<T, E>, ByDisplay> {
    fn tdg_outcome(&self, returned: &Result<T, E>) -> Outcome {
        side::<T>(returned.as_ref().map(display).map_err(display))
    }
}

/// A `Result` whose error can only be recorded as its text.
pub trait OfResultWithText<T, E> {
    fn tdg_outcome(&self, returned: &Result<T, E>) -> Outcome;
}

impl<T: Serialize, E: Display> OfResultWithText<T, E> for &&Probe<Result<T, E>> {
    fn tdg_outcome(&self, returned: &Result<T, E>) -> Outcome {
        Outcome::result(&returned.as_ref().map_err(ToString::to_string))
    }
}

impl<T: Debug, E: Display> OfResultWithText<T, E> for &&Probe<Result<T, E>, ByDebug> {
    fn tdg_outcome(&self, returned: &Result<T, E>) -> Outcome {
        side::<T>(returned.as_ref().map(debug).map_err(display))
    }
}

/// A `Result` whose error only has the text of `Debug`.
pub trait OfResultWithDebug<T, E> {
    fn tdg_outcome(&self, returned: &Result<T, E>) -> Outcome;
}

impl<T: Serialize, E: Debug> OfResultWithDebug<T, E> for &Probe<Result<T, E>> {
    fn tdg_outcome(&self, returned: &Result<T, E>) -> Outcome {
        Outcome::result(&returned.as_ref().map_err(|error| format!("{error:?}")))
    }
}

fn side<T>(result: Result<Value, Value>) -> Outcome {
    Outcome::side(result, is_nothing(type_name::<T>()))
}

fn debug(value: &impl Debug) -> Value {
    DebugText::new(value).into_value()
}

fn display(value: &impl Display) -> Value {
    OutputForm::Display.of_text(value.to_string())
}

/// Every other type. Unrecordable types are rejected here, so that the error says that instead of
/// naming a missing method.
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

/// The types that a test function may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be recorded as the output of a test",
    label = "doesn't implement `serde::Serialize`",
    note = "derive `serde::Serialize` for it, or write `output = \"debug\"` in the attribute to record its `Debug`",
    note = "a type of another crate may implement it with that crate's feature `serde`",
    note = "both sides of a `Result` are recorded: the `Ok` must be `Serialize`, the `Err` `Serialize`, `Display` or `Debug`"
)]
pub trait Recordable {
    fn outcome(&self) -> Outcome;
}

// Without this, the error would be about `Serialize` and the path to it.
#[diagnostic::do_not_recommend]
impl<T: Serialize> Recordable for T {
    fn outcome(&self) -> Outcome {
        Outcome::of(self)
    }
}

pub trait OfValueByDebug<T> {
    fn tdg_outcome(&self, returned: &T) -> Outcome
    where
        T: RecordableByDebug;
}

impl<T> OfValueByDebug<T> for Probe<T, ByDebug> {
    fn tdg_outcome(&self, returned: &T) -> Outcome
    where
        T: RecordableByDebug,
    {
        returned.outcome()
    }
}

/// The types that it may return with `output = "debug"`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be recorded by `Debug` as the output of a test",
    label = "doesn't implement `Debug`",
    note = "derive `Debug` for it, or write `output = \"display\"` if it is `Display`, or list public members of it: `output = [len(), width]`",
    note = "both sides of a `Result` are recorded: the `Ok` must be `Debug`, the `Err` `Debug` or `Display`"
)]
pub trait RecordableByDebug {
    fn outcome(&self) -> Outcome;
}

#[diagnostic::do_not_recommend]
impl<T: Debug> RecordableByDebug for T {
    fn outcome(&self) -> Outcome {
        Outcome::debug(self)
    }
}

pub trait OfValueByDisplay<T> {
    fn tdg_outcome(&self, returned: &T) -> Outcome
    where
        T: RecordableByDisplay;
}

impl<T> OfValueByDisplay<T> for Probe<T, ByDisplay> {
    fn tdg_outcome(&self, returned: &T) -> Outcome
    where
        T: RecordableByDisplay,
    {
        returned.outcome()
    }
}

/// The types that it may return with `output = "display"`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be recorded by `Display` as the output of a test",
    label = "doesn't implement `Display`",
    note = "implement `Display` for it, or write `output = \"debug\"` if it is `Debug`",
    note = "both sides of a `Result` are recorded: the `Ok` and the `Err` must be `Display`"
)]
pub trait RecordableByDisplay {
    fn outcome(&self) -> Outcome;
}

#[diagnostic::do_not_recommend]
impl<T: Display> RecordableByDisplay for T {
    fn outcome(&self) -> Outcome {
        Outcome::display(self)
    }
}

/// A `Result`: the members of its `Ok`, or the text of its error.
pub trait OfMembersOfResult<T, E> {
    fn tdg_members(&self, returned: &Result<T, E>, members: impl Fn(&T) -> Outcome) -> Outcome;
}

impl<T, E: Display> OfMembersOfResult<T, E> for &&&Probe<Result<T, E>, ByMembers> {
    fn tdg_members(&self, returned: &Result<T, E>, members: impl Fn(&T) -> Outcome) -> Outcome {
        let returned = returned.as_ref().map_err(ToString::to_string);
        Outcome::of_side(returned.map(members))
    }
}

/// A `Result` whose error only has the text of `Debug`.
pub trait OfMembersOfResultWithDebug<T, E> {
    fn tdg_members(&self, returned: &Result<T, E>, members: impl Fn(&T) -> Outcome) -> Outcome;
}

impl<T, E: Debug> OfMembersOfResultWithDebug<T, E> for &&Probe<Result<T, E>, ByMembers> {
    fn tdg_members(&self, returned: &Result<T, E>, members: impl Fn(&T) -> Outcome) -> Outcome {
        let returned = returned.as_ref().map_err(|error| format!("{error:?}"));
        Outcome::of_side(returned.map(members))
    }
}

/// An `Option`: the members of its value.
pub trait OfMembersOfOption<T> {
    fn tdg_members(&self, returned: &Option<T>, members: impl Fn(&T) -> Outcome) -> Outcome;
}

impl<T> OfMembersOfOption<T> for &Probe<Option<T>, ByMembers> {
    fn tdg_members(&self, returned: &Option<T>, members: impl Fn(&T) -> Outcome) -> Outcome {
        returned.as_ref().map_or_else(|| Outcome::of(&()), members)
    }
}

/// Every other type.
pub trait OfMembers<T> {
    fn tdg_members(&self, returned: &T, members: impl Fn(&T) -> Outcome) -> Outcome;
}

impl<T> OfMembers<T> for Probe<T, ByMembers> {
    fn tdg_members(&self, returned: &T, members: impl Fn(&T) -> Outcome) -> Outcome {
        members(returned)
    }
}

/// A member of an output.
pub trait OfMember<T> {
    fn tdg_member(&self, member: &T) -> Outcome;
}

impl<T: Serialize> OfMember<T> for &Probe<T> {
    fn tdg_member(&self, member: &T) -> Outcome {
        Outcome::of(member)
    }
}

/// Every other member.
pub trait OfMemberByDebug<T> {
    fn tdg_member(&self, member: &T) -> Outcome
    where
        T: RecordableMember;
}

impl<T> OfMemberByDebug<T> for Probe<T> {
    fn tdg_member(&self, member: &T) -> Outcome
    where
        T: RecordableMember,
    {
        Outcome::of(&member.text())
    }
}

/// The types of members that are recorded as a text.
#[diagnostic::on_unimplemented(
    message = "a member of type `{Self}` can't be recorded",
    label = "implements neither `serde::Serialize` nor `Debug`",
    note = "list other members in `output`, or return a part of this one from the function"
)]
pub trait RecordableMember {
    fn text(&self) -> String;
}

#[diagnostic::do_not_recommend]
impl<T: Debug> RecordableMember for T {
    fn text(&self) -> String {
        format!("{self:?}")
    }
}

/// Returns the outcome of an output by these members.
pub fn members<const N: usize>(members: [(&str, Outcome); N]) -> Outcome {
    Outcome::members(members)
}

/// Returns the outcome of one call. Method resolution chooses `probe`.
pub fn outcome<T>(returned: T, probe: impl FnOnce(&T) -> Outcome) -> Outcome {
    probe(&returned)
}

/// Returns the outcomes of one call for all rows.
pub fn outcomes<T>(returned: Vec<T>, probe: impl FnMut(&T) -> Outcome) -> Vec<Outcome> {
    returned.iter().map(probe).collect()
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use super::*;

    /// Calls the probe like the attribute does.
    macro_rules! outcome {
        ($call:expr) => {
            outcome($call, |returned| {
                (&&&&&Probe::of(returned)).tdg_outcome(returned)
            })
        };
    }

    struct NotAnInput;

    impl fmt::Display for NotAnInput {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("refused")
        }
    }

    /// A type that can be recorded both ways.
    #[derive(serde::Serialize)]
    struct Code(i32);

    impl fmt::Display for Code {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(formatter, "code {}", self.0)
        }
    }

    /// Calls the probe like the attribute with `output = "debug"` or `output = "display"`.
    macro_rules! outcome_by {
        ($form:ident, $call:expr) => {
            outcome($call, |returned| {
                (&&&&&Probe::$form(returned)).tdg_outcome(returned)
            })
        };
    }

    #[test]
    fn only_what_is_recorded_otherwise_has_another_form() {
        #[derive(Debug)]
        struct Money(i32);
        let text = |form: OutputForm, text: &str| form.of_text(text.to_owned());
        let (debug, display) = (OutputForm::Debug, OutputForm::Display);
        assert_eq!(outcome_by!(debug, ()), Outcome::nothing());
        assert_eq!(outcome_by!(display, ()), Outcome::nothing());
        assert_eq!(outcome_by!(debug, Money(5)), Outcome::debug(&Money(5)));
        assert_eq!(outcome_by!(debug, Money(5).0), Outcome::debug(&5));
        assert_eq!(outcome_by!(display, 5), Outcome::display(&5));
        assert_eq!(
            outcome_by!(debug, Ok::<_, NotAnInput>(Money(5))),
            Outcome::side(Ok(text(debug, "Money(5)")), false)
        );
        assert_eq!(
            outcome_by!(debug, Err::<(), _>(NotAnInput)),
            Outcome::side(Err(text(display, "refused")), true)
        );
        assert_eq!(
            outcome_by!(debug, Err::<i32, _>("a")),
            Outcome::side(Err(text(debug, "\"a\"")), false)
        );
        assert_eq!(
            outcome_by!(display, Err::<i32, _>(NotAnInput)),
            Outcome::side(Err(text(display, "refused")), false)
        );
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
    fn an_error_that_is_only_debug_is_recorded_as_its_text() {
        #[derive(Debug)]
        struct Code(#[allow(dead_code)] i32);
        assert_eq!(
            outcome!(Err::<(), _>(Code(3))),
            Outcome::result(&Err::<(), _>("Code(3)"))
        );
        assert_eq!(
            outcome!(Ok::<_, Code>(1)),
            Outcome::result(&Ok::<_, i32>(1))
        );
    }

    #[test]
    #[allow(clippy::needless_borrow)]
    fn each_row_of_a_batch_has_its_outcome() {
        let rows: Vec<Result<i32, NotAnInput>> = vec![Ok(1), Err(NotAnInput)];
        assert_eq!(
            outcomes(rows, |returned| (&&&&&Probe::of(returned))
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
