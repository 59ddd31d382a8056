//! How to run the function on rows.

use std::time::Duration;

use super::subject::Subject;
use crate::test_options::Panics;

/// How to run the function on rows.
#[derive(Clone, Debug)]
pub(super) struct RunOptions {
    pub(super) threads: usize,
    pub(super) panics: Panics,
    /// How long all outputs may be as JSON, in bytes.
    pub(super) output_bytes: usize,
    pub(super) unbound: UnboundRows,
    /// True if outputs by `Debug` are to show which of their floats are `f32`s.
    pub(super) tells_f32s: bool,
    /// The test, for messages about the rows that are running.
    pub(super) subject: Subject,
    /// Whether the rows are new ones beside the benchmark's own.
    pub(super) are_new: bool,
    /// The time after which a row is named that is still running.
    pub(super) slow_row: Option<Duration>,
    /// Whether each row is noted before it runs, in case the process ends in it.
    pub(super) notes: bool,
}

/// What happens to a row that is not what the function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnboundRows {
    /// The run can't be judged.
    Refuse,
    /// It has no output, but the [reason](tdg_engine::output::unbound).
    Skip,
}
