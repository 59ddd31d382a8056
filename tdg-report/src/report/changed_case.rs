//! A case whose output changed.

use tdg_engine::compare::Comparison;

/// A case whose output changed.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedCase {
    /// The case, counted from 0.
    pub case: usize,
    /// Its row, each cell in JSON.
    pub inputs: Vec<String>,
    /// The differences of its output.
    pub comparison: Comparison,
}
