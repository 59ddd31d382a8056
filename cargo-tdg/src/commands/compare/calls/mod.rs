//! Calls functions at both revisions and compares the results.
//!
//! `rows → process, row_clock → outcome → called_versions → comparison → cause`, driven by
//! `comparer`.

mod called_versions;
mod cause;
mod comparer;
mod comparison;
mod outcome;
mod process;
mod row_clock;
mod rows;

pub(crate) use comparer::{ComparedByCall, Comparer};
pub(crate) use comparison::{CallVerdict, ChangedCall, ComparedFunction, Example, Runs};
pub(crate) use outcome::{CallOutcome, next_token, tokens, value_of};
pub(crate) use process::FunctionCaller;
pub(crate) use rows::CallRows;
