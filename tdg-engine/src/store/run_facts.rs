//! The facts of a run, with the one JSON form used everywhere.

use std::error::Error;
use std::fmt;

use tdg_definition::json::Value;
use tdg_definition::{Faults, Policy};

use super::VerifiedRule;
use crate::checkout::Checkout;
use crate::verdict::Verdict;

/// The facts of a run, as kept in the store and its journals, in records, and in the lines of
/// `cargo tdg history --json`.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFacts {
    /// The verdict.
    pub verdict: Verdict,
    /// The number of cases.
    pub cases: u64,
    /// The number of cases that differ from the benchmark.
    pub changed: u64,
    /// The number of cases that were not compared because their rows can no longer be run.
    pub uncompared: u64,
    /// The largest share of the tolerance that a case used, if any: 1 is all of it.
    pub tolerance_use: Option<f64>,
    /// The policy that judged it.
    pub policy: Option<Policy>,
    /// The commit and branch that ran.
    pub checkout: Checkout,
    /// True if the sources differed from the commit. `None` if unknown, as for passing runs, since
    /// running git would take longer than the run.
    pub dirty: Option<bool>,
    /// The operating system and architecture that it ran on: `linux`, `x86_64`.
    pub platform: Option<(String, String)>,
    /// The outputs of all changed cases, ordered by case; empty if they would take too many bytes,
    /// or if the rows aren't the benchmark's.
    pub changed_outputs: Vec<(usize, Value)>,
    /// The rules about the change that experiments verified, if `cargo tdg why` added the run.
    pub verified_rules: Vec<VerifiedRule>,
}

impl RunFacts {
    /// Creates the facts of a run without changed cases or further information.
    pub fn new(verdict: Verdict, cases: u64) -> Self {
        Self {
            verdict,
            cases,
            changed: 0,
            uncompared: 0,
            tolerance_use: None,
            policy: None,
            checkout: Checkout::default(),
            dirty: None,
            platform: None,
            changed_outputs: Vec::new(),
            verified_rules: Vec::new(),
        }
    }

    /// Returns the members of the JSON form. Unknown facts are omitted.
    pub fn members(&self) -> Vec<(&'static str, Value)> {
        let mut members = vec![
            ("verdict", Value::from(self.verdict.as_str())),
            ("cases", self.cases.into()),
            ("changed", self.changed.into()),
        ];
        let uncompared = Some(self.uncompared).filter(|count| *count > 0);
        members.extend(uncompared.map(|it| ("uncompared", it.into())));
        members.extend(self.tolerance_use.map(|it| ("tolerance_use", it.into())));
        let policy = self.policy.as_ref();
        members.extend(policy.map(|policy| ("policy", policy.to_json())));
        members.extend(checkout_members(&self.checkout));
        members.extend(self.dirty.map(|it| ("dirty", it.into())));
        if let Some((os, arch)) = &self.platform {
            members.extend([("os", os.as_str().into()), ("arch", arch.as_str().into())]);
        }
        if !self.changed_outputs.is_empty() {
            let outputs = self.changed_outputs.iter();
            let outputs = outputs.map(|(case, output)| [Value::from(*case as u64), output.clone()]);
            let outputs = outputs.map(|it| Value::Array(it.into()));
            members.push(("changed_outputs", outputs.collect()));
        }
        if !self.verified_rules.is_empty() {
            let rules = self.verified_rules.iter().map(VerifiedRule::to_json);
            members.push(("verified_rules", rules.collect()));
        }
        members
    }

    /// Reads the [members](Self::members) of an object, which may have others.
    ///
    /// # Errors
    /// If one is missing or has another type.
    pub fn from_members(object: &Value) -> Result<Self, FactError> {
        let platform = Option::zip(text(object, "os")?, text(object, "arch")?);
        Ok(Self {
            verdict: known(object, "verdict", "a verdict", |it| {
                it.as_str()?.parse().ok()
            })?,
            cases: known(object, "cases", "an integer", Value::as_u64)?,
            changed: known(object, "changed", "an integer", Value::as_u64)?,
            uncompared: fact(object, "uncompared", "an integer", Value::as_u64)?
                .unwrap_or_default(),
            tolerance_use: fact(object, "tolerance_use", "a number", Value::as_f64)?,
            policy: policy(object)?,
            checkout: checkout(object)?,
            dirty: fact(object, "dirty", "a boolean", Value::as_bool)?,
            platform,
            changed_outputs: fact(
                object,
                "changed_outputs",
                "cases and outputs",
                changed_outputs,
            )?
            .unwrap_or_default(),
            verified_rules: fact(object, "verified_rules", "rules", |it| {
                it.as_array()?.iter().map(VerifiedRule::from_json).collect()
            })?
            .unwrap_or_default(),
        })
    }

    /// Renders the JSON form.
    #[cfg(feature = "sqlite-system")]
    pub(super) fn to_text(&self) -> String {
        Value::object(self.members()).to_string()
    }

    /// Parses the JSON form.
    #[cfg(feature = "sqlite-system")]
    pub(super) fn parse(text: &str) -> Result<Self, super::Cause> {
        Ok(Self::from_members(&tdg_definition::json::parse(text)?)?)
    }
}

/// Returns the members for a commit and branch, of a run or of a decision.
pub(super) fn checkout_members(
    checkout: &Checkout,
) -> impl Iterator<Item = (&'static str, Value)> + '_ {
    let Checkout { commit, branch } = checkout;
    [("commit", commit), ("branch", branch)]
        .into_iter()
        .filter_map(|(name, text)| Some((name, text.as_deref()?.into())))
}

pub(super) fn checkout(object: &Value) -> Result<Checkout, FactError> {
    Ok(Checkout {
        commit: text(object, "commit")?,
        branch: text(object, "branch")?,
    })
}

fn changed_outputs(value: &Value) -> Option<Vec<(usize, Value)>> {
    let outputs = value.as_array()?.iter().map(|it| match it.as_array()? {
        [case, output] => Some((usize::try_from(case.as_u64()?).ok()?, output.clone())),
        _ => None,
    });
    outputs.collect()
}

fn policy(object: &Value) -> Result<Option<Policy>, FactError> {
    let policy = object.get("policy").map(Policy::from_json).transpose();
    policy.map_err(|faults| FactError {
        cause: Some(faults),
        ..FactError::new("policy", "a comparison policy")
    })
}

fn text(object: &Value, name: &'static str) -> Result<Option<String>, FactError> {
    fact(object, name, "a string", |it| {
        it.as_str().map(str::to_owned)
    })
}

/// Reads an optional fact; `kind` names the expected type.
fn fact<T>(
    object: &Value,
    name: &'static str,
    kind: &'static str,
    read: impl FnOnce(&Value) -> Option<T>,
) -> Result<Option<T>, FactError> {
    let read = |it| read(it).ok_or_else(|| FactError::new(name, kind));
    object.get(name).map(read).transpose()
}

fn known<T>(
    object: &Value,
    name: &'static str,
    kind: &'static str,
    read: impl FnOnce(&Value) -> Option<T>,
) -> Result<T, FactError> {
    fact(object, name, kind, read)?.ok_or_else(|| FactError::new(name, kind))
}

/// The error for a missing fact, or one of another type.
#[derive(Clone, Debug, PartialEq)]
pub struct FactError {
    /// The type and the name: "an integer as `cases`".
    pub expected: String,
    /// The faults of a policy.
    pub cause: Option<Faults>,
}

impl FactError {
    fn new(name: &'static str, kind: &'static str) -> Self {
        Self {
            expected: format!("{kind} as `{name}`"),
            cause: None,
        }
    }
}

impl fmt::Display for FactError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "expected {}", self.expected)
    }
}

impl Error for FactError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_ref().map(|faults| faults as _)
    }
}
