//! The function under test: something that makes a pass over rows.
//!
//! A pass sets up what the function needs, hands the function to [`Pass`], and drops what it set up.

use std::sync::Arc;

use super::cases::{self, Executed, RunOptions};
use super::error::{Result, RunError};
use crate::output::Outcome;
use crate::row::{BindError, Row, Vectors};

/// What a test runs.
#[derive(Clone, Copy)]
pub(crate) struct UnderTest<'f> {
    pub(crate) function: Function<'f>,
}

/// A function, as what makes a pass with it.
#[derive(Clone, Copy)]
pub(crate) enum Function<'f> {
    /// Takes a row at a time.
    Rows(&'f MakePass<'f>),
    /// Takes all rows at once.
    Vectors(&'f MakePass<'f>),
}

type MakePass<'f> = dyn Fn(Pass<'_>) -> Result<Passed> + 'f;

impl Function<'_> {
    /// Makes a pass over these rows, in this order.
    pub(super) fn pass(
        &self,
        vectors: &Arc<Vectors>,
        rows: &[usize],
        options: &RunOptions,
    ) -> Result<Executed> {
        let (Function::Rows(make) | Function::Vectors(make)) = self;
        let pass = Pass {
            vectors,
            rows,
            options,
        };
        make(pass).map(|passed| passed.0)
    }
}

/// Rows, and how to call a function on them.
pub struct Pass<'p> {
    pub(super) vectors: &'p Arc<Vectors>,
    /// The rows, in the order in which they run.
    pub(super) rows: &'p [usize],
    pub(super) options: &'p RunOptions,
}

/// The result of a pass.
#[derive(Debug)]
pub struct Passed(Executed);

impl Pass<'_> {
    /// Calls the function on each row, on as many threads as the test has.
    ///
    /// # Errors
    /// Why the run can't be judged.
    pub fn rows(
        self,
        function: impl Fn(&Row<'_>) -> Result<Outcome, CallError> + Sync,
    ) -> Result<Passed> {
        cases::run_rows(&self, &function).map(Passed)
    }

    /// Calls the function once, on all rows.
    ///
    /// # Errors
    /// Why the run can't be judged.
    pub fn vectors(
        self,
        mut function: impl FnMut(&Vectors) -> Result<Vec<Outcome>, CallError>,
    ) -> Result<Passed> {
        cases::run_vectors(&self, &mut function).map(Passed)
    }
}

/// Why a function could not be called on a row.
#[derive(Debug)]
pub enum CallError {
    /// The row is not what the function takes.
    Unbound(BindError),
}

impl From<BindError> for CallError {
    fn from(error: BindError) -> Self {
        CallError::Unbound(error)
    }
}

impl From<CallError> for RunError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Unbound(error) => error.into(),
        }
    }
}
