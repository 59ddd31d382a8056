//! A run after all cases have run once.

use super::executed::Executed;
use super::function::{Function, Other};
use super::plan::Plan;
use super::rows::{ChangedRows, Rows};

/// A run after all cases have run once.
#[derive(Clone, Copy)]
pub(super) struct Ran<'a> {
    pub(super) plan: &'a Plan,
    pub(super) function: &'a Function<'a>,
    pub(super) rows: &'a Rows,
    pub(super) executed: &'a Executed,
    /// The run on the benchmark's own rows, if the inputs changed.
    pub(super) recorded: Option<(&'a ChangedRows, &'a Executed)>,
    /// The function with the expected outputs and its run, if any replaces the benchmark.
    pub(super) other: Option<(&'a Other<'a>, &'a Executed)>,
}
