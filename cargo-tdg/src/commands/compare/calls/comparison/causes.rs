//! The causes of a function's change.

use tdg_definition::json::Value;
use tdg_engine::compare::Part;
use tdg_engine::store::VerifiedRule;

use super::Example;
use crate::experiment::ExplainedPart;

/// The causes of a function's change.
#[derive(Debug, Default)]
pub(crate) struct CallCauses {
    pub(in super::super) causes: Vec<CallCause>,
    /// The number of parts that weren't explained.
    pub(in super::super) others: usize,
}

/// The cause of a part of a function's change.
#[derive(Debug)]
pub(in super::super) struct CallCause {
    pub(in super::super) explained: ExplainedPart,
    pub(in super::super) verified: Option<VerifiedRule>,
    /// The smallest call that has changed like these.
    pub(in super::super) smallest: Example,
}

impl CallCauses {
    /// Returns true if each part of the change has a verified rule.
    pub(super) fn are_verified(&self) -> bool {
        let mut causes = self.causes.iter();
        let is_complete = !self.causes.is_empty() && self.others == 0;
        is_complete && causes.all(|it| it.verified.is_some())
    }

    /// Returns the smallest call of the largest part.
    pub(super) fn smallest(&self) -> Option<&Example> {
        self.causes.first().map(|it| &it.smallest)
    }

    /// Describes the parts with a verified rule.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for cause in &self.causes {
            let Some(rule) = &cause.verified else {
                continue;
            };
            if self.causes.len() + self.others > 1 {
                lines.push(format!("{}:", cause.explained.heading()));
            }
            lines.extend([rule.rule.clone(), format!("    {}", rule.evidence)]);
            lines.extend(cause.explained.outputs.iter().cloned());
        }
        lines
    }

    /// Returns the conditions of the verified rules.
    pub(super) fn rules(&self) -> Vec<&str> {
        let rules = self.causes.iter().filter_map(|it| it.verified.as_ref());
        rules
            .filter_map(|it| Some(it.rule.split_once(" those with ")?.1))
            .collect()
    }

    /// Returns the verified rule of a part, if any.
    pub(crate) fn verified(&self, part: &Part) -> Option<&VerifiedRule> {
        let mut causes = self.causes.iter();
        let cause = causes.find(|it| it.explained.part.is_like(part))?;
        cause.verified.as_ref()
    }

    pub(crate) fn json(&self) -> Value {
        let causes = self.causes.iter().map(|cause| {
            let mut members = cause.explained.json();
            members.push(("smallest", cause.smallest.json()));
            Value::object(members)
        });
        causes.collect()
    }
}
