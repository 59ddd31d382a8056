//! The options for running the function on rows.

use std::time::Duration;

use super::subject::Subject;
use crate::test_options::Panics;

/// The options for running the function on rows.
#[derive(Clone, Debug)]
pub(super) struct RunOptions {
    pub(super) threads: usize,
    pub(super) panics: Panics,
    /// The maximum total length of the outputs as JSON, in bytes.
    pub(super) output_bytes: usize,
    pub(super) unbound: UnboundRows,
    /// Set if outputs by `Debug` have to mark which of their floats are `f32`s.
    pub(super) tells_f32s: bool,
    /// The test, for messages about the rows that are running.
    pub(super) subject: Subject,
    /// True if the rows are new and the benchmark's own rows run as well.
    pub(super) are_new: bool,
    /// The time after which a running row is reported.
    pub(super) slow_row: Option<Duration>,
    /// Set if each row is noted before it runs, in case the process ends in it.
    pub(super) notes: bool,
}

/// The handling of a row that the function can't take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnboundRows {
    /// The run can't be judged.
    Refuse,
    /// The row has the [reason](tdg_engine::output::unbound) in place of an output.
    Skip,
}
