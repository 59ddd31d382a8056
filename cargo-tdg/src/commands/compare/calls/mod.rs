//! Calls functions at both revisions and compares the results.
//!
//! `rows → process → outcome → comparison`, driven by `comparer`. `nearby_rows` adds rows if few
//! changed.

mod comparer;
mod comparison;
mod outcome;
mod process;
mod rows;

pub(crate) use comparer::{ComparedByCall, Comparer};
pub(crate) use comparison::{CallVerdict, ChangedCall, ComparedFunction, Example, Runs};
pub(crate) use outcome::{CallOutcome, next_token, tokens, value_of};
pub(crate) use process::FunctionCaller;
pub(crate) use rows::CallRows;
