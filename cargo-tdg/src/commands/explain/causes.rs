//! The results: rules with the rows that they cover, and changes of outputs.

use tdg_explain::{
    ExplainedRows, Explanation, OutputFinding, Side, Vocabulary, findings_of_outputs,
};

use super::rows::RowsToExplain;

pub(super) struct FoundCauses {
    pub(super) explanation: Explanation,
    /// The changes in the outputs of failing rows.
    pub(super) changes: Vec<OutputFinding>,
}

impl FoundCauses {
    pub(super) fn new(rows: &RowsToExplain) -> Self {
        let known = |row| (row < rows.explained).then_some(rows.failing[row]);
        let failing: Vec<Option<bool>> = (0..rows.size()).map(known).collect();
        let expected = rows.expected.as_deref();
        let explanation = tdg_explain::rules(&ExplainedRows {
            vectors: &rows.vectors,
            expected,
            failing: &failing,
            vocabulary: Vocabulary::Full,
            constants: &[],
        });
        let changes = findings_of_outputs(&explanation, &rows.vectors, expected, &rows.differing);
        Self {
            changes,
            explanation,
        }
    }

    /// Returns true if the row is on the side that the rules describe.
    pub(super) fn is_described(&self, is_failing: bool) -> bool {
        is_failing == (self.explanation.side == Side::Failing)
    }
}
