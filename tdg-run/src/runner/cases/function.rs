//! The function under test, as a closure that makes a pass over rows.
//!
//! A pass sets up what the function needs, hands the function to [`Pass`], and drops the fixtures.

use std::sync::Arc;

use super::execution::Executed;
use super::row_pass::{MorePasses, Pass, Passed};
use super::run_options::RunOptions;
use crate::row::Vectors;
use crate::runner::error::Result;
use crate::test_options::Panics;

/// The function under test and the one that it is compared with.
#[derive(Clone, Copy)]
pub(crate) struct UnderTest<'f> {
    pub(crate) function: Function<'f>,
    /// The function with the expected outputs, if any replaces the benchmark.
    pub(crate) against: Option<Other<'f>>,
}

impl<'f> From<Function<'f>> for UnderTest<'f> {
    /// Compares the function's outputs with a benchmark's.
    fn from(function: Function<'f>) -> Self {
        Self {
            function,
            against: None,
        }
    }
}

/// A function whose outputs are expected.
#[derive(Clone, Copy)]
pub struct Other<'f> {
    /// Its name, for messages.
    pub name: &'f str,
    /// The function itself.
    pub function: Function<'f>,
}

impl Other<'_> {
    /// Makes a pass over these rows, in this order. A panic counts as an output.
    pub(crate) fn pass(
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

/// A function, in the form of a closure that makes a pass with it.
#[derive(Clone, Copy)]
pub enum Function<'f> {
    /// Takes a row at a time.
    Rows(&'f MakePass<'f>),
    /// Takes all rows at once.
    Vectors(&'f MakePass<'f>),
}

type MakePass<'f> = dyn Fn(Pass<'_>) -> Result<Passed> + 'f;

impl Function<'_> {
    /// Makes a pass over these rows, in this order.
    pub(crate) fn pass(
        &self,
        vectors: &Arc<Vectors>,
        rows: &[usize],
        options: &RunOptions,
    ) -> Result<Executed> {
        self.make(Pass {
            vectors,
            rows,
            options,
            more: None,
        })
    }

    /// Makes a pass over all rows, and may make those after it.
    pub(crate) fn passes(
        &self,
        vectors: &Arc<Vectors>,
        options: &RunOptions,
        more: &dyn MorePasses,
    ) -> Result<Executed> {
        let rows: Vec<usize> = (0..vectors.size()).collect();
        self.make(Pass {
            vectors,
            rows: &rows,
            options,
            more: Some(more),
        })
    }

    fn make(&self, pass: Pass<'_>) -> Result<Executed> {
        let (Function::Rows(make) | Function::Vectors(make)) = self;
        make(pass).map(|passed| passed.0)
    }
}
