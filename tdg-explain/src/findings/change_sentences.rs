//! Sentences about changed outputs.

use tdg_definition::json::{Pointer, Value};

use tdg_engine::Vectors;
use tdg_engine::compare::{DifferingCase, LAST_BITS};
use tdg_engine::output::unmarked;
use tdg_engine::text::{FINDING_WIDTH, in_all, more};

use super::rule_sentences::wording;
use super::{PATTERNS, fitting};
use crate::changes::{CauseChange, ChangePattern, FieldChange, changes as changes_of};
use crate::rule::{Rule, Wording};
use crate::verb::Verb;
use crate::{Explanation, Side};

/// Fields past this length are only counted.
const NAMES_LENGTH: usize = FINDING_WIDTH / 2;

/// A rule, and true if it only means cases that no other rule covers.
pub(super) type CoveringRule = Option<(usize, bool)>;

/// Fewer cases that a pattern leaves over aren't explained.
const OTHERS: usize = 4;

/// The changed outputs of several cases.
pub(super) struct ChangedOutputs<'a> {
    pub(super) vectors: &'a Vectors,
    /// The expected outputs of all cases, if known.
    pub(super) expected: Option<&'a [Value]>,
    pub(super) differing: &'a [&'a DifferingCase],
    /// Takes the unknown cases and the ones to explain.
    pub(super) explain: &'a dyn Fn(&[usize], &[usize]) -> Explanation,
}

impl ChangedOutputs<'_> {
    /// Describes the cases that a formula leaves over: their rule among all changed cases, and
    /// their own change.
    pub(super) fn others(&self, changes: &[CauseChange]) -> Vec<String> {
        let mut of_all = changes
            .iter()
            .filter(|it| it.rule.is_none())
            .map(|it| &it.change);
        let Some(FieldChange {
            field, exceptions, ..
        }) = of_all.find(|it| it.pattern.is_formula() && it.exceptions.len() >= OTHERS)
        else {
            return Vec::new();
        };
        let mut unknown = vec![true; self.vectors.size()];
        for case in self.differing {
            unknown[case.case] = false;
        }
        let unknown = unknown.iter().enumerate().filter(|(_, it)| **it);
        let unknown: Vec<usize> = unknown.map(|(case, _)| case).collect();
        let explanation = (self.explain)(&unknown, exceptions);
        let is_rule = |it: &Rule| it.wording <= Wording::Mostly;
        let mut sentences = match (explanation.side, explanation.rules.as_slice()) {
            (Side::Failing, [rule]) if is_rule(rule) => {
                wording(&explanation, explanation.rows, Verb::OTHERWISE, false)
            }
            _ => Vec::new(),
        };
        let is_other = |it: &&&DifferingCase| exceptions.binary_search(&it.case).is_ok();
        let others: Vec<_> = self.differing.iter().filter(is_other).copied().collect();
        let mut own = changes_of(self.vectors, self.expected, &others, |_| true);
        let is_known = |it: &FieldChange| {
            changes
                .iter()
                .any(|known| known.change.pattern == it.pattern)
        };
        own.retain(|it| it.field == *field && it.holds == it.cases && !is_known(it));
        sentences.extend(
            own.iter()
                .map(|it| format!("{} {}", it.pattern, in_all(it.cases))),
        );
        let field = unmarked(field);
        let fields = match field.is_root() {
            true => String::new(),
            false => format!("{field}, "),
        };
        let subject = match exceptions.len() {
            1 => format!("{fields}the other one"),
            count => format!("{fields}the other {count}"),
        };
        sentences
            .iter()
            .map(|it| format!("{subject}: {it}"))
            .collect()
    }
}

/// Groups the sentences by rule; sentences about all cases have none.
pub(super) fn by_cause(changes: Vec<CauseChange>) -> Vec<(CoveringRule, Vec<String>)> {
    let mut groups: Vec<(CoveringRule, Vec<FieldChange>)> = Vec::new();
    for caused in changes {
        let cause = caused.rule.map(|rule| (rule, caused.is_alone));
        match groups.last_mut() {
            Some((last, group)) if *last == cause => group.push(caused.change),
            _ => groups.push((cause, vec![caused.change])),
        }
    }
    let sentences = groups.into_iter();
    sentences
        .map(|(cause, group)| (cause, change_sentences(group)))
        .collect()
}

/// Prefixes the first sentence with its fields.
pub(super) fn about(fields: &str, mut sentences: Vec<String>) -> Vec<String> {
    if let Some(first) = sentences.first_mut() {
        *first = format!("{fields}: {first}");
    }
    sentences
}

/// Prefixes the first sentence with its rule.
pub(super) fn about_cause(
    explanation: &Explanation,
    cause: CoveringRule,
    told: Vec<String>,
) -> Vec<String> {
    match cause {
        None => told,
        Some((rule, is_alone)) => {
            let alone = if is_alone { " alone" } else { "" };
            about(&format!("{}{alone}", explanation.rules[rule]), told)
        }
    }
}

/// A sentence about changed outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutputFinding {
    /// The position of its rule, or `None` if it describes all outputs.
    pub rule: Option<usize>,
    /// True if it only describes rows that no other rule covers.
    pub is_alone: bool,
    /// The sentence.
    pub text: String,
}

impl OutputFinding {
    /// Returns the sentence as listed below its rule.
    #[must_use]
    pub fn below_rule(&self) -> String {
        let alone = if self.is_alone { "alone: " } else { "" };
        format!("{alone}{}", self.text)
    }

    /// Returns the sentence with the name of its rule.
    #[must_use]
    pub fn with_rule(&self, explanation: &Explanation) -> String {
        let cause = self.rule.map(|rule| (rule, self.is_alone));
        let sentence = about_cause(explanation, cause, vec![self.text.clone()]);
        fitting(sentence).concat()
    }
}

/// Returns `/net: actual = 2 × expected in all 12` or `actual is null in 61 of the 90`.
pub(super) fn change_sentences(changes: Vec<FieldChange>) -> Vec<String> {
    let groups = same_changes(changes);
    let groups = groups.iter().take(PATTERNS);
    groups.map(|group| change_sentence(group)).collect()
}

/// Groups the fields that changed alike in equally many cases.
pub(super) fn same_changes(changes: Vec<FieldChange>) -> Vec<Vec<FieldChange>> {
    let mut groups: Vec<Vec<FieldChange>> = Vec::new();
    for change in changes {
        let is_alike = |other: &FieldChange| {
            (other.cases, other.holds) == (change.cases, change.holds)
                && other.pattern == change.pattern
        };
        match groups.iter_mut().find(|group| is_alike(&group[0])) {
            Some(group) => group.push(change),
            None => groups.push(vec![change]),
        }
    }
    groups
}

/// Returns `/net, /tax: actual = 2 × expected`.
pub(super) fn statement(alike: &[FieldChange]) -> String {
    let FieldChange { field, pattern, .. } = &alike[0];
    if alike.len() == 1 && unmarked(field).is_root() {
        return pattern.to_string();
    }
    let fields: Vec<Pointer> = alike.iter().map(|change| change.field.clone()).collect();
    format!("{}: {pattern}", names(&fields))
}

fn change_sentence(alike: &[FieldChange]) -> String {
    let change = &alike[0];
    let (cases, holds) = (change.cases, change.holds);
    let statement = statement(alike);
    match holds == cases {
        _ if matches!(change.pattern, ChangePattern::WithinUlps(_)) => {
            format!("{statement} in {cases}; tolerance(ulp = {LAST_BITS}) accepts them")
        }
        true => match &change.only {
            Some(only) => format!("{statement} {}, the only ones with {only}", in_all(cases)),
            None => format!("{statement} {}", in_all(cases)),
        },
        false => format!("{statement} in {holds} of the {cases}"),
    }
}

/// Returns `/net, /tax and 40 more fields`.
pub(super) fn names(fields: &[Pointer]) -> String {
    let mut names = String::new();
    for (index, field) in fields.iter().enumerate() {
        if names.len() > NAMES_LENGTH {
            let rest = more(fields.len() - index, "field");
            return format!("{names} and {rest}");
        }
        if index > 0 {
            names.push_str(", ");
        }
        names.push_str(&name(&unmarked(field)));
    }
    names
}

/// The depth of a field whose whole path is shown.
const SHOWN_DEPTH: usize = 5;

/// Returns `/page/…/y1/*` for a deep field.
fn name(field: &Pointer) -> String {
    let segments = || field.segments();
    match field.depth() {
        0 => "output".to_owned(),
        depth if depth > SHOWN_DEPTH => {
            let start: Pointer = segments().take(1).collect();
            let end: Pointer = segments().skip(depth - 2).collect();
            format!("{start}/…{end}")
        }
        _ => field.to_string(),
    }
}

/// Names the only differing field, if outputs have several.
pub(super) fn only_field(fields: &[Pointer]) -> Option<String> {
    let [field] = fields else {
        return None;
    };
    let field = unmarked(field);
    // The whole value of an `Ok` doesn't count as a field, nor do all elements of an array.
    let mut names = field.segments().skip_while(|segment| *segment == "Ok");
    let is_field = names.any(|segment| segment != "*");
    is_field.then(|| format!("only {field} changed"))
}
