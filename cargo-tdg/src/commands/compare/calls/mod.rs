//! The calls of a function at both revisions, and what came of them.
//!
//! `rows → process → outcome → compared`; `near` are more rows where few changed.

mod compared;
mod near;
mod outcome;
mod process;
mod rows;

pub(crate) use compared::{CallVerdict, ChangedCall, ComparedFunction, Runs, differ, rare_rows};
#[cfg(test)]
pub(crate) use outcome::CallOutcome;
pub(crate) use process::FunctionCaller;
pub(crate) use rows::CallRows;
