//! The answer about a test.

use tdg_definition::Definition;
use tdg_definition::json::Value;

use super::test_call::TestCall;
use crate::experiment::ExplainedPart;

/// The answer about a test.
pub(super) struct WhyAnswer {
    pub(super) test: String,
    pub(super) definition: Definition,
    /// The call that is all of the test's body.
    pub(super) call: Option<TestCall>,
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
    /// The packages that can't be taken back alone, with the reasons.
    pub(super) skipped: Vec<String>,
}

impl WhyAnswer {
    /// Returns a row as a JSON object, which `keep` takes.
    pub(super) fn object(&self, row: &Value) -> String {
        let members = self.members(row);
        let members = members.map(|(name, value)| format!("{}: {value}", Value::from(name)));
        format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
    }

    /// Returns the call of the test's body for a row, if it is one that can be written.
    pub(super) fn called(&self, row: &Value) -> Option<String> {
        let value = |name: &str| {
            self.members(row)
                .find(|(it, _)| *it == name)
                .map(|(_, it)| it)
        };
        self.call.as_ref()?.with(value)
    }

    fn members<'r>(&'r self, row: &'r Value) -> impl Iterator<Item = (&'r str, &'r Value)> {
        let features = self.definition.features().iter();
        let values = row.as_array().unwrap_or_default();
        features
            .zip(values)
            .map(|(feature, value)| (feature.name(), value))
    }
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
    /// All cases that differ without the lines, if others are responsible as well.
    pub(super) changed: Option<usize>,
}
