//! A pass over rows, and its result.

use std::sync::Arc;

use serde_core::Deserialize;

use super::execution::Executed;
use super::run_options::RunOptions;
use crate::maker::NotAnInput;
use crate::output::Outcome;
use crate::row::{BindError, Vectors};
use crate::runner::error::{Result, RunError};

/// Rows, and the options for calling a function on them.
#[derive(Clone, Copy)]
pub struct Pass<'p> {
    pub(crate) vectors: &'p Arc<Vectors>,
    /// The rows, in the order in which they run.
    pub(crate) rows: &'p [usize],
    pub(crate) options: &'p RunOptions,
    /// The passes after it, if there may be any.
    pub(crate) more: Option<&'p dyn MorePasses>,
}

/// Passes whose rows depend on the results of former ones.
pub(crate) trait MorePasses: Sync {
    /// Takes the result of a pass, and returns the rows of the next one.
    fn next(&self, passed: Result<Executed>) -> Option<Arc<Vectors>>;
}

impl Pass<'_> {
    /// Makes this pass and all after it, so that fixtures are set up once.
    ///
    /// # Errors
    /// Fails if the last pass does.
    pub fn each(self, mut make: impl FnMut(Pass<'_>) -> Result<Passed>) -> Result<Passed> {
        let mut passed = make(Pass { more: None, ..self });
        if let Some(more) = self.more {
            while let Some(vectors) = more.next(passed.map(|it| it.0)) {
                let rows: Vec<usize> = (0..vectors.size()).collect();
                passed = make(Pass {
                    vectors: &vectors,
                    rows: &rows,
                    options: self.options,
                    more: None,
                });
            }
            passed = Ok(Passed(Executed::with_capacity(0, 0)));
        }
        passed
    }
}

/// The result of a pass.
#[derive(Debug)]
pub struct Passed(pub(crate) Executed);

/// Calls a function once with all rows that are inputs, and returns its outcomes.
///
/// # Errors
/// Fails if the function can't take a row or returns a different number of outcomes.
pub fn batch<'a, T: Deserialize<'a>>(
    vectors: &'a Vectors,
    call: impl FnOnce(Vec<T>) -> Vec<Outcome>,
) -> Result<Vec<Outcome>, CallError> {
    let mut refusals = Vec::new();
    let inputs = vectors.inputs(|row, refusal| refusals.push((row, refusal)))?;
    let count = inputs.len();
    let outcomes = call(inputs);
    check_count(outcomes.len(), count)?;
    let mut refusals = refusals.into_iter().peekable();
    let mut outcomes = outcomes.into_iter();
    let outcome = |row| match refusals.next_if(|(refused, _)| *refused == row) {
        Some((_, refusal)) => Some(Outcome::refused(&refusal)),
        None => outcomes.next(),
    };
    Ok((0..vectors.size()).filter_map(outcome).collect())
}

/// Fails if the number of outcomes isn't the number of rows.
pub(super) fn check_count(outcomes: usize, rows: usize) -> Result<(), RunError> {
    if outcomes == rows {
        return Ok(());
    }
    Err(RunError::new(format!(
        "the batch function returned {outcomes} outputs for {rows} rows; it must return one per \
         row, in the same order"
    )))
}

/// The reason why a function could not be called on a row.
#[derive(Debug)]
pub enum CallError {
    /// The row doesn't have the features and types that the function takes.
    Unbound(BindError),
    /// A maker refused the row.
    Refused(NotAnInput),
    /// A fixture could not be set up.
    SetUp(Box<RunError>),
}

impl From<BindError> for CallError {
    fn from(error: BindError) -> Self {
        match error.into_refusal() {
            Ok(refusal) => CallError::Refused(refusal),
            Err(error) => CallError::Unbound(error),
        }
    }
}

impl From<NotAnInput> for CallError {
    fn from(refusal: NotAnInput) -> Self {
        CallError::Refused(refusal)
    }
}

impl From<RunError> for CallError {
    fn from(error: RunError) -> Self {
        CallError::SetUp(Box::new(error))
    }
}

impl From<CallError> for RunError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Unbound(error) => error.into(),
            CallError::Refused(NotAnInput(reason)) => {
                RunError::new(format!("a row is not an input: {reason}"))
            }
            CallError::SetUp(error) => *error,
        }
    }
}
