//! The function under test: something that makes a pass over rows.
//!
//! A pass sets up what the function needs, hands the function to [`Pass`], and drops what it set
//! up.

use std::sync::Arc;

use super::cases::{self, Executed, RunOptions};
use super::error::{Result, RunError};
use crate::output::Outcome;
use crate::row::{BindError, FoundFeature, Row, Vectors};
use crate::test_options::Panics;

/// What a test runs.
#[derive(Clone, Copy)]
pub(crate) struct UnderTest<'f> {
    pub(crate) function: Function<'f>,
    /// Where the outputs are compared with those of another function.
    pub(crate) against: Option<Other<'f>>,
}

impl<'f> From<Function<'f>> for UnderTest<'f> {
    /// The function alone: its outputs are compared with a benchmark's.
    fn from(function: Function<'f>) -> Self {
        Self {
            function,
            against: None,
        }
    }
}

/// A function whose outputs are the expected ones.
#[derive(Clone, Copy)]
pub(crate) struct Other<'f> {
    /// Its name, for messages.
    pub(crate) name: &'f str,
    pub(crate) function: Function<'f>,
}

impl Other<'_> {
    /// Makes a pass over these rows, in this order. A panic is an output as well.
    pub(super) fn pass(
        &self,
        vectors: &Arc<Vectors>,
        rows: &[usize],
        options: &RunOptions,
    ) -> Result<Executed> {
        let mut options = RunOptions {
            panics: Panics::Record,
            ..options.clone()
        };
        let test = &options.subject.name;
        options.subject.name = format!("{test} (in {})", self.name);
        let executed = self.function.pass(vectors, rows, &options);
        executed.map_err(|error| error.within(self.name))
    }
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

impl<'p> Pass<'p> {
    /// The features of these names, found once for all rows.
    pub fn features<const N: usize>(&self, names: [&str; N]) -> [FoundFeature<'p>; N] {
        let vectors: &'p Vectors = self.vectors;
        names.map(|name| vectors.find(name))
    }

    /// Calls the function on each row, on as many threads as the test has.
    ///
    /// # Errors
    /// Why the run can't be judged.
    pub fn rows(
        self,
        function: impl Fn(&Row<'p>) -> Result<Outcome, CallError> + Sync,
    ) -> Result<Passed> {
        cases::run_rows(&self, &function).map(Passed)
    }

    /// Calls the function on each row, one after the other.
    ///
    /// # Errors
    /// Why the run can't be judged.
    pub fn rows_in_turn(
        self,
        mut function: impl FnMut(&Row<'p>) -> Result<Outcome, CallError>,
    ) -> Result<Passed> {
        cases::run_in_turn(&self, &mut function).map(Passed)
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
    /// What the function needs beside the row could not be set up.
    SetUp(Box<RunError>),
}

impl From<BindError> for CallError {
    fn from(error: BindError) -> Self {
        CallError::Unbound(error)
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
            CallError::SetUp(error) => *error,
        }
    }
}
