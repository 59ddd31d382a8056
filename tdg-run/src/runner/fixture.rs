//! What a test sets up for its function, and how that fails.

use std::error::Error;
use std::fmt::Write as _;

use super::error::{Result, RunError};
use super::panics::{Panic, catch};
use super::pass::Passed;

/// Why a fixture could not be set up.
///
/// Not an [`Error`] itself, so that `?` makes it from all of them.
#[derive(Debug)]
pub struct SetUpError(Box<dyn Error>);

impl<E: Into<Box<dyn Error>>> From<E> for SetUpError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

/// The value of a fixture.
///
/// # Errors
/// It could not be set up.
pub fn fixture<T>(name: &str, set_up: impl FnOnce() -> Result<T, SetUpError>) -> Result<T> {
    let reason = match catch(set_up) {
        Ok(Ok(value)) => return Ok(value),
        Ok(Err(error)) => format!("can't be set up: {}", with_causes(&*error.0)),
        Err(panic) => format!("panicked while it was set up: {}", told(&panic)),
    };
    Err(RunError::new(format!("the fixture `{name}` {reason}")))
}

/// Makes a pass with fixtures, which it drops at its end.
///
/// # Errors
/// As of the pass; or a fixture panicked when it was dropped.
pub fn with_fixtures(pass: impl FnOnce() -> Result<Passed>) -> Result<Passed> {
    catch(pass).unwrap_or_else(|panic| {
        let reason = told(&panic);
        Err(RunError::new(format!(
            "a fixture panicked while it was dropped: {reason}"
        )))
    })
}

/// Checks that the threads of a test can share a fixture.
pub fn shared<T: Shareable>(_: &T) {}

/// A fixture that several threads can share.
#[diagnostic::on_unimplemented(
    message = "the threads of this test can't share `{Self}`",
    label = "is not `Sync`",
    note = "leave out `threads`, or make one for each row: #[fixture(each_row, …)]"
)]
pub trait Shareable {}

#[diagnostic::do_not_recommend]
impl<T: Sync> Shareable for T {}

/// The error with those that caused it, unless it tells of them itself.
fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = error.to_string();
        if !text.contains(&message) {
            let _ = write!(text, "\ncaused by: {message}");
        }
        cause = error.source();
    }
    text
}

fn told(panic: &Panic) -> String {
    match &panic.location {
        Some(location) => format!("{} (at {location})", panic.message),
        None => panic.message.clone(),
    }
}
