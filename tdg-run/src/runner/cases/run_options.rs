//! The options for running the function on rows.

use std::time::Duration;

use super::test_target::TestedTarget;
use crate::test_options::Panics;

/// The options for running the function on rows.
#[derive(Clone, Debug)]
pub(crate) struct RunOptions {
    pub(crate) threads: usize,
    pub(crate) panics: Panics,
    /// The maximum total length of the outputs as JSON, in bytes.
    pub(crate) output_bytes: usize,
    pub(crate) unbound: UnboundRows,
    /// Set if outputs by `Debug` have to mark which of their floats are `f32`s.
    pub(crate) tells_f32s: bool,
    /// The test, for messages about the rows that are running.
    pub(crate) subject: TestedTarget,
    /// True if the rows are new and the benchmark's own rows run as well.
    pub(crate) are_new: bool,
    /// The time after which a running row is reported.
    pub(crate) slow_row: Option<Duration>,
    /// Set if each row is noted before it runs, in case the process ends in it.
    pub(crate) notes: bool,
}

/// The handling of a row that the function can't take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnboundRows {
    /// The run can't be judged.
    Refuse,
    /// The row has the [reason](tdg_engine::output::unbound) in place of an output.
    Skip,
}
