//! The parts of a change, each with its rules as headlines above their charts.

use std::collections::BTreeSet;

use maud::{Markup, html};
use tdg_definition::json::Pointer;
use tdg_engine::Vectors;
use tdg_engine::compare::{DifferingCase, Part, PartKind, parts, place_name};
use tdg_engine::store::VerifiedRule;
use tdg_engine::text::shorten;
use tdg_explain::{ExplainedRows, Explanation, Rule, Side, Verb, Vocabulary, Wording};

use super::cases::field;
use super::subjects::Subjects;
use super::{feature, output};
use crate::ComparedRows;
use crate::summary::Told;
use tdg_engine::text::counted;

/// The maximum number of parts to show.
const PARTS: usize = 6;
/// The maximum width of names, in columns.
const NAMES: usize = 80;
/// The maximum width of a sentence, in columns.
const SENTENCE: usize = 240;

/// A part of a change, or the rows that panicked, with an explanation.
pub struct Finding {
    /// The title, such as `/total changed in 46 of 200 cases`.
    title: String,
    part: Part,
    verb: Verb,
    explanation: Explanation,
    /// The rule that an experiment verified, in place of the explanation's.
    verified: Option<VerifiedRule>,
    /// The changes of the outputs, each with the position of the related rule, if any.
    sentences: Vec<(Option<usize>, String)>,
    /// The differences of the part.
    differing: Vec<DifferingCase>,
}

impl Finding {
    /// Returns the parts of a change.
    pub fn all_of(rows: &ComparedRows) -> Vec<Self> {
        let parts = parts(&rows.differing).into_iter().take(PARTS);
        parts.map(|part| Self::of_part(rows, part)).collect()
    }

    fn of_part(rows: &ComparedRows, part: Part) -> Self {
        let explanation = rows.explanation(&part);
        let differing = differences_of(&rows.differing, &part);
        Self {
            title: title(&part, rows.compared()),
            verb: Verb::of_kind(&part.kind),
            sentences: rows.outputs_of(&explanation, &differing),
            explanation,
            verified: None,
            differing,
            part,
        }
    }

    /// Returns the rows that panicked.
    pub fn of_panics(vectors: &Vectors, cases: Vec<usize>) -> Self {
        let mut failing = vec![Some(false); vectors.size()];
        for case in &cases {
            failing[*case] = Some(true);
        }
        Self {
            title: format!("{} panicked", of_all(cases.len(), vectors.size())),
            verb: Verb::PANICKED,
            explanation: tdg_explain::rules(&ExplainedRows {
                vectors,
                expected: None,
                failing: &failing,
                vocabulary: Vocabulary::Full,
                constants: &[],
            }),
            verified: None,
            sentences: Vec::new(),
            differing: Vec::new(),
            part: Part {
                kind: PartKind::Panicked,
                fields: Vec::new(),
                cases,
            },
        }
    }

    /// Shows the rule that experiments verified for its part, if any.
    #[must_use]
    pub fn verified_by<'r>(self, rule_of: impl Fn(&Part) -> Option<&'r VerifiedRule>) -> Self {
        Self {
            verified: rule_of(&self.part).cloned(),
            ..self
        }
    }

    /// Returns true if its cases need no further explanation.
    pub fn is_explained(&self) -> bool {
        self.verified.is_some()
            || !self.explanation.rules.is_empty()
            || self.part.cases.len() == self.explanation.rows
    }

    /// Returns true if all outputs changed. The sentences then include how many did.
    fn is_of_all(&self) -> bool {
        let is_whole = self.part.fields.iter().all(Pointer::is_root);
        is_whole && self.part.cases.len() == self.explanation.rows && !self.sentences.is_empty()
    }

    /// Returns the verified rule, the rules, the first sentence if no rule was found, or the title.
    pub fn headline(&self) -> String {
        if let Some(verified) = &self.verified {
            return verified.rule.clone();
        }
        let rules = &self.explanation.rules;
        let texts: Vec<&str> = rules.iter().map(|rule| rule.text.as_str()).collect();
        let first = || self.sentences.first().map(|(_, text)| text.clone());
        match texts.is_empty() {
            true => first().unwrap_or_else(|| self.title.clone()),
            false => self.qualified(&texts.join(" or ")),
        }
    }

    /// Returns the names of the features in its rules.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        self.explanation.rules.iter().flat_map(Rule::features)
    }

    /// Renders the finding. `accept` renders the command that accepts these cases.
    pub fn markup(
        &self,
        vectors: &Vectors,
        has_charts: bool,
        accept: impl Fn(&[usize], &[Pointer]) -> Markup,
    ) -> Markup {
        let rules = &self.explanation.rules;
        let of = |index: Option<usize>| {
            let sentences = self.sentences.iter().filter(move |(of, _)| *of == index);
            sentences.map(|(_, text)| shorten(text, SENTENCE))
        };
        let plots = |cases: &[usize]| {
            let is_meant = |it: &&DifferingCase| cases.binary_search(&it.case).is_ok();
            let differing: Vec<_> = self.differing.iter().filter(is_meant).collect();
            output::of_numbers(&differing)
        };
        let headline = shorten(&self.headline(), SENTENCE);
        html! {
            div.finding {
                @if self.title != headline && !self.is_of_all() { p.faint { (self.title) } }
                @if let Some(verified) = &self.verified {
                    h3 { (headline) }
                    p.faint { "verified on " (verified.evidence) }
                }
                @for (index, rule) in rules.iter().enumerate() {
                    @if self.verified.is_none() { (self.rule(rule)) }
                    @for sentence in of(Some(index)) { p { (sentence) } }
                    @if index == 0 { @for sentence in of(None) { p { (sentence) } } }
                    @let cases = match self.explanation.side {
                        Side::Failing => rule.rows.as_slice(),
                        // Passing rows are the ones that are as expected.
                        Side::Passing if index == 0 => &self.part.cases,
                        Side::Passing => &[],
                    };
                    @if has_charts {
                        div.features {
                            (self.features_of(rule, vectors))
                            @for plot in plots(cases) { (plot) }
                        }
                    }
                    (accept(cases, &self.part.fields))
                }
                @if let (Some(shared), None) = (&self.explanation.shared, &self.verified) {
                    p { "all have " (shared.text) "; that alone is not the cause" }
                }
                @if rules.is_empty() {
                    @if self.verified.is_none() { h3 { (headline) } }
                    @if !self.is_explained() {
                        p.faint { "No rule separates these cases from the others." }
                    }
                    @for sentence in of(None).skip(usize::from(self.verified.is_none())) { p { (sentence) } }
                    @if has_charts { div.features { @for plot in plots(&self.part.cases) { (plot) } } }
                    (accept(&self.part.cases, &self.part.fields))
                }
            }
        }
    }

    fn rule(&self, rule: &Rule) -> Markup {
        html! {
            h3 { (self.qualified(&rule.text)) }
            p.faint { (self.evidence(rule)) }
            @if let Some(equivalent) = &rule.equivalent { p { "equivalently " (equivalent) } }
        }
    }

    /// Returns a rule qualified by the first rule's wording, which says how far it holds.
    fn qualified(&self, rule: &str) -> String {
        let how = match self.explanation.rules.first().map(|rule| rule.wording) {
            Some(Wording::Mostly) => "mostly ",
            Some(Wording::Perhaps) => "perhaps ",
            Some(Wording::Part) => "in part ",
            Some(Wording::Tendency) => "more often with ",
            _ => "",
        };
        match self.explanation.side {
            Side::Failing => format!("{how}{rule}"),
            Side::Passing => format!("{}: {how}{rule}", self.verb.did_not),
        }
    }

    /// Returns the evidence, such as `46 of 46 such cases changed, 0 of the other 154`.
    fn evidence(&self, rule: &Rule) -> String {
        let explanation = &self.explanation;
        let covered = rule.rows.len() + rule.exceptions.len();
        let did = match explanation.side {
            Side::Failing => self.verb.did,
            Side::Passing => self.verb.did_not,
        };
        format!(
            "{} of {covered} such cases {did}, {} of the other {}",
            rule.rows.len(),
            explanation.explained() - rule.rows.len(),
            explanation.rows - covered
        )
    }

    /// Renders the charts of a rule's features. Cases that another rule covers are left out, so
    /// that they don't look like exceptions.
    fn features_of(&self, rule: &Rule, vectors: &Vectors) -> Markup {
        let covered = rule.covered();
        let others = self.explanation.rules.iter().filter(|other| *other != rule);
        let others: BTreeSet<usize> = match self.explanation.side {
            Side::Failing => others.flat_map(Rule::covered).collect(),
            Side::Passing => BTreeSet::new(),
        };
        let is_own = |case: &usize| covered.binary_search(case).is_ok() || !others.contains(case);
        let chosen: Vec<usize> = self.part.cases.iter().copied().filter(is_own).collect();
        let told = Told {
            chosen: &chosen,
            covered: Some(&covered),
        };
        let subjects = Subjects::new(rule, vectors);
        let did = self.verb.did;
        html! {
            @for position in &subjects.placed { (feature::figure(vectors, *position, did, told)) }
            @for pair in &subjects.pairs { (feature::plane(vectors, pair, told)) }
            @if !subjects.others.is_empty() || subjects == Subjects::default() {
                (feature::split(vectors.size(), did, told))
            }
            @for position in &subjects.others {
                (feature::figure(vectors, *position, did, Told { covered: None, ..told }))
            }
        }
    }
}

/// Returns the differing cases of a part, reduced to the differences in its fields.
fn differences_of(differing: &[DifferingCase], part: &Part) -> Vec<DifferingCase> {
    let fields: Vec<String> = part.fields.iter().map(field).collect();
    let is_of_part = |it: &&DifferingCase| part.cases.binary_search(&it.case).is_ok();
    let mut differing: Vec<_> = differing.iter().filter(is_of_part).cloned().collect();
    if part.kind == PartKind::Value {
        for it in &mut differing {
            let differences = &mut it.comparison.differences;
            differences.retain(|difference| fields.contains(&field(&difference.pointer)));
        }
    }
    differing
}

/// Returns a title such as `/total changed in 46 of 200 cases`.
fn title(part: &Part, size: usize) -> String {
    let cases = of_all(part.cases.len(), size);
    let names: Vec<String> = part.fields.iter().map(place_name).collect();
    let names = shorten(&names.join(", "), NAMES);
    match &part.kind {
        PartKind::Added => format!("{names} added in {cases}"),
        PartKind::Removed => format!("{names} removed in {cases}"),
        PartKind::Renamed { from } => format!("{} moved to {names} in {cases}", place_name(from)),
        PartKind::Value if part.fields.iter().all(Pointer::is_root) => format!("{cases} changed"),
        PartKind::Value => format!("{names} changed in {cases}"),
        PartKind::LastBits => format!("{names} differ in the last bits in {cases}"),
        PartKind::Panicked => format!("{cases} {}", Verb::PANICKED.did),
        kind => format!("{cases} {}", Verb::of_those(kind)),
    }
}

/// Returns `all 200 cases` or `46 of 200 cases`.
fn of_all(count: usize, size: usize) -> String {
    match count == size {
        true => format!("all {}", counted(size, "case")),
        false => format!("{count} of {}", counted(size, "case")),
    }
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use tdg_definition::json::Value;
    use tdg_definition::{Definition, Policy};

    use super::*;

    /// Returns rows that changed if their feature is at least `least`.
    fn compared(least: u8) -> ComparedRows {
        let definition = r#"{"features": [{"feature_name": "n", "type": "INTEGER",
            "distribution": {"type": "uniform", "min": 1, "max": 20}}]}"#;
        let vectors = Vectors::generate(&Definition::parse(definition).unwrap(), 0, 100);
        let is_meant = |row: &usize| vectors.cells(*row)[0].parse::<u8>().unwrap() >= least;
        let differing = (0..100).filter(is_meant).map(|row| {
            let wrapped = Value::Array(vec![Value::from(1)]);
            DifferingCase::compared(&Policy::exact(), row, Value::from(1), wrapped)
        });
        ComparedRows::new(vectors.clone(), Vec::new(), None, differing.collect())
    }

    /// Returns the title and the page of their change.
    fn shown(least: u8) -> (String, String) {
        let rows = compared(least);
        let finding = Finding::all_of(&rows).remove(0);
        let page = finding
            .markup(&rows.vectors, true, |_, _| html! {})
            .into_string();
        (finding.title, page)
    }

    #[test]
    fn a_verified_rule_takes_the_place_of_the_rules_but_not_of_their_charts() {
        let rows = compared(16);
        let rule = VerifiedRule {
            part: "value ".to_owned(),
            rule: "exactly those with n >= 16".to_owned(),
            evidence: "2,000 more rows: no exception".to_owned(),
        };
        let finding = Finding::all_of(&rows).remove(0);
        let rules = from_ref(&rule);
        let finding = finding.verified_by(|part| VerifiedRule::of_part(rules, part));
        assert_eq!(finding.headline(), rule.rule);
        let page = finding.markup(&rows.vectors, true, |_, _| html! {});
        let page = page.into_string();
        for part in [
            "<h3>exactly those with n &gt;= 16</h3>",
            &rule.evidence,
            "<svg",
        ] {
            assert!(page.contains(part), "{part} in {page}");
        }
        assert_eq!(page.matches("<h3>").count(), 1, "{page}");
    }

    #[test]
    fn a_change_of_all_rows_is_shown_without_their_count() {
        let (title, page) = shown(1);
        assert!(!page.contains(&title), "{title}: {page}");
        let (title, page) = shown(16);
        assert!(page.contains(&title), "{title}: {page}");
    }
}
