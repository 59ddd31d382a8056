//! Sentences about common properties of failing cases and their outputs.

mod cause;
mod change_sentences;
#[cfg(test)]
mod counts;
mod known_findings;
mod rule_sentences;

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use tdg_definition::json::{Pointer, Value};
use tdg_definition::sort;

use tdg_engine::Vectors;
use tdg_engine::compare::{
    DifferingCase, LAST_BITS, Part, PartKind, changed_forms, parts, within_ulps,
};
use tdg_engine::output::refusal;
use tdg_engine::text::{FINDING_WIDTH, counted, in_all, more, shorten};

use self::cause::cause_of_part;
use self::change_sentences::{ChangedOutputs, about, about_cause, by_cause, names, only_field};
use self::rule_sentences::wording;
use crate::changes::{CauseChange, ChangePattern, changes_by_cause};
use crate::condition::ConditionForm;
use crate::review_parts::{OfferedPart, offered_parts};
use crate::rule::{Rule, Wording};
use crate::verb::Verb;
use crate::wrapped_outputs::unwrapped;
use crate::{ExplainedRows, Explanation, Side, Vocabulary, rules};

pub use self::change_sentences::OutputFinding;
pub use self::known_findings::KnownFindings;

/// The maximum number of patterns.
const PATTERNS: usize = 3;
/// For fewer cases, it goes without saying that all with a field changed.
const EVERY: usize = 4;
/// The maximum number of reasons for rejected inputs.
const REASONS: usize = 3;
/// The width of such a reason.
const REASON_WIDTH: usize = 80;

/// Describes what the differing cases and their outputs have in common, one sentence each. Leaves
/// out the cases in `uncompared`, which is in order.
///
/// `expected` has the expected outputs of all cases, if known, and `constants` the numbers and
/// texts in the code, in order. Each part of a change is explained separately. A sentence too long
/// for a report is shortened in the middle.
pub fn findings_of_changes(
    vectors: &Vectors,
    uncompared: &[usize],
    expected: Option<&[Value]>,
    constants: &[Value],
    differing: &[DifferingCase],
) -> ChangeFindings {
    // Sentences and parts need the same explanations.
    let known = RefCell::new(BTreeMap::new());
    let explain = |unknown: &[usize], cases: &[usize]| -> Explanation {
        let search = || explanation(vectors, unknown, expected, constants, cases);
        let key = [unknown, cases].map(<[usize]>::to_vec);
        known.borrow_mut().entry(key).or_insert_with(search).clone()
    };
    let findings = findings_of_explained(vectors, uncompared, expected, differing, &explain);
    if changed_forms(differing).is_some() {
        return findings;
    }
    let of_part =
        |part: &Part| explanation_of_part(part, uncompared, expected, differing, &explain);
    let parts = offered_parts(vectors, expected, differing, &of_part);
    ChangeFindings {
        parts: parts.iter().map(OfferedPart::sentence).collect(),
        ..findings
    }
}

/// Like [`findings_of_changes`], but `explain` takes the unknown cases and the ones to explain.
pub fn findings_of_explained(
    vectors: &Vectors,
    uncompared: &[usize],
    expected: Option<&[Value]>,
    differing: &[DifferingCase],
    explain: &dyn Fn(&[usize], &[usize]) -> Explanation,
) -> ChangeFindings {
    if let Some(forms) = changed_forms(differing) {
        return ChangeFindings {
            sentences: vec![FORMS_SAY_NOTHING.replace("{}", forms[0].option())],
            ..ChangeFindings::default()
        };
    }
    let (rewrapped, differing) = unwrapped(differing);
    let parts = parts(&differing);
    let mut findings = Findings {
        vectors,
        uncompared,
        expected,
        size: vectors.size() - uncompared.len(),
        differing: &differing,
        is_rewrapped: !rewrapped.is_empty(),
        explain,
        causes: Vec::new(),
        exact: Vec::new(),
    };
    let sentences = findings.sentences(&parts);
    let causes = findings.causes;
    // Of many differences in a case, only some are kept.
    let is_complete = |it: &DifferingCase| it.comparison.count == it.comparison.differences.len();
    let has_all = !parts.is_empty() && causes.len() == parts.len();
    let has_all = has_all && rewrapped.is_empty() && differing.iter().all(is_complete);
    ChangeFindings {
        sentences: fitting([rewrapped, sentences].concat()),
        cause: has_all.then(|| causes.join("; ")),
        parts: Vec::new(),
    }
}

/// The sentences about a change, and its cause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangeFindings {
    /// The sentences, which count the cases.
    pub sentences: Vec<String>,
    /// The rules and patterns of the sentences without numbers of cases, if they cover every
    /// changed case: tests with an equal one changed by the same cause.
    pub cause: Option<String>,
    /// The numbered parts of the change, if [`findings_of_changes`] found several.
    pub parts: Vec<String>,
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
    /// The causes of parts that rules and patterns cover.
    causes: Vec<String>,
    /// The cases that exact rules describe, in order.
    exact: Vec<usize>,
}

impl Findings<'_> {
    fn sentences(&mut self, parts: &[Part]) -> Vec<String> {
        let is_value = |part: &&Part| part.kind == PartKind::Value;
        let values = parts.iter().filter(is_value).count();
        let shape = parts.iter().filter(|part| part.kind.is_shape()).count();
        // With one part of each kind, the verb makes clear which one is meant.
        let names_fields = shape > 0 || values > 1 || self.is_rewrapped;
        let names_all = parts.len() > shape + values;
        let mut sentences: Vec<String> = self.together(parts);
        let verb = match sentences.is_empty() {
            true => Verb::CHANGED,
            false => Verb::OTHER_VALUE,
        };
        for part in parts.iter().filter(|part| part.kind.is_shape()) {
            sentences.extend(self.shape(part));
        }
        for part in parts.iter().filter(is_value).take(PATTERNS) {
            sentences.extend(self.values(part, verb, names_fields, names_all));
        }
        for part in parts.iter().filter(|it| it.kind == PartKind::LastBits) {
            let failing = part.cases.len();
            let explanation = Explanation::without_rules(failing, failing, Side::Failing);
            sentences.extend(self.outputs(part, &explanation).0);
        }
        if values > PATTERNS {
            let rest = parts.iter().filter(is_value).skip(PATTERNS);
            let fields = rest.map(|part| part.fields.len()).sum();
            sentences.push(format!("{} changed", more(fields, "field")));
        }
        for part in parts {
            sentences.extend(self.inputs(part));
            let verb = Verb::of_kind(&part.kind);
            if verb != Verb::CHANGED {
                let explanation = self.explanation_of_part(part);
                sentences.extend(self.wording(&part.cases, &explanation, verb, true));
                sentences.extend(self.outputs(part, &explanation).0);
            }
        }
        sentences
    }

    /// Describes all changed cases together, if each part of the change has fewer cases: by one
    /// rule, or by several short ones if a part has no exact rule.
    fn together(&mut self, parts: &[Part]) -> Vec<String> {
        let cases: Vec<usize> = self.differing.iter().map(|it| it.case).collect();
        if parts.iter().any(|part| part.cases.len() == cases.len()) {
            return Vec::new();
        }
        let explanation = self.explanation(&cases);
        let of_part = |part: &Part| self.explanation_of_part(part);
        let is_meant = match (explanation.side, explanation.rules.as_slice()) {
            (Side::Failing, [rule]) => rule.wording <= Wording::Mostly,
            (_, rules) => {
                let is_plain = rules.iter().all(|rule| rule.conditions.len() == 1);
                let is_exact = |part: &Part| of_part(part).is_exact();
                explanation.is_exact() && is_plain && !parts.iter().all(is_exact)
            }
        };
        match is_meant {
            true => self.wording(&cases, &explanation, Verb::CHANGED, false),
            false => Vec::new(),
        }
    }

    /// Describes the cases with changed values, and the changes.
    fn values(
        &mut self,
        part: &Part,
        verb: Verb,
        names_fields: bool,
        names_all: bool,
    ) -> Vec<String> {
        let explanation = self.explanation_of_part(part);
        let all = self.differing.iter().map(|it| &it.comparison);
        // If all outputs are this close, the report says more.
        let (mut outputs, is_determined) = match within_ulps(all, LAST_BITS) {
            Some(_) => (Vec::new(), false),
            None => self.outputs(part, &explanation),
        };
        if is_determined {
            return outputs;
        }
        let mut rules = self.wording(&part.cases, &explanation, verb, names_all && !names_fields);
        if let Some(every) = self.every(part, &explanation) {
            rules = vec![every];
        } else if names_fields {
            let fields = names(&part.fields);
            rules = match part.cases.len() == self.size {
                true => vec![format!("{fields} changed {}", in_all(self.size))],
                false => about(&fields, rules),
            };
        } else if outputs.is_empty() && !names_all {
            outputs.extend(only_field(&part.fields));
        }
        [rules, outputs].concat()
    }

    /// Returns `all 490 cases with /weekday changed`, if there are others without it.
    fn every(&self, part: &Part, explanation: &Explanation) -> Option<String> {
        let others = self.size.checked_sub(explanation.rows)?;
        let with = match part.fields.iter().any(Pointer::is_root) || part.fields.is_empty() {
            true => "this outcome".to_owned(),
            false => names(&part.fields),
        };
        let is_meant = others > 0 && explanation.rows >= EVERY;
        (is_meant && explanation.failing == explanation.rows).then(|| {
            let all = explanation.rows;
            format!(
                "all {all} cases with {with} changed   ({others} with another outcome not counted)"
            )
        })
    }

    /// Describes the cases with another shape.
    fn shape(&mut self, part: &Part) -> Vec<String> {
        let (explanation, rules) = match part.is_common_shape(self.size) {
            true => {
                let (rows, failing) = (self.size, part.cases.len());
                let explanation = Explanation::without_rules(rows, failing, Side::Failing);
                (explanation, Vec::new())
            }
            false => {
                let explanation = self.explanation_of_part(part);
                let rules = self.wording(&part.cases, &explanation, Verb::CHANGED, false);
                (explanation, about(&names(&part.fields), rules))
            }
        };
        self.causes.extend(cause_of_part(part, &explanation, &[]));
        [vec![self.new_shape(part)], rules].concat()
    }

    /// Returns `/tax added in all 200`.
    fn new_shape(&self, part: &Part) -> String {
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

    fn explanation_of_part(&self, part: &Part) -> Explanation {
        let (uncompared, expected) = (self.uncompared, self.expected);
        explanation_of_part(part, uncompared, expected, self.differing, self.explain)
    }

    /// Writes the explanation of these cases, unless it says less than an exact rule about them.
    fn wording(
        &mut self,
        cases: &[usize],
        explanation: &Explanation,
        verb: Verb,
        names_all: bool,
    ) -> Vec<String> {
        let is_covered = |case: &usize| self.exact.binary_search(case).is_ok();
        let is_known = cases.iter().all(is_covered);
        let rules = &explanation.rules;
        let covered: BTreeSet<usize> = rules.iter().flat_map(Rule::covered).collect();
        let separates = || self.exact.iter().any(|case| !covered.contains(case));
        if explanation.is_exact() && (!is_known || separates()) {
            self.exact.extend(rules.iter().flat_map(|rule| &rule.rows));
            sort::by(&mut self.exact, Ord::cmp);
        } else if is_known {
            return Vec::new();
        }
        wording(explanation, self.size, verb, names_all)
    }

    /// Describes the changed outputs of a part, for all its cases or for each rule. Returns true
    /// if that says which cases changed, though no exact rule does.
    fn outputs(&mut self, part: &Part, explanation: &Explanation) -> (Vec<String>, bool) {
        let is_of_part = |it: &&DifferingCase| part.cases.binary_search(&it.case).is_ok();
        let differing: Vec<_> = self.differing.iter().filter(is_of_part).collect();
        let is_meant = |field: &Pointer| part.fields.is_empty() || part.fields.contains(field);
        let mut changes = changes_by_cause(
            explanation,
            self.vectors,
            self.expected,
            &differing,
            is_meant,
        );
        let is_plain = |rule: &Rule| {
            let mut conditions = rule.conditions.iter();
            rule.wording == Wording::Sure || conditions.all(|it| it.form != ConditionForm::Property)
        };
        if explanation.is_exact() && explanation.rules.iter().all(is_plain) {
            changes.iter_mut().for_each(|it| it.change.only = None);
        }
        let is_determined =
            !changes.is_empty() && changes.iter().all(|it| it.change.only.is_some());
        self.causes
            .extend(cause_of_part(part, explanation, &changes));
        // The verb of such a part already says it.
        let is_said = |it: &CauseChange| match it.change.pattern {
            ChangePattern::ErrToOk => part.kind == PartKind::BecameOk,
            ChangePattern::OkToErr => part.kind == PartKind::BecameErr,
            _ => [PartKind::NoLongerInput, PartKind::OtherReason].contains(&part.kind),
        };
        let outputs = ChangedOutputs {
            vectors: self.vectors,
            expected: self.expected,
            differing: &differing,
            explain: self.explain,
        };
        let others = outputs.others(&changes);
        let changes = changes.into_iter().filter(|it| !is_said(it)).collect();
        let mut sentences = Vec::new();
        for (cause, changed) in by_cause(changes) {
            sentences.extend(about_cause(explanation, cause, changed));
        }
        sentences.truncate(PATTERNS);
        sentences.extend(others);
        (sentences, is_determined)
    }
}

/// Explains the cases of a part with `explain`, which takes the unknown cases and the ones to
/// explain. The [unknown cases](unknown_cases) count neither as changed nor as unchanged, unless no
/// others are left.
pub fn explanation_of_part(
    part: &Part,
    uncompared: &[usize],
    expected: Option<&[Value]>,
    differing: &[DifferingCase],
    explain: &dyn Fn(&[usize], &[usize]) -> Explanation,
) -> Explanation {
    let of_all = || explain(uncompared, &part.cases);
    let unknown = unknown_cases(part, uncompared, expected, differing);
    let explanation = explain(&unknown, &part.cases);
    let is_silent = explanation.rules.is_empty() && explanation.shared.is_none();
    let is_of_side = matches!(part.kind, PartKind::BecameErr | PartKind::BecameOk);
    if explanation.failing == explanation.rows {
        let of_all = of_all();
        let is_rule = |it: &Rule| it.wording <= Wording::Mostly;
        match part.kind == PartKind::Value && !of_all.rules.iter().any(is_rule) {
            true => explanation,
            false => of_all,
        }
    } else if is_of_side && is_silent {
        // Few may have stayed as they were.
        Explanation {
            shared: None,
            ..of_all()
        }
    } else {
        explanation
    }
}

/// Returns the cases that can't show a part of a change.
///
/// For changed values, it is unknown if cases with other outcomes, or without the changed fields,
/// would have changed. Nor is it known if a case that was no `Ok` before would have become an
/// `Err`, or vice versa, or if a field that wasn't there would have been removed.
pub fn unknown_cases(
    part: &Part,
    uncompared: &[usize],
    expected: Option<&[Value]>,
    differing: &[DifferingCase],
) -> Vec<usize> {
    let before = match part.kind {
        PartKind::Value => None,
        PartKind::BecameErr => Some("Ok"),
        PartKind::BecameOk => Some("Err"),
        PartKind::Added | PartKind::Removed => None,
        _ => return uncompared.to_vec(),
    };
    let is_value = part.kind == PartKind::Value;
    let is_in_part = |it: &&DifferingCase| part.cases.binary_search(&it.case).is_ok();
    let of_part = differing.iter().find(is_in_part).map(outcomes);
    let is_null = |value: &Value| *value == Value::Null;
    let sides = differing.iter().filter(is_in_part);
    let mut sides = sides.flat_map(|it| [&it.expected, &it.actual]);
    let has_nulls = !is_value || sides.any(|it| has_any(it, &part.fields, &is_null));
    // If no null changes, it is a `None`.
    let is_there = |value: &Value| has_nulls || !is_null(value);
    let is_other = |it: &&DifferingCase| is_value && of_part != Some(outcomes(it));
    let others = differing.iter().filter(is_other);
    let others = others.filter(|it| !is_in_part(it)).map(|it| it.case);
    let expected = expected.unwrap_or_default().iter().enumerate();
    let is_apart = |value: &Value| match before {
        None if part.kind == PartKind::Added => has_any(value, &part.fields, &is_there),
        None => refusal(value).is_some() || !has_any(value, &part.fields, &is_there),
        before => outcome(value) != before,
    };
    let apart =
        expected.filter(|(case, value)| is_apart(value) && part.cases.binary_search(case).is_err());
    let apart = apart.map(|(case, _)| case);
    apart
        .chain(others)
        .chain(uncompared.iter().copied())
        .collect()
}

/// Returns true if an output has a meant value in one of the fields, in which `*` is any element of
/// an array or a tuple.
fn has_any(output: &Value, fields: &[Pointer], is_meant: &dyn Fn(&Value) -> bool) -> bool {
    fn has<'s>(
        value: &Value,
        mut segments: impl Iterator<Item = &'s str> + Clone,
        is_meant: &dyn Fn(&Value) -> bool,
    ) -> bool {
        match (segments.next(), value) {
            (None, value) => is_meant(value),
            (Some("*"), Value::Array(elements)) => elements
                .iter()
                .any(|it| has(it, segments.clone(), is_meant)),
            (Some("*"), Value::Object(members)) => {
                let is_any = |name: &str| name == "*" || name.bytes().all(|it| it.is_ascii_digit());
                let mut members = members.iter().filter(|(name, _)| is_any(name));
                members.any(|(_, it)| has(it, segments.clone(), is_meant))
            }
            (Some(segment), _) => {
                let mut field = Pointer::root();
                field.push(segment);
                let field = field.find_in(value);
                field.is_some_and(|it| has(it, segments, is_meant))
            }
        }
    }
    let mut fields = fields.iter();
    fields.len() == 0 || fields.any(|field| has(output, field.segments(), is_meant))
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

/// Describes what the panicked cases have in common, one sentence each. Leaves out the cases in
/// `unbound`, which is in order. `expected` has the expected outputs of all cases, if known, and
/// `constants` the numbers and texts in the code, in order.
pub fn findings_of_panics(
    vectors: &Vectors,
    unbound: &[usize],
    expected: Option<&[Value]>,
    constants: &[Value],
    cases: &[usize],
) -> Vec<String> {
    let explanation = explanation(vectors, unbound, expected, constants, cases);
    worded(&explanation, Verb::PANICKED, false)
}

/// Describes what the failing rows have in common, one sentence each, if a rule covers them.
pub fn findings_of_failures(vectors: &Vectors, rows: &[usize]) -> Vec<String> {
    let explanation = explanation(vectors, &[], None, &[], rows);
    match explanation.rules.is_empty() {
        true => Vec::new(),
        false => findings_of_rows(&explanation),
    }
}

/// Describes what the cases that fulfill a condition have in common, one sentence each.
pub fn findings_of_requirement(vectors: &Vectors, cases: &[usize]) -> Vec<String> {
    let explanation = explanation(vectors, &[], None, &[], cases);
    worded(&explanation, Verb::FULFILLED, true)
}

/// Describes an explanation of the failing rows of any table, one sentence each.
pub fn findings_of_rows(explanation: &Explanation) -> Vec<String> {
    worded(explanation, Verb::FAILED, false)
}

fn worded(explanation: &Explanation, verb: Verb, names_all: bool) -> Vec<String> {
    fitting(wording(explanation, explanation.rows, verb, names_all))
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
    let mut changes = changes_by_cause(explanation, vectors, expected, &differing, |_| true);
    // The rules are listed next to them.
    changes.iter_mut().for_each(|it| it.change.only = None);
    let outputs = ChangedOutputs {
        vectors,
        expected,
        differing: &differing,
        explain: &|unknown, cases| self::explanation(vectors, unknown, expected, &[], cases),
    };
    let others = outputs.others(&changes);
    let of_causes = by_cause(changes).into_iter().chain([(None, others)]);
    let mut found = Vec::new();
    for (cause, sentences) in [(None, rewrapped)].into_iter().chain(of_causes) {
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
    findings.map(|it| shorten(it, FINDING_WIDTH)).collect()
}

/// Explains what `cases` have in common, without the `unknown` ones.
fn explanation(
    vectors: &Vectors,
    unknown: &[usize],
    expected: Option<&[Value]>,
    constants: &[Value],
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
        vocabulary: Vocabulary::Everyday,
        constants,
    })
}
