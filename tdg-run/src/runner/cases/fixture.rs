//! The fixtures of a test, and errors while setting them up.

use std::error::Error;
use std::fmt::Write as _;

use super::panics::{Panic, catch};
use super::row_pass::Passed;
use crate::runner::error::{Result, RunError};

/// An error while setting up a fixture.
///
/// This doesn't implement [`Error`], so that `?` can convert every error into it.
#[derive(Debug)]
pub struct SetUpError(Box<dyn Error>);

impl<E: Into<Box<dyn Error>>> From<E> for SetUpError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

/// Sets up the value of a fixture.
///
/// # Errors
/// Fails if it could not be set up.
pub fn fixture<T>(name: &str, set_up: impl FnOnce() -> Result<T, SetUpError>) -> Result<T> {
    let reason = match catch(set_up) {
        Ok(Ok(value)) => return Ok(value),
        Ok(Err(error)) => format!("can't be set up: {}", with_causes(&*error.0)),
        Err(panic) => format!("panicked while it was set up: {}", told(&panic)),
    };
    Err(RunError::new(format!("the fixture `{name}` {reason}")))
}

/// Makes a pass with fixtures, and drops them at its end.
///
/// # Errors
/// Fails if the pass does, or if a fixture panicked when it was dropped.
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

/// Appends the causes of an error, unless its message already contains them.
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
