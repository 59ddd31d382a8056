//! A part of a change, explained by experiment.

use std::cmp::Reverse;

use tdg_definition::json::Value;
use tdg_engine::Vectors;
use tdg_engine::compare::{DifferingCase, Part, PartKind, parts};
use tdg_engine::store::VerifiedRule;
use tdg_explain::{Explanation, Side, Verb, findings_of_outputs};

use super::cause::{ChangeCause, find_cause};
use super::observed_rows::ObservedRows;
use super::smallest::smallest;
use super::{CauseRule, Conditions};
use crate::error::Result;
use crate::terminal::{counted, thousands};

/// The parts of a change to explain, the largest ones.
const PARTS: usize = 6;

/// A part of a change, explained by experiment.
#[derive(Debug)]
pub(crate) struct ExplainedPart {
    pub(crate) part: Part,
    pub(crate) cause: ChangeCause,
    /// The sentences about the outputs of the first rows.
    pub(crate) outputs: Vec<String>,
    /// The smallest row that has changed like these, with its outputs.
    pub(crate) smallest: Value,
    pub(crate) before: Value,
    pub(crate) after: Value,
}

/// Explains the largest parts of the change of the observed rows, of those that are asked about.
/// Also returns the number of the others.
pub(crate) fn explained_parts(
    conditions: &Conditions<'_>,
    observed: &mut ObservedRows<'_>,
    is_asked: impl Fn(&Part, &[DifferingCase]) -> bool,
) -> Result<(Vec<ExplainedPart>, usize)> {
    let cases = observed.rows.len();
    let mut questions = parts(&observed.differing);
    let all = questions.len();
    questions.retain(|it| is_asked(it, &observed.differing));
    questions.sort_by_key(|it| Reverse(it.cases.len()));
    let mut explained = Vec::new();
    for part in questions.into_iter().take(PARTS) {
        explained.push(ExplainedPart::new(conditions, observed, part, cases)?);
    }
    let others = all - explained.len();
    Ok((explained, others))
}

impl ExplainedPart {
    fn new(
        conditions: &Conditions<'_>,
        observed: &mut ObservedRows<'_>,
        part: Part,
        cases: usize,
    ) -> Result<Self> {
        let outputs = output_sentences(conditions, observed, &part, cases)?;
        let cause = find_cause(conditions, observed, &part)?;
        let smallest = smallest(conditions, observed, &part)?;
        let found = observed.differing.iter().find(|it| it.case == smallest);
        let output = |of: fn(&DifferingCase) -> &Value| found.map(of).cloned().unwrap_or_default();
        Ok(Self {
            outputs,
            before: output(|it| &it.expected),
            after: output(|it| &it.actual),
            smallest: observed.rows[smallest].clone(),
            cause,
            part,
        })
    }

    /// Returns the rule with its evidence; `shown` formats a row.
    pub(crate) fn verified(&self, shown: impl Fn(&Value) -> String) -> Option<VerifiedRule> {
        let rule = self.cause.rule.as_ref()?;
        let result = match rule.simplest_exception() {
            Some(it) => format!("all but {}, such as {}", rule.exceptions(), shown(it)),
            None => "no exception".to_owned(),
        };
        let tested = thousands(rule.tested as u64);
        let rows = match (rule.is_of_all, rule.is_on_both_sides) {
            (true, _) => " rows, nearly all that there are",
            (false, true) => " more rows on both sides of that line",
            // All possible rows of a side may have run before.
            (false, false) => " more rows",
        };
        let others = match rule.of_others {
            0 => String::new(),
            count => format!("; {} more had another outcome", thousands(count as u64)),
        };
        Some(VerifiedRule {
            part: self.part.key(),
            rule: rule.sentence(),
            evidence: format!("{tested}{rows}: {result}{others}"),
        })
    }

    /// Returns the features that it depends on, for a part without a rule.
    pub(crate) fn dependence(&self) -> String {
        if let Some(count) = self.cause.all_changed {
            let count = thousands(count as u64);
            let fields = self.part.fields.iter().map(ToString::to_string);
            return match self.part.kind {
                PartKind::BecameErr => format!("all {count} that were an Ok became an Err"),
                PartKind::BecameOk => format!("all {count} that were an Err became an Ok"),
                _ => format!(
                    "all {count} outputs with {} changed",
                    fields.collect::<Vec<_>>().join(", ")
                ),
            };
        }
        if self.cause.is_cut_short {
            return "the time was over before a rule was verified".to_owned();
        }
        match self.cause.features.as_slice() {
            [] => "no rule was found".to_owned(),
            features => {
                let features = features.join(", ");
                format!("no rule was found; it depends on {features}")
            }
        }
    }

    /// Returns a heading such as `/total changed in 12 cases`.
    pub(crate) fn heading(&self) -> String {
        let fields = self.part.fields.iter().filter(|it| !it.is_root());
        let fields: Vec<String> = fields.map(ToString::to_string).collect();
        let cases = counted(self.part.cases.len(), "case");
        let did = Verb::of_those(&self.part.kind);
        match fields.is_empty() {
            true => format!("{cases} {did}"),
            false => format!("{} {did} in {cases}", fields.join(", ")),
        }
    }

    /// Returns its members in JSON, without the smallest row.
    pub(crate) fn json(&self) -> Vec<(&'static str, Value)> {
        let rule = self.cause.rule.as_ref();
        let count = |of: fn(&CauseRule) -> usize| Value::from(rule.map(|it| of(it) as u64));
        let fields = self.part.fields.iter();
        let features = self.cause.features.iter();
        vec![
            (
                "fields",
                fields.map(|it| Value::from(it.to_string())).collect(),
            ),
            ("cases", Value::from(self.part.cases.len() as u64)),
            ("rule", Value::from(rule.map(CauseRule::sentence))),
            ("tested", count(|it| it.tested)),
            ("exceptions", count(CauseRule::exceptions)),
            (
                "features",
                features.map(|it| Value::from(it.as_str())).collect(),
            ),
        ]
    }
}

/// Describes the changed outputs of the first rows.
fn output_sentences(
    conditions: &Conditions<'_>,
    observed: &ObservedRows<'_>,
    part: &Part,
    cases: usize,
) -> Result<Vec<String>> {
    let rows = Value::Array(observed.rows[..cases].to_vec()).to_string();
    let vectors = Vectors::from_json(conditions.definition, &rows)?.taken(conditions.takes);
    let differing = observed.differing.iter();
    let differing = differing.filter(|it| part.cases.binary_search(&it.case).is_ok());
    let differing: Vec<DifferingCase> = differing.cloned().collect();
    let nothing = Explanation::without_rules(cases, differing.len(), Side::Failing);
    let before = Some(&observed.before[..cases]);
    let found = findings_of_outputs(&nothing, &vectors, before, &differing);
    Ok(found.into_iter().map(|it| it.text).collect())
}
