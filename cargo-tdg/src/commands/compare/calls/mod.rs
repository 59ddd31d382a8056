//! The calls of a function at both revisions, and what came of them.
//!
//! `rows → process → outcome → compared`, by a `comparer`; `near` are more rows where few changed.

mod compared;
mod comparer;
mod near;
mod outcome;
mod process;
mod rows;

pub(crate) use compared::{CallVerdict, ChangedCall, ComparedFunction};
pub(crate) use comparer::{ComparedByCall, Comparer};
pub(crate) use process::FunctionCaller;
pub(crate) use rows::CallRows;
#[cfg(test)]
pub(crate) use {compared::Runs, outcome::CallOutcome};
