//! A run in a journal.

use std::env;

use tdg_definition::json::Value;

use crate::checkout::Checkout;
use crate::hex::hex;
use crate::store::{Decision, Moment, Run};
use crate::verdict::Verdict;

/// A run, as its line has it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::store) struct RunEntry {
    pub(in crate::store) moment: Moment,
    pub(in crate::store) verdict: Verdict,
    pub(in crate::store) cases: usize,
    pub(in crate::store) changed: usize,
    pub(in crate::store) tolerance_use: Option<f64>,
    pub(in crate::store) checkout: Checkout,
    /// The operating system and the architecture.
    pub(in crate::store) platform: (String, String),
    pub(in crate::store) claim: Claimed,
    pub(in crate::store) decision: Option<Decision>,
}

/// The function of a run, and the run of many processes that it was in, if any.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::store) struct Claimed {
    pub(in crate::store) run: Option<String>,
    pub(in crate::store) function: String,
}

impl RunEntry {
    pub(in crate::store) fn of(run: &Run<'_>, moment: Moment) -> Self {
        Self {
            moment,
            verdict: run.verdict,
            cases: run.cases,
            changed: run.changed,
            tolerance_use: run.tolerance_use,
            checkout: run.checkout.clone(),
            platform: (env::consts::OS.to_owned(), env::consts::ARCH.to_owned()),
            claim: Claimed::of(run),
            decision: run.decision.cloned(),
        }
    }

    pub(super) fn to_value(&self) -> Value {
        let (os, arch) = &self.platform;
        let mut members = vec![
            ("uuid", Value::from(hex(&self.moment.uuid))),
            ("time", self.moment.time.into()),
            ("verdict", self.verdict.as_str().into()),
            ("cases", (self.cases as u64).into()),
            ("changed", (self.changed as u64).into()),
            ("os", os.as_str().into()),
            ("arch", arch.as_str().into()),
        ];
        members.extend(
            self.tolerance_use
                .map(|used| ("tolerance_use", used.into())),
        );
        members.extend(checkout_members(&self.checkout));
        members.extend(self.claim.members());
        let decision = self.decision.as_ref();
        members.extend(decision.map(|decision| ("decision", decision_value(decision))));
        Value::object(members)
    }
}

impl Claimed {
    pub(super) fn of(run: &Run<'_>) -> Self {
        Self {
            run: run.claim.run.map(str::to_owned),
            function: run.claim.function.to_owned(),
        }
    }

    /// The function that has the test, if it is another one of the same run.
    pub(super) fn refuses(&self, run: &Run<'_>) -> Option<&str> {
        let is_same_run = run.claim.run.is_some() && self.run.as_deref() == run.claim.run;
        (is_same_run && self.function != run.claim.function).then_some(&self.function)
    }

    /// Nothing without a run: then nobody asks for the function.
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
    ];
    let texts = texts.into_iter();
    let mut members: Vec<(&str, Value)> = texts
        .filter_map(|(name, text)| Some((name, text?.into())))
        .collect();
    members.extend(decision.dirty.map(|dirty| ("dirty", dirty.into())));
    members.extend(checkout_members(&decision.checkout));
    Value::object(members)
}

fn checkout_members(checkout: &Checkout) -> impl Iterator<Item = (&'static str, Value)> {
    let Checkout { commit, branch } = checkout;
    [("commit", commit), ("branch", branch)]
        .into_iter()
        .filter_map(|(name, text)| Some((name, text.as_deref()?.into())))
}

pub(super) fn optional(value: &Value, name: &str) -> Option<String> {
    value.get(name)?.as_str().map(str::to_owned)
}
