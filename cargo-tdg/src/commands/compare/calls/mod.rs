//! Calls functions at both revisions and compares the results.
//!
//! `rows → process → outcome → compared`, driven by `comparer`. `near` adds rows if few changed.

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
