//! The numbered parts of a change in a review: by kind of change, and by rule.

use tdg_definition::json::{Pointer, Value};
use tdg_engine::Vectors;
use tdg_engine::compare::{Aspect, ChangePart, DifferingCase, Part, PartKind, parts, place_name};
use tdg_engine::text::counted;

use crate::changes::{FieldChange, changes};
use crate::rule::{Rule, Wording};
use crate::{Explanation, Side, Verb};

/// A part that a review offers by its number.
#[derive(Clone, Debug)]
pub struct OfferedPart {
    /// The words for the part: `/tax, added in 200 cases`.
    pub text: String,
    /// The rule of its cases, and the change of their outputs: `quantity = 10`, `1 became 2`.
    pub findings: Vec<String>,
    /// The part of the change.
    pub part: ChangePart,
    /// The numbers of other parts, each with the number of shared cases, left out of both.
    pub shared: Vec<(usize, usize)>,
}

impl OfferedPart {
    /// Returns `/class, 21 cases: quantity = 10; 1 became 2`.
    pub fn sentence(&self) -> String {
        let colon = if self.findings.is_empty() { "" } else { ": " };
        format!("{}{colon}{}", self.text, self.findings.join("; "))
    }

    /// Returns `, 3 of them because part 2 has them too`, to follow the number of unchanged cases.
    pub fn note(&self) -> String {
        let shared = self.shared.iter().map(|(number, cases)| {
            let them = if *cases == 1 { "it" } else { "them" };
            format!(", {cases} of them because part {number} has {them} too")
        });
        shared.collect()
    }

    /// Returns `actual = 0.9 × expected`, if that holds in all cases. Fields are named if their
    /// changes differ.
    fn outcome(
        &self,
        vectors: &Vectors,
        expected: Option<&[Value]>,
        differing: &[DifferingCase],
        fields: &[Pointer],
    ) -> Option<String> {
        let is_own = |it: &&DifferingCase| self.cases().binary_search(&it.case).is_ok();
        let differing: Vec<_> = differing.iter().filter(is_own).collect();
        let is_meant = |field: &Pointer| fields.is_empty() || fields.contains(field);
        let mut changes = changes(vectors, expected, &differing, is_meant);
        changes.retain(|change| change.holds == change.cases);
        let first = changes.first()?;
        if changes.iter().all(|it| it.pattern == first.pattern) {
            return Some(first.pattern.to_string());
        }
        let of_field = |it: &FieldChange| format!("{} {}", place_name(&it.field), it.pattern);
        let of_fields: Vec<String> = changes.iter().map(of_field).collect();
        Some(of_fields.join(", "))
    }

    fn cases(&self) -> &[usize] {
        self.part.cases.as_deref().unwrap_or_default()
    }

    /// Returns the common cases of two parts with the same places, if neither contains the other.
    fn common(&self, other: &Self) -> Vec<usize> {
        let is_of_other = |case: &&usize| other.cases().binary_search(case).is_ok();
        let common: Vec<usize> = self.cases().iter().filter(is_of_other).copied().collect();
        let is_within = [self, other]
            .iter()
            .any(|it| it.cases().len() == common.len());
        let places = |it: &Self| (it.part.fields.clone(), it.part.aspect);
        match is_within || places(self) != places(other) {
            true => Vec::new(),
            false => common,
        }
    }
}

/// Returns the numbered parts of a change, counted from 1, if it has several. `explain` explains
/// the cases of a part. `expected` has the expected outputs of all cases, if known.
pub fn offered_parts(
    vectors: &Vectors,
    expected: Option<&[Value]>,
    differing: &[DifferingCase],
    explain: &dyn Fn(&Part) -> Explanation,
) -> Vec<OfferedPart> {
    let parts = parts(differing);
    let values = parts.iter().filter(|part| is_of_values(&part.kind));
    let is_mixed = values.count() > 1 || parts.iter().any(|part| part.kind.is_shape());
    let mut offered = Vec::new();
    for part in &parts {
        let is_value = part.kind == PartKind::Value;
        if parts.len() == 1 && !is_value {
            continue;
        }
        let (explanation, first) = (explain(part), offered.len());
        let whole = whole(part, is_mixed, cause(&explanation));
        let change = whole.part.clone();
        if parts.len() > 1 {
            offered.push(whole);
        }
        if is_value {
            let prefix = match is_mixed {
                true => format!("{}, in ", names(&part.fields)),
                false => String::new(),
            };
            let rules = rules_of(explanation, part.cases.len());
            offered.extend(rules.map(|rule| of_rule(rule, &prefix, &change)));
        }
        // For a moved field, its place is the change.
        if !part.kind.is_shape() {
            for offered in &mut offered[first..] {
                let outcome = offered.outcome(vectors, expected, differing, &part.fields);
                offered.findings.extend(outcome);
            }
        }
    }
    without_common(&offered)
}

/// Returns `quantity = 10`, if rules describe all or nearly all cases of a part.
fn cause(explanation: &Explanation) -> Option<String> {
    let rules = explanation.rules.iter();
    let rules = rules.filter(|rule| rule.wording <= Wording::Mostly);
    let mostly = match rules.clone().any(|rule| rule.wording == Wording::Mostly) {
        true => "mostly ",
        false => "",
    };
    let rules: Vec<String> = rules.map(Rule::to_string).collect();
    let all = match explanation.side {
        Side::Failing => "",
        Side::Passing => "all but ",
    };
    (!rules.is_empty()).then(|| format!("{mostly}{all}{}", rules.join(" or ")))
}

/// Removes shared cases from the parts: they have two causes, and accepting one says nothing about
/// the other. A part that would become empty stays unchanged.
fn without_common(offered: &[OfferedPart]) -> Vec<OfferedPart> {
    let of_part = |part: &OfferedPart| {
        let mut own = part.cases().to_vec();
        let mut shared = Vec::new();
        for (index, other) in offered.iter().enumerate() {
            let common = part.common(other);
            own.retain(|case| common.binary_search(case).is_err());
            shared.extend((!common.is_empty()).then_some((index + 1, common.len())));
        }
        let mut part = part.clone();
        if !shared.is_empty() && !own.is_empty() {
            (part.part.cases, part.shared) = (Some(own), shared);
        }
        part
    };
    offered.iter().map(of_part).collect()
}

fn is_of_values(kind: &PartKind) -> bool {
    matches!(kind, PartKind::Value | PartKind::LastBits)
}

/// Returns all changes of some fields, for that cause.
fn whole(part: &Part, is_mixed: bool, cause: Option<String>) -> OfferedPart {
    let count = counted(part.cases.len(), "case");
    let fields = names(&part.fields);
    // Only in these cases: elsewhere the same places may have changed differently.
    let of = |fields: Vec<Pointer>, aspect| ChangePart {
        cases: Some(part.cases.clone()),
        fields,
        aspect,
    };
    let (text, part) = match &part.kind {
        PartKind::Renamed { from } => {
            let both = [vec![from.clone()], part.fields.clone()].concat();
            let text = format!("{}, now at {fields} in {count}", place_name(from));
            (text, of(both, Aspect::Place))
        }
        kind if kind.is_shape() || is_of_values(kind) && is_mixed => {
            let text = match kind {
                PartKind::Value => format!("{fields}, {count}"),
                kind => format!("{fields}, {} in {count}", Verb::of_those(kind)),
            };
            let part = match is_mixed {
                true => of(part.fields.clone(), Aspect::Value),
                false => of(Vec::new(), Aspect::All),
            };
            (text, part)
        }
        kind => {
            let text = format!("the {count} that {}", Verb::of_those(kind));
            (text, of(Vec::new(), Aspect::All))
        }
    };
    OfferedPart {
        text,
        findings: cause.into_iter().collect(),
        part,
        shared: Vec::new(),
    }
}

/// Returns the rules that cover some of these cases, but not all.
fn rules_of(explanation: Explanation, cases: usize) -> impl Iterator<Item = Rule> {
    let is_partial = move |rule: &Rule| {
        explanation.side == Side::Failing
            && rule.rows.len() < cases
            && rule.wording < Wording::Tendency
    };
    explanation.rules.into_iter().filter(is_partial)
}

fn of_rule(rule: Rule, prefix: &str, whole: &ChangePart) -> OfferedPart {
    let count = counted(rule.rows.len(), "case");
    OfferedPart {
        text: format!("{prefix}the {count} with {rule}"),
        findings: Vec::new(),
        part: ChangePart {
            cases: Some(rule.rows),
            ..whole.clone()
        },
        shared: Vec::new(),
    }
}

fn names(fields: &[Pointer]) -> String {
    let names: Vec<String> = fields.iter().map(place_name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use tdg_definition::{Definition, Policy};

    use super::*;
    use crate::{ExplainedRows, Vocabulary, rules};

    #[test]
    fn each_part_has_its_rule_and_how_its_outputs_changed() {
        let definition = r#"{"features": [
            {"feature_name": "quantity", "type": "INTEGER",
             "distribution": {"type": "uniform", "min": 1, "max": 10}},
            {"feature_name": "year", "type": "INTEGER",
             "distribution": {"type": "uniform", "min": 2001, "max": 2003}}]}"#;
        let rows = Vectors::generate(&Definition::parse(definition).unwrap(), 0, 400);
        let differing = (0..400).filter_map(|row| {
            let is = |column: usize, value: &str| rows.cells(row)[column] == value;
            let output = |net: f64, class: &str| {
                Value::object([("class", Value::from(class)), ("net", Value::from(net))])
            };
            let net = row as f64 + 10.0;
            let class = if is(0, "10") { "bulk" } else { "single" };
            let actual = output(if is(1, "2001") { 2.0 * net } else { net }, class);
            let expected = output(net, "single");
            let case = DifferingCase::compared(&Policy::exact(), row, expected, actual);
            (!case.comparison.is_same()).then_some(case)
        });
        let differing: Vec<DifferingCase> = differing.collect();
        let explain = |part: &Part| {
            let failing = (0..400).map(|row| Some(part.cases.contains(&row)));
            rules(&ExplainedRows {
                vectors: &rows,
                expected: None,
                failing: &failing.collect::<Vec<_>>(),
                vocabulary: Vocabulary::Everyday,
                constants: &[],
            })
        };
        let offered = offered_parts(&rows, None, &differing, &explain);
        let sentences: Vec<String> = offered.iter().map(OfferedPart::sentence).collect();
        insta::assert_snapshot!(sentences.join("\n"), @r#"
        /net, 132 cases: year = 2001; actual = 2 × expected
        /class, 33 cases: quantity >= 10; "single" became "bulk"
        "#);
    }

    #[test]
    fn a_cause_with_exceptions_holds_mostly() {
        let rule = |wording| Rule {
            text: "n > 5".to_owned(),
            conditions: Vec::new(),
            equivalent: None,
            wording,
            rows: vec![1, 2],
            exceptions: Vec::new(),
            unknown: Vec::new(),
        };
        let of = |wording, side| {
            let rules = vec![rule(wording)];
            let explanation = Explanation::without_rules(9, 3, side);
            cause(&Explanation {
                rules,
                ..explanation
            })
        };
        let texts = [
            of(Wording::Sure, Side::Failing),
            of(Wording::Mostly, Side::Failing),
            of(Wording::Mostly, Side::Passing),
            of(Wording::Tendency, Side::Failing),
        ];
        let texts = texts.map(Option::unwrap_or_default);
        assert_eq!(texts, ["n > 5", "mostly n > 5", "mostly all but n > 5", ""]);
    }

    #[test]
    fn a_case_that_two_rules_cover_is_accepted_with_neither() {
        let offered = |cases: &[usize], fields: &[&str]| OfferedPart {
            text: String::new(),
            findings: Vec::new(),
            part: ChangePart {
                cases: Some(cases.to_vec()),
                fields: fields.iter().map(|it| it.parse().unwrap()).collect(),
                ..ChangePart::default()
            },
            shared: Vec::new(),
        };
        let whole: Vec<usize> = (0..9).collect();
        let parts = [
            offered(&whole, &[]),
            offered(&[0, 1, 2, 3, 4], &[]),
            offered(&[3, 4, 5, 6], &[]),
            offered(&[4, 7], &[]),
            offered(&[1, 4, 8], &["/tax"]),
        ];
        let apart = without_common(&parts);
        let cases: Vec<&[usize]> = apart.iter().map(OfferedPart::cases).collect();
        assert_eq!(cases, [&whole[..], &[0, 1, 2], &[5, 6], &[7], &[1, 4, 8]]);
        let notes: Vec<String> = apart.iter().map(OfferedPart::note).collect();
        insta::assert_snapshot!(notes.join("\n").trim(), @"
        , 2 of them because part 3 has them too, 1 of them because part 4 has it too
        , 2 of them because part 2 has them too, 1 of them because part 4 has it too
        , 1 of them because part 2 has it too, 1 of them because part 3 has it too
        ");
        // All of them would become empty.
        let same = [
            offered(&[1, 2], &[]),
            offered(&[0, 1], &[]),
            offered(&[0, 2], &[]),
        ];
        assert_eq!(without_common(&same)[0].part, same[0].part);
    }
}
