//! A run after all cases have run once.

use crate::runner::cases::execution::Executed;
use crate::runner::cases::function::{Function, Other};
use crate::runner::plan::Plan;
use crate::runner::rows::{ChangedRows, Rows};

/// A run after all cases have run once.
#[derive(Clone, Copy)]
pub(crate) struct ExecutedRun<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) function: &'a Function<'a>,
    pub(crate) rows: &'a Rows,
    pub(crate) executed: &'a Executed,
    /// The run on the benchmark's own rows, if the inputs changed.
    pub(crate) recorded: Option<(&'a ChangedRows, &'a Executed)>,
    /// The function with the expected outputs and its run, if any replaces the benchmark.
    pub(crate) other: Option<(&'a Other<'a>, &'a Executed)>,
}
