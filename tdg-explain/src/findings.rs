//! Sentences about common properties of failing cases and their outputs.

use std::collections::BTreeSet;

use tdg_definition::json::{Pointer, Value};
use tdg_definition::sort;

use tdg_engine::Vectors;
use tdg_engine::compare::{
    DifferingCase, LAST_BITS, Part, PartKind, changed_forms, parts, within_ulps,
};
use tdg_engine::output::refusal;
use tdg_engine::text::{FINDING_WIDTH, counted, input_cell, more, shorten};

use crate::changes::{CauseChange, ChangePattern, FieldChange, changes_by_cause};
use crate::nearest::{FeatureDifference, Neighbour};
use crate::rule::{Rule, Wording};
use crate::verb::Verb;
use crate::wrapped_outputs::unwrapped;
use crate::{ExplainedRows, Explanation, Side, rules};

/// The maximum number of patterns.
const PATTERNS: usize = 3;
/// The maximum number of reasons for rejected inputs.
const REASONS: usize = 3;
/// The width of such a reason.
const REASON_WIDTH: usize = 80;
/// The maximum number of features listed for a neighbour.
const FEATURES: usize = 3;
/// The width of a neighbour's value.
const VALUE_WIDTH: usize = 24;
/// Fields past this length are only counted.
const NAMES_LENGTH: usize = FINDING_WIDTH / 2;

/// Describes what the differing cases and their outputs have in common, one sentence each. Leaves
/// out the cases in `uncompared`, which is in order.
///
/// `expected` has the expected outputs of all cases, if known. Each part of a change is explained
/// separately. A sentence too long for a report is shortened in the middle.
pub fn findings_of_changes(
    vectors: &Vectors,
    uncompared: &[usize],
    expected: Option<&[Value]>,
    differing: &[DifferingCase],
) -> Vec<String> {
    let explain =
        |unknown: &[usize], cases: &[usize]| explanation(vectors, unknown, expected, cases);
    findings_of_explained(vectors, uncompared, expected, differing, &explain)
}

/// Like [`findings_of_changes`], but `explain` takes the unknown cases and the ones to explain.
pub fn findings_of_explained(
    vectors: &Vectors,
    uncompared: &[usize],
    expected: Option<&[Value]>,
    differing: &[DifferingCase],
    explain: &dyn Fn(&[usize], &[usize]) -> Explanation,
) -> Vec<String> {
    if let Some(forms) = changed_forms(differing) {
        return vec![FORMS_SAY_NOTHING.replace("{}", forms[0].option())];
    }
    let (rewrapped, differing) = unwrapped(differing);
    let findings = Findings {
        vectors,
        uncompared,
        expected,
        size: vectors.size() - uncompared.len(),
        differing: &differing,
        is_rewrapped: !rewrapped.is_empty(),
        explain,
    };
    fitting([rewrapped, findings.sentences()].concat())
}

const FORMS_SAY_NOTHING: &str = "values of two forms can't be compared; to see whether anything \
                                 else changed, test once more with {}, and then accept";

/// A change to describe.
struct Findings<'a> {
    vectors: &'a Vectors,
    uncompared: &'a [usize],
    /// The expected outputs of all cases, if known.
    expected: Option<&'a [Value]>,
    /// The number of compared cases.
    size: usize,
    differing: &'a [DifferingCase],
    /// True if other outputs differ only in their wrapping.
    is_rewrapped: bool,
    explain: &'a dyn Fn(&[usize], &[usize]) -> Explanation,
}

impl Findings<'_> {
    fn sentences(&self) -> Vec<String> {
        let parts = parts(self.differing);
        let is_value = |part: &&Part| part.kind == PartKind::Value;
        let values = parts.iter().filter(is_value).count();
        let shape = parts.iter().filter(|part| part.kind.is_shape()).count();
        // With one part of each kind, the verb makes clear which one is meant.
        let names_fields = shape > 0 || values > 1 || self.is_rewrapped;
        let names_all = parts.len() > shape + values;
        let mut sentences: Vec<String> = self.together(&parts);
        let verb = match sentences.is_empty() {
            true => Verb::CHANGED,
            false => Verb::OTHER_VALUE,
        };
        for part in parts.iter().filter(|part| part.kind.is_shape()) {
            sentences.push(self.shape(part));
            if !part.is_common_shape(self.size) {
                let rules = wording(&self.explanation(&part.cases), Verb::CHANGED, false);
                sentences.extend(about(&names(&part.fields), rules));
            }
        }
        for part in parts.iter().filter(is_value).take(PATTERNS) {
            sentences.extend(self.values(part, verb, names_fields, names_all));
        }
        for part in parts.iter().filter(|it| it.kind == PartKind::LastBits) {
            let failing = part.cases.len();
            let explanation = Explanation::without_rules(failing, failing, Side::Failing);
            sentences.extend(self.outputs(part, &explanation));
        }
        if values > PATTERNS {
            let rest = parts.iter().filter(is_value).skip(PATTERNS);
            let fields = rest.map(|part| part.fields.len()).sum();
            sentences.push(format!("{} changed", more(fields, "field")));
        }
        for part in &parts {
            sentences.extend(self.inputs(part));
            let verb = Verb::of_kind(&part.kind);
            if verb != Verb::CHANGED {
                let explanation = self.explanation(&part.cases);
                sentences.extend(wording(&explanation, verb, true));
                sentences.extend(self.outputs(part, &explanation));
            }
        }
        sentences
    }

    /// Describes all changed cases together, if each part of the change has fewer cases.
    fn together(&self, parts: &[Part]) -> Vec<String> {
        let cases: Vec<usize> = self.differing.iter().map(|it| it.case).collect();
        if parts.iter().any(|part| part.cases.len() == cases.len()) {
            return Vec::new();
        }
        let explanation = self.explanation(&cases);
        match (explanation.side, explanation.rules.as_slice()) {
            (Side::Failing, [rule]) if rule.wording <= Wording::Mostly => {
                wording(&explanation, Verb::CHANGED, false)
            }
            _ => Vec::new(),
        }
    }

    /// Describes the cases with changed values, and the changes.
    fn values(&self, part: &Part, verb: Verb, names_fields: bool, names_all: bool) -> Vec<String> {
        let explanation = match verb == Verb::CHANGED {
            true => explanation_of_part(
                part,
                self.uncompared,
                self.expected,
                self.differing,
                self.explain,
            ),
            false => self.explanation(&part.cases),
        };
        let mut rules = wording(&explanation, verb, names_all && !names_fields);
        let all = self.differing.iter().map(|it| &it.comparison);
        // If all outputs are this close, the report says more.
        let mut outputs = match within_ulps(all, LAST_BITS) {
            Some(_) => Vec::new(),
            None => self.outputs(part, &explanation),
        };
        if names_fields {
            let fields = names(&part.fields);
            rules = match part.cases.len() == self.size {
                true => vec![format!("{fields} changed in all {}", self.size)],
                false => about(&fields, rules),
            };
        } else if outputs.is_empty() {
            outputs.extend(only_field(&part.fields));
        }
        [rules, outputs].concat()
    }

    /// Returns `/tax added in all 200`.
    fn shape(&self, part: &Part) -> String {
        let in_part = |case: &usize| part.cases.binary_search(case).is_ok();
        let of_part = self.differing.iter().filter(|it| in_part(&it.case));
        let unnamed = of_part.map(|it| it.comparison.more_one_sided());
        let fields = match unnamed.max() {
            None | Some(0) => names(&part.fields),
            Some(unnamed) => format!("{} and {}", names(&part.fields), more(unnamed, "field")),
        };
        let cases = match part.cases.len() {
            all if all == self.size => format!("all {all}"),
            some => format!("{some} of {}", self.size),
        };
        match &part.kind {
            PartKind::Renamed { from } if from.is_root() => {
                format!("the output moved to {fields} in {cases}")
            }
            PartKind::Renamed { from } => match part.fields.first().map_or(0, Pointer::depth) {
                0 => format!("{from} became the whole output in {cases}"),
                depth if depth == from.depth() => format!("{from} renamed to {fields} in {cases}"),
                _ => format!("{from} moved to {fields} in {cases}"),
            },
            PartKind::Removed => format!("{fields} removed in {cases}"),
            _ => format!("{fields} added in {cases}"),
        }
    }

    /// Returns `3 rows are no longer inputs: -1 is below zero, -4 is below zero`.
    fn inputs(&self, part: &Part) -> Option<String> {
        let (now, side): (_, fn(&DifferingCase) -> &Value) = match part.kind {
            PartKind::NoLongerInput => ("no longer inputs", |it| &it.actual),
            PartKind::OtherReason => ("not inputs, for another reason", |it| &it.actual),
            PartKind::BecameInput => ("inputs now, unlike before", |it| &it.expected),
            _ => return None,
        };
        let in_part = |it: &&DifferingCase| part.cases.binary_search(&it.case).is_ok();
        let of_part = self.differing.iter().filter(in_part);
        let mut reasons: Vec<&str> = of_part.filter_map(|it| refusal(side(it))).collect();
        let mut known = BTreeSet::new();
        reasons.retain(|reason| known.insert(*reason));
        let more = match reasons.len() > REASONS {
            true => format!(", and {}", more(reasons.len() - REASONS, "reason")),
            false => String::new(),
        };
        reasons.truncate(REASONS);
        let reasons: Vec<String> = reasons.iter().map(|it| shorten(it, REASON_WIDTH)).collect();
        let rows = counted(part.cases.len(), "row");
        let are = if part.cases.len() == 1 { "is" } else { "are" };
        Some(format!("{rows} {are} {now}: {}{more}", reasons.join(", ")))
    }

    fn explanation(&self, cases: &[usize]) -> Explanation {
        (self.explain)(self.uncompared, cases)
    }

    /// Describes the changed outputs of a part, for all its cases or for each rule.
    fn outputs(&self, part: &Part, explanation: &Explanation) -> Vec<String> {
        let is_of_part = |it: &&DifferingCase| part.cases.binary_search(&it.case).is_ok();
        let differing: Vec<_> = self.differing.iter().filter(is_of_part).collect();
        let is_meant = |field: &Pointer| part.fields.is_empty() || part.fields.contains(field);
        let changes = changes_by_cause(
            explanation,
            self.vectors,
            self.expected,
            &differing,
            is_meant,
        );
        // The verb of such a part already says it.
        let is_said = |it: &CauseChange| match it.change.pattern {
            ChangePattern::ErrToOk => part.kind == PartKind::BecameOk,
            ChangePattern::OkToErr => part.kind == PartKind::BecameErr,
            _ => false,
        };
        let changes = changes.into_iter().filter(|it| !is_said(it)).collect();
        let mut sentences = Vec::new();
        for (cause, changed) in by_cause(changes) {
            sentences.extend(about_cause(explanation, cause, changed));
        }
        sentences.truncate(PATTERNS);
        sentences
    }
}

/// Explains the cases of a part with `explain`, which takes the unknown cases and the ones to
/// explain.
///
/// For changed values, it is unknown if cases with other outcomes would have changed: they count
/// neither as changed nor as unchanged, unless no others are left.
pub fn explanation_of_part(
    part: &Part,
    uncompared: &[usize],
    expected: Option<&[Value]>,
    differing: &[DifferingCase],
    explain: &dyn Fn(&[usize], &[usize]) -> Explanation,
) -> Explanation {
    let of_all = || explain(uncompared, &part.cases);
    if part.kind != PartKind::Value {
        return of_all();
    }
    let is_in_part = |it: &&DifferingCase| part.cases.binary_search(&it.case).is_ok();
    let of_part = differing.iter().find(is_in_part).map(outcomes);
    let others = differing.iter().filter(|it| of_part != Some(outcomes(it)));
    let others = others.filter(|it| !is_in_part(it)).map(|it| it.case);
    let expected = expected.unwrap_or_default().iter().enumerate();
    let refused = expected.filter(|(_, value)| refusal(value).is_some());
    let refused = refused.map(|(case, _)| case);
    let unknown = refused.chain(others).chain(uncompared.iter().copied());
    let explanation = explain(&unknown.collect::<Vec<_>>(), &part.cases);
    match explanation.failing < explanation.rows {
        true => explanation,
        false => of_all(),
    }
}

/// Returns the outcomes of the expected and the actual output.
fn outcomes(case: &DifferingCase) -> [Option<&str>; 2] {
    [outcome(&case.expected), outcome(&case.actual)]
}

/// Returns the outcome of an output without other fields: a side of a `Result`, a panic, or
/// rejected inputs.
fn outcome(output: &Value) -> Option<&str> {
    let mut names = output.as_object()?.keys().map(String::as_str);
    let first = names.next();
    let first = first.filter(|it| it.starts_with('$') || ["Ok", "Err"].contains(it));
    first.filter(|_| names.next().is_none())
}

/// A rule, and true if it only means cases that no other rule covers.
type CoveringRule = Option<(usize, bool)>;

/// Groups the sentences by rule; sentences about all cases have none.
fn by_cause(changes: Vec<CauseChange>) -> Vec<(CoveringRule, Vec<String>)> {
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
fn about(fields: &str, mut sentences: Vec<String>) -> Vec<String> {
    if let Some(first) = sentences.first_mut() {
        *first = format!("{fields}: {first}");
    }
    sentences
}

/// Prefixes the first sentence with its rule.
fn about_cause(explanation: &Explanation, cause: CoveringRule, told: Vec<String>) -> Vec<String> {
    match cause {
        None => told,
        Some((rule, is_alone)) => {
            let alone = if is_alone { " alone" } else { "" };
            about(&format!("{}{alone}", explanation.rules[rule]), told)
        }
    }
}

/// Describes what the panicked cases have in common, one sentence each. Leaves out the cases in
/// `unbound`, which is in order. `expected` has the expected outputs of all cases, if known.
pub fn findings_of_panics(
    vectors: &Vectors,
    unbound: &[usize],
    expected: Option<&[Value]>,
    cases: &[usize],
) -> Vec<String> {
    let explanation = explanation(vectors, unbound, expected, cases);
    fitting(wording(&explanation, Verb::PANICKED, false))
}

/// Describes what the failing rows have in common, one sentence each, if a rule covers them.
pub fn findings_of_failures(vectors: &Vectors, rows: &[usize]) -> Vec<String> {
    let explanation = explanation(vectors, &[], None, rows);
    match explanation.rules.is_empty() {
        true => Vec::new(),
        false => findings_of_rows(&explanation),
    }
}

/// Describes what the cases that fulfill a condition have in common, one sentence each.
pub fn findings_of_requirement(vectors: &Vectors, cases: &[usize]) -> Vec<String> {
    let explanation = explanation(vectors, &[], None, cases);
    fitting(wording(&explanation, Verb::FULFILLED, true))
}

/// Describes an explanation of the failing rows of any table, one sentence each.
pub fn findings_of_rows(explanation: &Explanation) -> Vec<String> {
    let sentences = Sentences {
        explanation,
        verb: Verb::FAILED,
        names_all: false,
    };
    fitting(sentences.all())
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

/// Describes the changed outputs of the differing rows, one sentence each.
pub fn findings_of_outputs(
    explanation: &Explanation,
    vectors: &Vectors,
    expected: Option<&[Value]>,
    differing: &[DifferingCase],
) -> Vec<OutputFinding> {
    let (rewrapped, differing) = unwrapped(differing);
    let differing: Vec<_> = differing.iter().collect();
    let changes = changes_by_cause(explanation, vectors, expected, &differing, |_| true);
    let mut found = Vec::new();
    for (cause, sentences) in [(None, rewrapped)].into_iter().chain(by_cause(changes)) {
        found.extend(fitting(sentences).into_iter().map(|text| OutputFinding {
            rule: cause.map(|(rule, _)| rule),
            is_alone: cause.is_some_and(|(_, is_alone)| is_alone),
            text,
        }));
    }
    found
}

fn fitting(findings: Vec<String>) -> Vec<String> {
    let findings = findings.iter();
    findings
        .map(|finding| shorten(finding, FINDING_WIDTH))
        .collect()
}

/// Explains what `cases` have in common, without the `unknown` ones.
fn explanation(
    vectors: &Vectors,
    unknown: &[usize],
    expected: Option<&[Value]>,
    cases: &[usize],
) -> Explanation {
    let mut failing = vec![Some(false); vectors.size()];
    for &case in unknown {
        failing[case] = None;
    }
    for &case in cases {
        failing[case] = Some(true);
    }
    rules(&ExplainedRows {
        vectors,
        expected,
        failing: &failing,
    })
}

/// Writes an explanation in sentences. `names_all` adds the verb where it isn't obvious.
fn wording(explanation: &Explanation, verb: Verb, names_all: bool) -> Vec<String> {
    let sentences = Sentences {
        explanation,
        verb,
        names_all,
    };
    sentences.all()
}

/// An explanation with the verbs for its two sides.
struct Sentences<'a> {
    explanation: &'a Explanation,
    verb: Verb,
    names_all: bool,
}

impl Sentences<'_> {
    fn all(&self) -> Vec<String> {
        let total = self.explanation.explained();
        match self.explanation.rules.as_slice() {
            // If all cases fail, the headline says so.
            _ if total == 0 && !self.names_all => Vec::new(),
            _ if self.explanation.failing == 0 => Vec::new(),
            _ if total == 0 => vec![format!(
                "all {} cases {}",
                self.explanation.rows, self.verb.did
            )],
            [] if total == self.explanation.neighbours.len() => self.neighbours(),
            [] => {
                let silence = "have no pattern beyond chance";
                let silence = || format!("{} {silence}", self.subject());
                let mut sentences = vec![self.shared().unwrap_or_else(silence)];
                let example = self.neighbours();
                sentences.extend(example.iter().map(|text| format!("for instance, {text}")));
                sentences
            }
            rules if rules[0].wording == Wording::Tendency => {
                let shared = self.explanation.shared.as_ref().map(Rule::covered);
                let others = rules.iter().filter(|it| Some(it.covered()) != shared);
                let tendencies = others.map(|rule| self.tendency(rule));
                self.shared().into_iter().chain(tendencies).collect()
            }
            [rule] if rule.wording != Wording::Part => vec![self.only_rule(rule)],
            rules => {
                let mut sentences: Vec<String> = rules.iter().map(|rule| self.rule(rule)).collect();
                sentences.extend(self.shared());
                sentences.extend(self.rest(rules));
                sentences
            }
        }
    }

    /// Returns the verb for cases of the explained side.
    fn did(&self) -> &str {
        match self.explanation.side {
            Side::Failing => self.verb.did,
            Side::Passing => self.verb.did_not,
        }
    }

    fn did_not(&self) -> &str {
        match self.explanation.side {
            Side::Failing => self.verb.did_not,
            Side::Passing => self.verb.did,
        }
    }

    /// Returns `the 37 cases that changed`.
    fn subject(&self) -> String {
        format!(
            "the {} cases that {}",
            self.explanation.explained(),
            self.did()
        )
    }

    /// Returns `all 37 have`, `35 of the 37 that changed have`, `a part: 12 of the 37 have`.
    fn share(&self, rule: &Rule) -> String {
        let (count, total) = (rule.rows.len(), self.explanation.explained());
        let that = if self.names_all || self.explanation.side == Side::Passing {
            format!(" that {}", self.did())
        } else {
            String::new()
        };
        let share = match count == total {
            true => format!("all {total}{that} have {rule}"),
            false => format!("{count} of the {total}{that} have {rule}"),
        };
        let share = match &rule.equivalent {
            Some(equivalent) => format!("{share}; equivalently {equivalent}"),
            None => share,
        };
        match rule.wording {
            Wording::Mostly => format!("mostly: {share}"),
            Wording::Part => format!("a part: {share}"),
            _ => share,
        }
    }

    /// Returns `37 of 41 such cases changed`.
    fn such(&self, rule: &Rule) -> String {
        let covered = rule.rows.len() + rule.exceptions.len();
        format!("{} of {covered} such cases {}", rule.rows.len(), self.did())
    }

    fn only_rule(&self, rule: &Rule) -> String {
        let covered = rule.rows.len() + rule.exceptions.len();
        let rest = self.explanation.explained() - rule.rows.len();
        let others = self.explanation.rows - covered;
        let (share, such) = (self.share(rule), self.such(rule));
        format!("{share}   ({such}, {rest} of the other {others})")
    }

    /// Returns `changed more often with quantity > 10   (30 of 200 such cases, …)`.
    fn tendency(&self, rule: &Rule) -> String {
        let covered = rule.rows.len() + rule.exceptions.len();
        let rest = self.explanation.explained() - rule.rows.len();
        format!(
            "{} more often with {rule}   ({} of {covered} such cases, {rest} of the other {}); \
             this is not the cause itself",
            self.did(),
            rule.rows.len(),
            self.explanation.rows - covered,
        )
    }

    /// Returns `all 6 have n = 0   (6 of 20 such cases changed); that alone is not the cause`.
    fn shared(&self) -> Option<String> {
        let (rule, did) = (self.explanation.shared.as_ref()?, self.verb.did);
        let that = match self.names_all || self.explanation.side == Side::Passing {
            true => format!(" that {did}"),
            false => String::new(),
        };
        let (count, such) = (rule.rows.len(), rule.rows.len() + rule.exceptions.len());
        Some(format!(
            "all {count}{that} have {rule}   ({count} of {such} such cases {did}); that alone is \
             not the cause"
        ))
    }

    fn rule(&self, rule: &Rule) -> String {
        format!("{}   ({})", self.share(rule), self.such(rule))
    }

    /// Returns a sentence about the cases that no rule covers, if any.
    fn rest(&self, rules: &[Rule]) -> Option<String> {
        let mut covered: Vec<usize> = rules.iter().flat_map(|rule| rule.rows.clone()).collect();
        sort::by(&mut covered, Ord::cmp);
        covered.dedup();
        let rest = self.explanation.explained() - covered.len();
        let text = match rules {
            [rule, ..] if rule.wording == Wording::Part => {
                format!("no pattern found in the other {rest}")
            }
            [_, _] => format!("{rest} of them {} neither", have(rest)),
            _ => format!("{rest} of them {} none of these", have(rest)),
        };
        (rest > 0).then_some(text)
    }

    fn neighbours(&self) -> Vec<String> {
        let neighbours = self.explanation.neighbours.iter();
        neighbours
            .map(|neighbour| self.neighbour(neighbour))
            .collect()
    }

    /// Returns `case 8 changed; the nearest that did not, case 48, has coupon "NONE" instead of …`.
    fn neighbour(&self, neighbour: &Neighbour) -> String {
        let mut differences: Vec<String> = neighbour
            .differences
            .iter()
            .take(FEATURES)
            .map(difference)
            .collect();
        let rest = neighbour.differences.len() - differences.len();
        if rest > 0 {
            differences.push(format!("differs in {}", more(rest, "feature")));
        }
        let text = match differences.split_last() {
            None => "has the same inputs".to_owned(),
            Some((last, [])) => format!("has {last}"),
            Some((last, others)) => format!("has {} and {last}", others.join(", ")),
        };
        format!(
            "case {} {}; the nearest that {}, case {}, {text}",
            neighbour.row,
            self.did(),
            self.did_not(),
            neighbour.other,
        )
    }
}

/// Returns `quantity 11 instead of 8`.
fn difference(difference: &FeatureDifference) -> String {
    let FeatureDifference {
        feature,
        value,
        other,
    } = difference;
    let text = |value: &Value| shorten(&input_cell(&value.to_string()), VALUE_WIDTH);
    format!("{feature} {} instead of {}", text(other), text(value))
}

fn have(count: usize) -> &'static str {
    if count == 1 { "has" } else { "have" }
}

/// Returns `/net: actual = 2 × expected in all 12` or `actual is null in 61 of the 90`.
fn change_sentences(changes: Vec<FieldChange>) -> Vec<String> {
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
        [_] if field.is_root() => String::new(),
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
fn names(fields: &[Pointer]) -> String {
    let mut names = String::new();
    for (index, field) in fields.iter().enumerate() {
        if names.len() > NAMES_LENGTH {
            let rest = more(fields.len() - index, "field");
            return format!("{names} and {rest}");
        }
        if index > 0 {
            names.push_str(", ");
        }
        names.push_str(&match field.is_root() {
            true => "output".to_owned(),
            false => field.to_string(),
        });
    }
    names
}

/// Names the only differing field, if outputs have several.
fn only_field(fields: &[Pointer]) -> Option<String> {
    let [field] = fields else {
        return None;
    };
    // The whole value of an `Ok` doesn't count as a field, nor do all elements of an array.
    let mut names = field.segments().skip_while(|segment| *segment == "Ok");
    let is_field = names.any(|segment| segment != "*");
    is_field.then(|| format!("only {field} changed"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changes;
    use tdg_definition::{Definition, Policy};

    use tdg_definition::json::parse;

    /// Orders with a coupon in some rows, and quantities from 1 to 20.
    fn orders() -> Vectors {
        let definition = Definition::parse(
            r#"{"features": [
                {"feature_name": "amount", "type": "FLOAT",
                 "distribution": {"type": "uniform", "min": 10, "max": 100}},
                {"feature_name": "quantity", "type": "INTEGER",
                 "distribution": {"type": "uniform", "min": 1, "max": 20}},
                {"feature_name": "coupon", "type": "STRING", "null_probability": 0.1,
                 "distribution": {"type": "categorical", "categories": [
                    {"value": "HALF", "probability": 0.3}, {"value": "NONE", "probability": 0.7}]}}
            ]}"#,
        );
        Vectors::generate(&definition.unwrap(), 0, 500)
    }

    fn quantity(vectors: &Vectors, row: usize) -> f64 {
        let mut text = String::new();
        vectors.write_cell(row, 1, &mut text);
        text.parse().unwrap()
    }

    fn is_half(vectors: &Vectors, row: usize) -> bool {
        let mut text = String::new();
        vectors.write_cell(row, 2, &mut text);
        text == "\"HALF\""
    }

    /// Returns the findings if `fails` gives the actual outputs of some rows; the others are
    /// `{"Ok":{"total":…}}`.
    fn findings(fails: impl Fn(&Vectors, usize) -> Option<String>) -> String {
        let vectors = orders();
        let mut differing = Vec::new();
        for row in 0..vectors.size() {
            if let Some(actual) = fails(&vectors, row) {
                let expected = ok(row as f64 + 1.5);
                let read = |text: &str| parse(text).unwrap();
                differing.push(DifferingCase::compared(
                    &Policy::exact(),
                    row,
                    read(&expected),
                    read(&actual),
                ));
            }
        }
        findings_of_changes(&vectors, &[], None, &differing).join("\n")
    }

    fn ok(total: f64) -> String {
        format!(r#"{{"Ok":{{"id":7,"total":{total:?}}}}}"#)
    }

    fn doubled(row: usize) -> Option<String> {
        Some(ok((row as f64 + 1.5) * 2.0))
    }

    #[test]
    fn one_rule_for_all() {
        insta::assert_snapshot!(findings(|rows, row| {
            (is_half(rows, row) && quantity(rows, row) > 10.0).then(|| doubled(row))?
        }), @r#"
        all 67 have coupon = "HALF" and quantity > 10   (67 of 67 such cases changed, 0 of the other 433)
        /Ok/total: actual = 2 × expected in all 67
        "#);
    }

    #[test]
    fn one_rule_with_exceptions() {
        insta::assert_snapshot!(findings(|rows, row| {
            ((quantity(rows, row) > 17.0) != (row % 83 == 0)).then(|| doubled(row))?
        }), @"
        mostly: 67 of the 73 have quantity > 17   (67 of 68 such cases changed, 6 of the other 432)
        /Ok/total: actual = 2 × expected in all 73
        ");
    }

    #[test]
    fn a_part_that_always_changes() {
        insta::assert_snapshot!(findings(|rows, row| {
            (is_half(rows, row) && quantity(rows, row) > 10.0 || row * row % 41 == 16).then(|| ok((row % 7) as f64))
        }), @r#"
        a part: 67 of the 87 have coupon = "HALF" and quantity > 10   (67 of 67 such cases changed)
        no pattern found in the other 20
        /Ok/total: actual < expected in all 87
        "#);
    }

    #[test]
    fn a_tendency_is_not_called_the_cause() {
        insta::assert_snapshot!(findings(|rows, row| {
            (is_half(rows, row) && row * row % 5 < 4 || row * row % 17 == 4).then(|| ok((row % 7) as f64))
        }), @r#"
        changed more often with coupon = "HALF"   (87 of 138 such cases, 45 of the other 362); this is not the cause itself
        /Ok/total: actual < expected in all 132
        "#);
    }

    #[test]
    fn two_rules_and_a_rest() {
        insta::assert_snapshot!(findings(|rows, row| {
            (is_half(rows, row) || quantity(rows, row) > 18.0 || row % 249 == 1).then(|| doubled(row))?
        }), @r#"
        138 of the 174 have coupon = "HALF"   (138 of 138 such cases changed)
        45 of the 174 have quantity > 18   (45 of 45 such cases changed)
        1 of them has neither
        /Ok/total: actual = 2 × expected in all 174
        "#);
    }

    #[test]
    fn the_cases_that_did_not_change() {
        insta::assert_snapshot!(findings(|rows, row| {
            (!is_half(rows, row)).then(|| doubled(row))?
        }), @r#"
        all 362 have coupon != "HALF"   (362 of 362 such cases changed, 0 of the other 138)
        /Ok/total: actual = 2 × expected in all 362
        "#);
    }

    #[test]
    fn another_type_of_the_output_hides_nothing() {
        let vectors = orders();
        let differing: Vec<DifferingCase> = (0..vectors.size())
            .map(|row| {
                let actual = match quantity(&vectors, row) {
                    18.0.. => r#"{"$name":"None"}"#.to_owned(),
                    _ => format!(r#"{{"$name":"Some","0":{}}}"#, row + 1),
                };
                let (expected, actual) = (Value::from(row as u64 + 1), parse(&actual).unwrap());
                DifferingCase::compared(&Policy::exact(), row, expected, actual)
            })
            .collect();
        let told = findings_of_changes(&vectors, &[], None, &differing);
        insta::assert_snapshot!(told.join("\n"), @"
        x became Some(x) in 432 of the 500
        output: all 68 have quantity > 17   (68 of 68 such cases changed, 0 of the other 432)
        actual = None in all 68
        ");
    }

    #[test]
    fn errors_are_explained_by_themselves() {
        insta::assert_snapshot!(findings(|rows, row| {
            if quantity(rows, row) > 17.0 {
                Some(r#"{"Err":"out of stock"}"#.to_owned())
            } else if is_half(rows, row) {
                doubled(row)
            } else {
                None
            }
        }), @r#"
        all 119 that changed have coupon = "HALF"   (119 of 119 such cases changed, 0 of the other 313)
        /Ok/total: actual = 2 × expected in all 119
        all 68 that became an Err have quantity > 17   (68 of 68 such cases became an Err, 0 of the other 432)
        became Err("out of stock") in all 68
        "#);
    }

    #[test]
    fn one_cause_of_several_parts_comes_first() {
        insta::assert_snapshot!(findings(|rows, row| match quantity(rows, row) {
            17.0.. if row % 2 == 0 => Some(r#"{"Err":"out of stock"}"#.to_owned()),
            17.0.. => doubled(row),
            _ => None,
        }), @r#"
        all 92 have quantity > 16   (92 of 92 such cases changed, 0 of the other 408)
        all 49 that got another value have quantity > 16   (49 of 92 such cases got another value); that alone is not the cause
        /Ok/total: actual = 2 × expected in all 49
        all 43 that became an Err have quantity > 16   (43 of 92 such cases became an Err); that alone is not the cause
        became Err("out of stock") in all 43
        "#);
    }

    #[test]
    fn last_bits_are_a_separate_part() {
        insta::assert_snapshot!(findings(|rows, row| {
            let total = row as f64 + 1.5;
            match quantity(rows, row) {
                17.0.. => Some(ok(2.0 * total)),
                4.0..6.0 => Some(ok(total.next_up())),
                _ => None,
            }
        }), @"
        all 92 that changed have quantity > 16   (92 of 92 such cases changed, 0 of the other 408)
        /Ok/total: actual = 2 × expected in all 92
        /Ok/total: differs by at most 1 ULP in 48; tolerance(ulp = 8) accepts them
        ");
    }

    #[test]
    fn outputs_of_any_table_name_the_rule_that_they_are_about() {
        let vectors = orders();
        let differing: Vec<DifferingCase> = (0..vectors.size())
            .filter_map(|row| {
                let expected = Value::from(row as f64 + 1.5);
                let actual = match quantity(&vectors, row) {
                    18.0.. => Value::Null,
                    _ if is_half(&vectors, row) => Value::from(2.0 * (row as f64 + 1.5)),
                    _ => return None,
                };
                let exact = Policy::exact();
                Some(DifferingCase::compared(&exact, row, expected, actual))
            })
            .collect();
        let cases: Vec<usize> = differing.iter().map(|it| it.case).collect();
        let explanation = explanation(&vectors, &[], None, &cases);
        let found = findings_of_outputs(&explanation, &vectors, None, &differing);
        let lines = found.iter().map(|it| it.with_rule(&explanation));
        insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r#"
        coupon = "HALF" alone: actual = 2 × expected in all 119
        quantity > 17: actual is null in all 68
        "#);
    }

    #[test]
    fn everything_became_an_error() {
        insta::assert_snapshot!(findings(|_, _| Some(r#"{"Err":"no connection"}"#.to_owned())), @r#"
        all 500 cases became an Err
        became Err("no connection") in all 500
        "#);
    }

    #[test]
    fn nothing_in_common() {
        insta::assert_snapshot!(findings(|_, row| {
            (row * row % 41 == 16).then(|| ok((row * row % 7) as f64 + 0.25))
        }), @"
        the 25 cases that changed have no pattern beyond chance
        for instance, case 4 changed; the nearest that did not change, case 320, has amount 86.491024 instead of 93.828483
        /Ok/total: actual < expected in all 25
        ");
    }

    #[test]
    fn a_few_cases() {
        insta::assert_snapshot!(findings(|_, row| (row == 8 || row == 41).then(|| ok(0.25))), @"
        case 8 changed; the nearest that did not change, case 277, has amount 29.651740 instead of 20.942759
        case 41 changed; the nearest that did not change, case 110, has quantity 9 instead of 8 and amount 78.030377 instead of 78.452207
        only /Ok/total changed
        ");
    }

    /// Returns the sentences about outputs only.
    fn of_outputs(differing: &[DifferingCase]) -> Vec<String> {
        let differing: Vec<&DifferingCase> = differing.iter().collect();
        change_sentences(changes(&orders(), None, &differing, |_| true))
    }

    /// Returns the findings if every five cases have a separate field with the value `actual`.
    fn findings_of_fields(count: usize, actual: impl Fn(usize) -> Value) -> Vec<String> {
        let output = |field: usize, value| Value::Object([(format!("f{field:03}"), value)].into());
        let differing: Vec<_> = (0..5 * count)
            .map(|row| {
                let expected = output(row / 5, (row as i64).into());
                let actual = output(row / 5, actual(row / 5));
                DifferingCase::compared(&Policy::exact(), row, expected, actual)
            })
            .collect();
        of_outputs(&differing)
    }

    #[test]
    fn of_many_fields_that_changed_alike_some_are_named() {
        let findings = findings_of_fields(3, |_| Value::Null);
        insta::assert_snapshot!(findings.join("\n"), @"/f000, /f001, /f002: actual is null in all 5");
        let findings = findings_of_fields(100, |_| Value::Null).join("\n");
        assert!(findings.starts_with("/f000, /f001, /f002, "), "{findings}");
        let end = "/f066 and 33 more fields: actual is null in all 5";
        assert!(findings.ends_with(end), "{findings}");
    }

    #[test]
    fn of_many_patterns_some_are_shown() {
        let findings = findings_of_fields(100, |field| format!("is {field}").into());
        insta::assert_snapshot!(findings.join("\n"), @r#"
        /f000: actual = "is 0" in all 5
        /f001: actual = "is 1" in all 5
        /f002: actual = "is 2" in all 5
        "#);
    }

    #[test]
    fn more_new_fields_than_are_kept_are_counted_and_hide_nothing() {
        let vectors = orders();
        let is_changed = |row: usize| quantity(&vectors, row) > 17.0;
        let differing: Vec<_> = (0..vectors.size())
            .map(|row| {
                let price = |changed: bool| Value::from(if changed { 2 } else { 1 });
                let expected = Value::object([("price", price(false))]);
                let new = (0..30).map(|field| (format!("new_{field:02}"), Value::Null));
                let price = ("price".to_owned(), price(is_changed(row)));
                let actual = Value::object(new.chain([price]));
                DifferingCase::compared(&Policy::exact(), row, expected, actual)
            })
            .collect();
        let findings = findings_of_changes(&vectors, &[], None, &differing);
        assert!(
            findings[0].ends_with("/new_15 and 14 more fields added in all 500"),
            "{findings:?}"
        );
        assert!(
            findings[1].starts_with("/price: all 68 have quantity > 17 "),
            "{findings:?}"
        );
    }

    #[test]
    fn a_finding_too_long_for_a_report_is_shortened() {
        let long = findings_of_fields(1, |_| "x".repeat(100_000).into());
        let short = fitting(long).join("\n");
        assert_eq!(short.chars().count(), FINDING_WIDTH);
        assert!(short.starts_with("/f000: actual = \"xxx"), "{short}");
        assert!(short.ends_with("xxx\" in all 5"), "{short}");
    }

    #[test]
    fn panics_and_what_a_requirement_asks_for() {
        let vectors = orders();
        let cases: Vec<usize> = (0..500)
            .filter(|row| quantity(&vectors, *row) > 18.0)
            .collect();
        insta::assert_snapshot!(findings_of_panics(&vectors, &[], None, &cases).join("\n"), @"all 45 have quantity > 18   (45 of 45 such cases panicked, 0 of the other 455)");
        insta::assert_snapshot!(findings_of_requirement(&vectors, &cases).join("\n"), @"all 45 that fulfilled it have quantity > 18   (45 of 45 such cases fulfilled it, 0 of the other 455)");
        insta::assert_snapshot!(findings_of_panics(&vectors, &[], None, &[]).join("\n"), @"");
        let all: Vec<usize> = (0..500).collect();
        insta::assert_snapshot!(findings_of_panics(&vectors, &[], None, &all).join("\n"), @"");
    }

    #[test]
    fn the_whole_output_is_not_called_the_only_field() {
        let of_array = |last: f64| Value::from(vec![Value::from(1.5), Value::from(last)]);
        let exact = Policy::exact();
        let change = |case: usize, actual: f64| {
            DifferingCase::compared(&exact, case, of_array(case as f64), of_array(actual))
        };
        let differing = [change(1, 7.25), change(2, 0.125), change(3, 9.5)];
        assert_eq!(of_outputs(&differing), Vec::<String>::new());
    }
}
