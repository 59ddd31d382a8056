//! A differing case, with its comparison.

use tdg_definition::Policy;
use tdg_definition::json::{Error, Value};

use super::{Comparison, compare};
use crate::output::{OutputForm, change_of_form, read};

/// A case whose output isn't the expected one.
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

/// Returns the forms of expected and actual outputs, if they changed.
pub fn changed_forms(differing: &[DifferingCase]) -> Option<[OutputForm; 2]> {
    differing.iter().find_map(|it| it.comparison.forms)
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

    /// Compares the outputs with these texts.
    ///
    /// # Errors
    /// Fails if one isn't JSON.
    pub fn of_outputs(
        policy: &Policy,
        case: usize,
        expected: &str,
        actual: &str,
    ) -> Result<Self, Error> {
        let compared = Self::compared(policy, case, read(expected)?, read(actual)?);
        Ok(compared.in_forms(change_of_form(expected, actual)))
    }

    /// Replaces the differences of fields with the change of form, if any.
    #[must_use]
    pub fn in_forms(self, forms: Option<[OutputForm; 2]>) -> Self {
        let Some(forms) = forms else {
            return self;
        };
        Self {
            comparison: Comparison::of_forms(forms, &self.expected, &self.actual),
            ..self
        }
    }
}
