//! A run in a journal.

use tdg_definition::json::Value;

use crate::hex::hex;
use crate::store::run_facts::checkout_members;
use crate::store::{Decision, Moment, Run, RunFacts};

/// A run, as written in its line.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::store) struct RunEntry {
    pub(in crate::store) moment: Moment,
    pub(in crate::store) facts: RunFacts,
    pub(in crate::store) claim: Claimed,
    pub(in crate::store) decision: Option<Decision>,
}

/// The function of a run, and the id of the test run that its process belonged to, if any.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::store) struct Claimed {
    pub(in crate::store) run: Option<String>,
    pub(in crate::store) function: String,
}

impl RunEntry {
    pub(in crate::store) fn new(run: &Run<'_>, moment: Moment) -> Self {
        Self {
            moment,
            facts: run.facts.clone(),
            claim: Claimed::from_run(run),
            decision: run.decision.cloned(),
        }
    }

    pub(super) fn to_value(&self) -> Value {
        let mut members = self.facts.members();
        members.push(("uuid", hex(&self.moment.uuid).into()));
        members.push(("time", self.moment.time.into()));
        members.extend(self.claim.members());
        let decision = self.decision.as_ref();
        members.extend(decision.map(|decision| ("decision", decision_value(decision))));
        Value::object(members)
    }
}

impl Claimed {
    pub(super) fn from_run(run: &Run<'_>) -> Self {
        Self {
            run: run.claim.run.map(str::to_owned),
            function: run.claim.function.to_owned(),
        }
    }

    /// Returns the function that claimed the test, if it is a different one of the same run.
    pub(super) fn refuses(&self, run: &Run<'_>) -> Option<&str> {
        let is_same_run = run.claim.run.is_some() && self.run.as_deref() == run.claim.run;
        (is_same_run && self.function != run.claim.function).then_some(&self.function)
    }

    /// Returns no members without a run, since functions are only compared within a run.
    pub(super) fn members(&self) -> impl Iterator<Item = (&'static str, Value)> {
        let run = self.run.as_deref().map(Value::from);
        let function = run.is_some().then(|| Value::from(self.function.as_str()));
        [("run", run), ("function", function)]
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
    }

    pub(super) fn from_value(value: &Value) -> Self {
        Self {
            run: optional(value, "run"),
            function: optional(value, "function").unwrap_or_default(),
        }
    }
}

fn decision_value(decision: &Decision) -> Value {
    let texts = [
        ("kind", Some(decision.kind.as_str())),
        ("reason", decision.reason.as_deref()),
        ("author", decision.author.as_deref()),
        ("ci", decision.ci.as_deref()),
        ("replaces", decision.replaces.as_deref()),
    ];
    let texts = texts.into_iter();
    let mut members: Vec<(&str, Value)> = texts
        .filter_map(|(name, text)| Some((name, text?.into())))
        .collect();
    members.extend(decision.dirty.map(|dirty| ("dirty", dirty.into())));
    members.extend(checkout_members(&decision.checkout));
    Value::object(members)
}

pub(super) fn optional(value: &Value, name: &str) -> Option<String> {
    value.get(name)?.as_str().map(str::to_owned)
}
