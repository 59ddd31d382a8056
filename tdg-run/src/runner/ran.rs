//! A run whose cases have all been run once.

use super::executed::Executed;
use super::function::{Function, Other};
use super::plan::Plan;
use super::rows::{ChangedRows, Rows};

/// A run whose cases have all been run once.
#[derive(Clone, Copy)]
pub(super) struct Ran<'a> {
    pub(super) plan: &'a Plan,
    pub(super) function: &'a Function<'a>,
    pub(super) rows: &'a Rows,
    pub(super) executed: &'a Executed,
    /// The run on the benchmark's own rows, where the inputs changed.
    pub(super) recorded: Option<(&'a ChangedRows, &'a Executed)>,
    /// The function that gave the expected outputs, and its run, where it isn't a benchmark's.
    pub(super) other: Option<(&'a Other<'a>, &'a Executed)>,
}
