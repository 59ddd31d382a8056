//! The causes of a function's change, found by experiment.

use std::slice::from_ref;
use std::time::Instant;

use tdg_definition::json::{Number, Value};
use tdg_engine::Takes;
use tdg_engine::compare::{DifferingCase, Part};
use tdg_html::VerifiedRule;

use super::called_versions::CalledVersions;
use super::comparison::{Example, Runs, StableOutcomes, is_same};
use super::rows::CallRows;
use crate::error::Result;
use crate::experiment::{Conditions, ExplainedPart, ObservedRows, explained_parts};

/// The causes of a function's change.
#[derive(Debug, Default)]
pub(crate) struct CallCauses {
    causes: Vec<CallCause>,
    /// The number of parts that weren't explained.
    others: usize,
}

/// The cause of a part of a function's change.
#[derive(Debug)]
struct CallCause {
    explained: ExplainedPart,
    verified: Option<VerifiedRule>,
    /// The smallest call that has changed like these.
    smallest: Example,
}

impl CallCauses {
    /// Explains the change of a function by experiment; nothing if its outcomes differ from run to
    /// run, or depend on earlier calls.
    pub(super) fn find(
        called: CalledVersions<'_>,
        rows: &CallRows,
        sides: &[Runs; 2],
        constants: &[Number],
        until: Instant,
    ) -> Result<Self> {
        let Some(stable) = StableOutcomes::new(sides) else {
            return Ok(Self::default());
        };
        let mut versions = called.in_experiments(until, stable.are_outputs);
        let conditions = Conditions {
            definition: &rows.definition,
            takes: &Takes::All,
            constants,
            until,
        };
        let mut observed = ObservedRows::new(&mut versions, &stable.policy, rows.rows.clone())?;
        let (explained, others) = explained_parts(&conditions, &mut observed, has_succeeded)?;
        let all = explained.len() + others;
        let inputs = |row: &Value| rows.inputs(row);
        let mut causes = Vec::new();
        for explained in explained {
            let outcomes = versions.outcomes(from_ref(&explained.smallest))?.pop();
            let Some(outcomes) = outcomes.flatten() else {
                // The row took too long this time.
                break;
            };
            if is_same(&outcomes[0], &outcomes[1]) {
                // What a call returns depends on the calls before it.
                return Ok(Self::default());
            }
            causes.push(CallCause {
                verified: explained.verified(inputs),
                smallest: Example::new(&inputs(&explained.smallest), outcomes.each_ref()),
                explained,
            });
        }
        Ok(Self {
            others: all - causes.len(),
            causes,
        })
    }

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
            lines.extend([rule.sentence.clone(), format!("    {}", rule.evidence)]);
            lines.extend(cause.explained.outputs.iter().cloned());
        }
        lines
    }

    /// Returns the verified rule of a part, if any.
    pub(crate) fn verified(&self, part: &Part) -> Option<VerifiedRule> {
        let mut causes = self.causes.iter();
        let cause = causes.find(|it| it.explained.part.is_like(part))?;
        cause.verified.clone()
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

/// Returns true if some call succeeded on a side. Two failures show how a function fails, and not
/// how it works.
fn has_succeeded(part: &Part, differing: &[DifferingCase]) -> bool {
    let is_failure = |it: &Value| {
        ["Err", "$panic", "ended"]
            .iter()
            .any(|key| it.get(key).is_some())
    };
    let of_part = differing.iter();
    let mut of_part = of_part.filter(|it| part.cases.binary_search(&it.case).is_ok());
    of_part.any(|it| !is_failure(&it.expected) || !is_failure(&it.actual))
}

#[cfg(test)]
mod tests {
    use tdg_definition::Policy;
    use tdg_definition::json::parse;
    use tdg_engine::compare::parts;

    use super::*;

    #[test]
    fn two_failures_are_no_question() {
        let is_asked = |before: &str, after: &str| {
            let [before, after] = [before, after].map(|it| parse(it).unwrap());
            let differing = [DifferingCase::compared(&Policy::exact(), 0, before, after)];
            has_succeeded(&parts(&differing)[0], &differing)
        };
        assert!(is_asked("1", "2"));
        assert!(is_asked(r#"{"Ok":1}"#, r#"{"Err":"far"}"#));
        assert!(is_asked(r#"{"$panic":"far"}"#, "1"));
        assert!(!is_asked(r#"{"Err":"far"}"#, r#"{"Err":"too far"}"#));
        assert!(!is_asked(r#"{"$panic":"far"}"#, r#"{"Err":"far"}"#));
        assert!(!is_asked(r#"{"ended":"aborted"}"#, r#"{"$panic":"far"}"#));
    }
}
