//! The calls of a function at both revisions, and what came of them.
//!
//! `rows → process → outcome → compared`

mod compared;
mod outcome;
mod process;
mod rows;

pub(crate) use compared::{CallVerdict, ChangedCall, ComparedFunction, Runs, differ};
#[cfg(test)]
pub(crate) use outcome::CallOutcome;
pub(crate) use process::FunctionCaller;
pub(crate) use rows::CallRows;
