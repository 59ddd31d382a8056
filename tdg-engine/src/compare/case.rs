//! A case that differs, with all that is known of it.

use tdg_definition::json::Value;

use tdg_definition::Policy;

use super::{Comparison, compare};

/// A case whose output is not the expected one.
#[derive(Clone, Debug, PartialEq)]
pub struct DifferingCase {
    /// The number of the case.
    pub case: usize,
    /// The benchmark's output.
    pub expected: Value,
    /// The function's output.
    pub actual: Value,
    /// The fields that differ.
    pub comparison: Comparison,
}

impl DifferingCase {
    /// Compares two outputs, which may turn out to be the same.
    pub fn compared(policy: &Policy, case: usize, expected: Value, actual: Value) -> Self {
        Self {
            case,
            comparison: compare(policy, &expected, &actual),
            expected,
            actual,
        }
    }
}
