//! The answer about a test.

use tdg_engine::compare::Part;

use crate::experiment::ChangeCause;

/// The answer about a test.
pub(super) struct WhyAnswer {
    pub(super) test: String,
    /// The label of the earlier sources.
    pub(super) since: String,
    /// The cases of the test, and how many of them changed.
    pub(super) cases: usize,
    pub(super) changed: usize,
    /// True if a run left a pending change.
    pub(super) is_pending: bool,
    /// The number of differences between the sources.
    pub(super) hunks: usize,
    /// The changes that the sources made apart from each other.
    pub(super) changes: Vec<ExplainedChange>,
}

/// The change of some lines, or the whole change if the lines aren't known.
pub(super) struct ExplainedChange {
    pub(super) lines: Option<ResponsibleLines>,
    pub(super) parts: Vec<ExplainedPart>,
    /// The number of parts that aren't explained.
    pub(super) more_parts: usize,
}

/// Lines that changed cases.
pub(super) struct ResponsibleLines {
    pub(super) hunks: Vec<String>,
    /// The changed cases that are as before without the lines.
    pub(super) restored: usize,
    /// The changed cases that ran without the lines.
    pub(super) of: usize,
}

/// A part of a change, explained.
pub(super) struct ExplainedPart {
    pub(super) part: Part,
    pub(super) cause: ChangeCause,
    /// The sentences about the outputs.
    pub(super) outputs: Vec<String>,
    pub(super) smallest: ShownRow,
    /// The simplest exception of the rule, if any.
    pub(super) exception: Option<String>,
}

/// A row with its features and both outputs.
pub(super) struct ShownRow {
    pub(super) row: String,
    pub(super) before: String,
    pub(super) after: String,
}
