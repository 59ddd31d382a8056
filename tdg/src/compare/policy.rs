//! How outputs are compared.

use std::collections::BTreeMap;
use std::fmt;

use tdg_definition::json::{Pointer, Value};

use super::{Comparison, Tolerance, walk};

/// How outputs are compared: exactly, unless it is told otherwise.
///
/// Pointers are JSON Pointers into the output's JSON form: `/price`, `/lines/0/price`, `/Ok/total`
/// for a function that returns a `Result`. A tolerance holds for everything below its pointer; where
/// several pointers lead to a field, the most specific one counts. Nothing below an ignored pointer
/// is looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy {
    pub(super) root: Rule,
}

/// What is said about one place of the output.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rule {
    pub(super) tolerance: Option<Tolerance>,
    pub(super) ignored: bool,
    within: BTreeMap<String, Rule>,
}

impl Rule {
    pub(super) fn at_key(&self, key: &str) -> Option<&Rule> {
        self.within.get(key)
    }

    pub(super) fn at_index(&self, index: usize) -> Option<&Rule> {
        // Most arrays have no rules of their own, and many elements.
        if self.within.is_empty() {
            return None;
        }
        self.within.get(&index.to_string())
    }
}

impl Policy {
    /// Every field has to be equal.
    pub fn exact() -> Self {
        Self::default()
    }

    /// The tolerance for all floats of the output.
    ///
    /// # Errors
    ///
    /// If a limit of the tolerance is negative or not finite.
    pub fn tolerance(self, tolerance: Tolerance) -> Result<Self, PolicyError> {
        self.tolerance_at("", tolerance)
    }

    /// The tolerance for the floats at a JSON Pointer and below it.
    ///
    /// # Errors
    ///
    /// If a limit of the tolerance is negative or not finite, or the pointer is none, or has a
    /// tolerance already.
    pub fn tolerance_at(
        mut self,
        pointer: &str,
        tolerance: Tolerance,
    ) -> Result<Self, PolicyError> {
        let fault = |problem: String| {
            PolicyError(match pointer {
                "" => format!("tolerance: {problem}"),
                _ => format!("tolerance of {pointer:?}: {problem}"),
            })
        };
        tolerance.check().map_err(fault)?;
        let rule = self.rule_at(pointer).map_err(fault)?;
        if rule.tolerance.replace(tolerance).is_some() {
            return Err(fault("is given twice; remove one".to_owned()));
        }
        Ok(self)
    }

    /// Leaves out the field at a JSON Pointer and everything below it: neither its value nor its
    /// presence matters.
    ///
    /// # Errors
    ///
    /// If the pointer is none, or that of the whole output.
    pub fn ignore(mut self, pointer: &str) -> Result<Self, PolicyError> {
        let fault = |problem: String| PolicyError(format!("ignore({pointer:?}): {problem}"));
        if pointer.is_empty() {
            return Err(fault(
                "would ignore the whole output; name a field of it, such as \"/id\", \
                 or return () to record nothing"
                    .to_owned(),
            ));
        }
        self.rule_at(pointer).map_err(fault)?.ignored = true;
        Ok(self)
    }

    fn rule_at(&mut self, pointer: &str) -> Result<&mut Rule, String> {
        let pointer: Pointer = pointer.parse().map_err(|error| format!("{error}"))?;
        let mut rule = &mut self.root;
        for segment in pointer.segments() {
            rule = rule.within.entry(segment.clone()).or_default();
        }
        Ok(rule)
    }

    /// Compares the output of one case with the benchmark's.
    pub fn compare(&self, expected: &Value, actual: &Value) -> Comparison {
        walk::compare(self, expected, actual)
    }
}

/// What is wrong with a policy, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyError(String);

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PolicyError {}
