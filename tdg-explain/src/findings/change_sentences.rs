//! Sentences about changed outputs.

use tdg_definition::json::Pointer;

use tdg_engine::compare::LAST_BITS;
use tdg_engine::output::unmarked;
use tdg_engine::text::{FINDING_WIDTH, more};

use super::{PATTERNS, fitting};
use crate::Explanation;
use crate::changes::{CauseChange, ChangePattern, FieldChange};

/// Fields past this length are only counted.
const NAMES_LENGTH: usize = FINDING_WIDTH / 2;

/// A rule, and true if it only means cases that no other rule covers.
pub(super) type CoveringRule = Option<(usize, bool)>;

/// Groups the sentences by rule; sentences about all cases have none.
pub(super) fn by_cause(changes: Vec<CauseChange>) -> Vec<(CoveringRule, Vec<String>)> {
    let mut groups: Vec<(CoveringRule, Vec<FieldChange>)> = Vec::new();
    for told in changes {
        let cause = told.rule.map(|rule| (rule, told.is_alone));
        match groups.last_mut() {
            Some((last, group)) if *last == cause => group.push(told.change),
            _ => groups.push((cause, vec![told.change])),
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
        .iter()
        .take(PATTERNS)
        .map(|it| change_sentence(it))
        .collect()
}

fn change_sentence(alike: &[FieldChange]) -> String {
    let FieldChange {
        field,
        cases,
        holds,
        pattern,
    } = &alike[0];
    let subject = match alike {
        [_] if unmarked(field).is_root() => String::new(),
        _ => {
            let fields: Vec<Pointer> = alike.iter().map(|change| change.field.clone()).collect();
            format!("{}: ", names(&fields))
        }
    };
    match holds == cases {
        _ if matches!(pattern, ChangePattern::WithinUlps(_)) => {
            format!("{subject}{pattern} in {cases}; tolerance(ulp = {LAST_BITS}) accepts them")
        }
        true => format!("{subject}{pattern} in all {cases}"),
        false => format!("{subject}{pattern} in {holds} of the {cases}"),
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
        let field = unmarked(field);
        names.push_str(&match field.is_root() {
            true => "output".to_owned(),
            false => field.to_string(),
        });
    }
    names
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
