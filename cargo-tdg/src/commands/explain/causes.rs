//! The results: rules with the rows that they cover, and changes of outputs.

use tdg_engine::compare::parts;
use tdg_explain::{
    ExplainedRows, Explanation, OutputFinding, Side, Vocabulary, findings_of_explained,
    findings_of_outputs,
};

use super::rows::RowsToExplain;

pub(super) struct FoundCauses {
    pub(super) explanation: Explanation,
    /// The changes in the outputs of failing rows.
    pub(super) changes: Vec<OutputFinding>,
    /// The sentences about each part of a change, if it has several.
    pub(super) of_parts: Vec<String>,
}

impl FoundCauses {
    pub(super) fn new(rows: &RowsToExplain) -> Self {
        let (vectors, differing) = (&rows.vectors, rows.differing.as_slice());
        let unexplained: Vec<usize> = (rows.explained..rows.size()).collect();
        let failing = (0..rows.explained).filter(|row| rows.failing[*row]);
        let failing: Vec<usize> = failing.collect();
        let expected = rows.expected.as_deref();
        let explain = |unknown: &[usize], failing: &[usize]| explained(rows, unknown, failing);
        let explanation = explain(&unexplained, &failing);
        let of_parts = match parts(differing).len() {
            0 | 1 => Vec::new(),
            _ => {
                findings_of_explained(vectors, &unexplained, expected, differing, &explain)
                    .sentences
            }
        };
        Self {
            changes: findings_of_outputs(&explanation, vectors, expected, differing),
            explanation,
            of_parts,
        }
    }

    /// Returns true if the row is on the side that the rules describe.
    pub(super) fn is_described(&self, is_failing: bool) -> bool {
        is_failing == (self.explanation.side == Side::Failing)
    }
}

fn explained(rows: &RowsToExplain, unknown: &[usize], failing: &[usize]) -> Explanation {
    let mut is_failing = vec![Some(false); rows.size()];
    for row in unknown {
        is_failing[*row] = None;
    }
    for row in failing {
        is_failing[*row] = Some(true);
    }
    tdg_explain::rules(&ExplainedRows {
        vectors: &rows.vectors,
        expected: rows.expected.as_deref(),
        failing: &is_failing,
        vocabulary: Vocabulary::Full,
        constants: &[],
    })
}
