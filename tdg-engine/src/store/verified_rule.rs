//! A rule about a part of a change that an experiment verified.

use tdg_definition::control;
use tdg_definition::json::Value;

use crate::compare::Part;

/// A rule about a part of a change that an experiment verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedRule {
    /// The [key](Part::key) of the part.
    pub part: String,
    /// The rule, such as `exactly those with day = 15`.
    pub rule: String,
    /// The rows that it was verified on, and its exceptions.
    pub evidence: String,
}

impl VerifiedRule {
    /// The maximum number of rules of a run.
    pub const COUNT: usize = 16;
    /// The maximum length of each text, in bytes.
    pub const BYTES: usize = 4096;

    /// Returns the rule of a part, if any.
    pub fn of_part<'r>(rules: &'r [Self], part: &Part) -> Option<&'r Self> {
        let key = part.key();
        rules.iter().find(|it| it.part == key)
    }

    /// Returns it as records may have it: without control characters, and `None` if it is too long.
    pub fn for_records(&self) -> Option<Self> {
        let rule = Self {
            part: self.part.clone(),
            rule: control::escape(&self.rule).into_owned(),
            evidence: control::escape(&self.evidence).into_owned(),
        };
        let texts = rule.texts();
        let is_short = texts.iter().all(|(_, it)| it.len() <= Self::BYTES);
        is_short.then_some(rule)
    }

    /// Returns the texts with their names.
    pub fn texts(&self) -> [(&'static str, &str); 3] {
        [
            ("part", &self.part),
            ("rule", &self.rule),
            ("evidence", &self.evidence),
        ]
    }

    /// Returns the JSON form.
    pub fn to_json(&self) -> Value {
        Value::object(self.texts().map(|(name, text)| (name, text.into())))
    }

    /// Reads the JSON form. `None` if a member is missing or isn't a string.
    pub fn from_json(value: &Value) -> Option<Self> {
        let text = |name: &str| Some(value.get(name)?.as_str()?.to_owned());
        Some(Self {
            part: text("part")?,
            rule: text("rule")?,
            evidence: text("evidence")?,
        })
    }
}
