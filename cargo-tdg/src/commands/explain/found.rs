//! What was found about the rows: rules with what they cover, and changes of outputs.

use tdg_engine::explain::{self, Explanation, Side};
use tdg_engine::report::findings_of_outputs;

use super::rows::Rows;

pub(super) struct Found {
    pub(super) explanation: Explanation,
    pub(super) changes: Vec<Change>,
}

/// What happened to the outputs of the failing rows.
pub(super) struct Change {
    pub(super) text: String,
    /// The index of the rule whose rows it is about.
    pub(super) rule: Option<usize>,
}

impl Found {
    pub(super) fn of(rows: &Rows) -> Self {
        let known = |row| (row < rows.explained).then_some(rows.failing[row]);
        let failing: Vec<Option<bool>> = (0..rows.size()).map(known).collect();
        let changes = findings_of_outputs(&rows.differing).into_iter();
        Self {
            explanation: explain::rules(&explain::Rows {
                vectors: &rows.vectors,
                expected: rows.expected.as_deref(),
                failing: &failing,
            }),
            changes: changes.map(|text| Change { text, rule: None }).collect(),
        }
    }

    /// Whether the row is on the described side.
    pub(super) fn is_described(&self, is_failing: bool) -> bool {
        is_failing == (self.explanation.side == Side::Failing)
    }
}
