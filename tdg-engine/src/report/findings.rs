//! Sentences about what failing cases and their outputs have in common.

use tdg_definition::json::{Pointer, Value};

use super::amount::short;
use super::cell::input_cell;
use super::more;
use super::text::shorten;
use super::{FINDING_LINES, WIDTH};
use crate::compare::{Comparison, FieldDifference};
use crate::explain::fields::with_any_element;
use crate::explain::{
    Explanation, FeatureDifference, FieldChange, Neighbour, Part, PartKind, Pattern, Rows, Rule,
    Side, changes, parts, rules,
};
use crate::generate::Vectors;

/// The maximum number of patterns.
const PATTERNS: usize = 3;
/// The maximum number of features of a neighbour.
const FEATURES: usize = 3;
/// The width of a neighbour's value.
const VALUE_WIDTH: usize = 24;
/// The maximum width of a sentence: the lines that a report has for findings.
const SENTENCE_WIDTH: usize = WIDTH * FINDING_LINES;
/// When the names of fields are longer, the rest is counted.
const NAMES_LENGTH: usize = SENTENCE_WIDTH / 2;

/// What failing cases did, and the others did not.
#[derive(Clone, Copy)]
struct Verb {
    did: &'static str,
    did_not: &'static str,
}

const CHANGED: Verb = Verb {
    did: "changed",
    did_not: "did not change",
};
const PANICKED: Verb = Verb {
    did: "panicked",
    did_not: "did not panic",
};
const FAILED: Verb = Verb {
    did: "became an Err",
    did_not: "did not become an Err",
};
const SUCCEEDED: Verb = Verb {
    did: "became an Ok",
    did_not: "did not become an Ok",
};
const DID_NOT_PASS: Verb = Verb {
    did: "failed",
    did_not: "passed",
};

/// What the differing cases and their outputs have in common, one sentence each; the cases that
/// were not compared, in order, are left out.
///
/// Each part of a change is explained by itself. A sentence too long for a report is shortened in
/// the middle.
pub fn findings_of_changes(
    vectors: &Vectors,
    uncompared: &[usize],
    differing: &[(usize, Comparison)],
) -> Vec<String> {
    let findings = Findings {
        vectors,
        uncompared,
        size: vectors.size() - uncompared.len(),
        differing,
    };
    fitting(findings.sentences())
}

/// A change to find out about.
struct Findings<'a> {
    vectors: &'a Vectors,
    uncompared: &'a [usize],
    /// The number of compared cases.
    size: usize,
    differing: &'a [(usize, Comparison)],
}

impl Findings<'_> {
    fn sentences(&self) -> Vec<String> {
        let parts = parts(self.differing);
        let is_value = |part: &&Part| part.kind == PartKind::Value;
        let values = parts.iter().filter(is_value).count();
        let shape = parts.iter().filter(|part| part.kind.is_shape()).count();
        // With one part of each kind, the verb says which is meant.
        let names_fields = shape > 0 || values > 1;
        let names_all = parts.len() > shape + values;
        let mut sentences: Vec<String> = Vec::new();
        for part in parts.iter().filter(|part| part.kind.is_shape()) {
            sentences.push(self.shape(part));
            if !part.is_common_shape(self.size) {
                let rules = self.rules(&part.cases, CHANGED, false);
                sentences.extend(about(&names(&part.fields), rules));
            }
        }
        for part in parts.iter().filter(is_value).take(PATTERNS) {
            let changed = self.of_part(part);
            let rules = self.rules(&part.cases, CHANGED, names_all && !names_fields);
            if names_fields {
                let fields = names(&part.fields);
                sentences.extend(match part.cases.len() == self.size {
                    true => vec![format!("{fields} changed in all {}", self.size)],
                    false => about(&fields, rules),
                });
                sentences.extend(of_patterns(&changed));
            } else {
                sentences.extend(rules);
                sentences.extend(of_outputs(&changed));
            }
        }
        if values > PATTERNS {
            let rest = parts.iter().filter(is_value).skip(PATTERNS);
            let fields = rest.map(|part| part.fields.len()).sum();
            sentences.push(format!("{} changed", more(fields, "field")));
        }
        for part in &parts {
            let verb = match part.kind {
                PartKind::BecameErr => FAILED,
                PartKind::BecameOk => SUCCEEDED,
                PartKind::Panicked => PANICKED,
                _ => continue,
            };
            sentences.extend(self.rules(&part.cases, verb, true));
            sentences.extend(of_outputs(&self.of_part(part)));
        }
        sentences
    }

    /// `/tax added in all 200`.
    fn shape(&self, part: &Part) -> String {
        let in_part = |case: &usize| part.cases.binary_search(case).is_ok();
        let of_part = self.differing.iter().filter(|(case, _)| in_part(case));
        let unnamed = of_part.map(|(_, comparison)| comparison.more_one_sided());
        let fields = match unnamed.max() {
            None | Some(0) => names(&part.fields),
            Some(unnamed) => format!("{} and {}", names(&part.fields), more(unnamed, "field")),
        };
        let cases = match part.cases.len() {
            all if all == self.size => format!("all {all}"),
            some => format!("{some} of {}", self.size),
        };
        match &part.kind {
            PartKind::Renamed { from } => format!("{from} renamed to {fields} in {cases}"),
            PartKind::Removed => format!("{fields} removed in {cases}"),
            _ => format!("{fields} added in {cases}"),
        }
    }

    fn rules(&self, cases: &[usize], verb: Verb, names_all: bool) -> Vec<String> {
        sentences(self.vectors, self.uncompared, cases, verb, names_all)
    }

    /// The cases of a part, with the differences that belong to it.
    fn of_part(&self, part: &Part) -> Vec<(usize, Comparison)> {
        let is_of_part = |case: &usize| part.cases.binary_search(case).is_ok();
        let mut cases = Vec::new();
        for (case, comparison) in self.differing.iter().filter(|(case, _)| is_of_part(case)) {
            let mut comparison = comparison.clone();
            if part.kind == PartKind::Value {
                let is_of_part = |difference: &FieldDifference| {
                    let field = with_any_element(&difference.pointer);
                    part.fields.contains(&field)
                };
                comparison.differences.retain(is_of_part);
            }
            cases.push((*case, comparison));
        }
        cases
    }
}

/// The sentences, of which the first says which fields they are about.
fn about(fields: &str, mut sentences: Vec<String>) -> Vec<String> {
    if let Some(first) = sentences.first_mut() {
        *first = format!("{fields}: {first}");
    }
    sentences
}

/// What the panicked cases have in common, one sentence each; the cases that could not be run, in
/// order, are left out.
pub fn findings_of_panics(vectors: &Vectors, unbound: &[usize], cases: &[usize]) -> Vec<String> {
    fitting(sentences(vectors, unbound, cases, PANICKED, false))
}

/// What the explanation says of the failing rows of any table, one sentence each.
pub fn findings_of_rows(explanation: &Explanation) -> Vec<String> {
    let wording = Wording {
        explanation,
        verb: DID_NOT_PASS,
        names_all: false,
    };
    fitting(wording.sentences())
}

/// What these differing outputs have in common, one sentence each.
pub fn findings_of_outputs(differing: &[(usize, Comparison)]) -> Vec<String> {
    fitting(of_outputs(differing))
}

fn fitting(findings: Vec<String>) -> Vec<String> {
    let findings = findings.iter();
    findings
        .map(|finding| shorten(finding, SENTENCE_WIDTH))
        .collect()
}

/// What `cases` have in common; those that are not known are left out. `names_all` adds what
/// happened to them where it is not obvious.
fn sentences(
    vectors: &Vectors,
    unknown: &[usize],
    cases: &[usize],
    verb: Verb,
    names_all: bool,
) -> Vec<String> {
    let mut failing = vec![Some(false); vectors.size()];
    for &case in unknown {
        failing[case] = None;
    }
    for &case in cases {
        failing[case] = Some(true);
    }
    let wording = Wording {
        explanation: &rules(&Rows {
            vectors,
            expected: None,
            failing: &failing,
        }),
        verb,
        names_all,
    };
    wording.sentences()
}

/// An explanation with the verbs for its two sides.
struct Wording<'a> {
    explanation: &'a Explanation,
    verb: Verb,
    names_all: bool,
}

impl Wording<'_> {
    fn sentences(&self) -> Vec<String> {
        let total = self.explanation.explained();
        match self.explanation.rules.as_slice() {
            // The headline covers the case of all.
            _ if total == 0 && !self.names_all => Vec::new(),
            _ if self.explanation.failing == 0 => Vec::new(),
            _ if total == 0 => vec![format!(
                "all {} cases {}",
                self.explanation.rows, self.verb.did
            )],
            [] if total == self.explanation.neighbours.len() => self.neighbours(),
            [] => {
                let silence = "have nothing in common that chance would not explain";
                let mut sentences = vec![format!("{} {silence}", self.subject())];
                let example = self.neighbours();
                sentences.extend(example.iter().map(|text| format!("for instance, {text}")));
                sentences
            }
            [rule] => vec![self.only_rule(rule)],
            rules => {
                let mut sentences: Vec<String> = rules.iter().map(|rule| self.rule(rule)).collect();
                sentences.extend(self.rest(rules));
                sentences
            }
        }
    }

    /// What a case of the explained side did.
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

    /// `the 37 cases that changed`.
    fn subject(&self) -> String {
        format!(
            "the {} cases that {}",
            self.explanation.explained(),
            self.did()
        )
    }

    /// `all 37 have`, `35 of the 37 that changed have`.
    fn share(&self, rule: &Rule) -> String {
        let (count, total) = (rule.rows.len(), self.explanation.explained());
        let that = if self.names_all || self.explanation.side == Side::Passing {
            format!(" that {}", self.did())
        } else {
            String::new()
        };
        if count == total {
            format!("all {total}{that} have {rule}")
        } else {
            format!("{count} of the {total}{that} have {rule}")
        }
    }

    /// `37 of 41 such cases changed`.
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

    fn rule(&self, rule: &Rule) -> String {
        format!("{}   ({})", self.share(rule), self.such(rule))
    }

    /// The number of cases that no rule covers.
    fn rest(&self, rules: &[Rule]) -> Option<String> {
        let mut covered: Vec<usize> = rules.iter().flat_map(|rule| rule.rows.clone()).collect();
        covered.sort_unstable();
        covered.dedup();
        let rest = self.explanation.explained() - covered.len();
        let none = if rules.len() == 2 {
            "neither"
        } else {
            "none of these"
        };
        (rest > 0).then(|| format!("{rest} of them {} {none}", have(rest)))
    }

    fn neighbours(&self) -> Vec<String> {
        let neighbours = self.explanation.neighbours.iter();
        neighbours
            .map(|neighbour| self.neighbour(neighbour))
            .collect()
    }

    /// `case 8 changed; the nearest that did not, case 48, has coupon "NONE" instead of "HALF"`.
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

/// `quantity 11 instead of 8`.
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

/// What the outputs of these cases have in common, or the only field that changed.
fn of_outputs(differing: &[(usize, Comparison)]) -> Vec<String> {
    let mut sentences = of_patterns(differing);
    if sentences.is_empty() {
        sentences.extend(only_field(differing));
    }
    sentences
}

/// What the outputs of these cases have in common.
fn of_patterns(differing: &[(usize, Comparison)]) -> Vec<String> {
    let mut patterns: Vec<(Pattern, Vec<FieldChange>)> = Vec::new();
    for change in changes(differing) {
        let alike = patterns
            .iter()
            .position(|(pattern, _)| *pattern == change.pattern);
        match alike {
            Some(index) => patterns[index].1.push(change),
            None if patterns.len() < PATTERNS => {
                patterns.push((change.pattern.clone(), vec![change]))
            }
            None => {}
        }
    }
    patterns
        .iter()
        .map(|(pattern, alike)| pattern_sentence(pattern, alike))
        .collect()
}

fn pattern_sentence(pattern: &Pattern, alike: &[FieldChange]) -> String {
    let most = alike
        .iter()
        .map(|change| change.cases)
        .max()
        .unwrap_or_default();
    let subject = match alike {
        [change] if change.field.is_root() => String::new(),
        _ => {
            let fields: Vec<Pointer> = alike.iter().map(|change| change.field.clone()).collect();
            format!("{}: ", names(&fields))
        }
    };
    format!("{subject}{} in all {most}", pattern_words(pattern))
}

/// `/net, /tax and 40 more fields`.
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
fn only_field(differing: &[(usize, Comparison)]) -> Option<String> {
    let differences = differing
        .iter()
        .flat_map(|(_, comparison)| &comparison.differences);
    let mut fields = differences.map(|difference| with_any_element(&difference.pointer));
    let field = fields.next()?;
    if fields.any(|other| other != field) {
        return None;
    }
    // The whole value of an `Ok` is not a field, and neither are all elements of an array.
    let mut names = field.segments().skip_while(|segment| *segment == "Ok");
    let is_field = names.any(|segment| segment != "*");
    is_field.then(|| format!("only {field} changed"))
}

fn pattern_words(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Null => "actual is null".to_owned(),
        Pattern::Constant(value) => format!("actual = {value}"),
        Pattern::SignFlipped => "actual = −expected".to_owned(),
        Pattern::Rounded(0) => "actual = expected, rounded to whole numbers".to_owned(),
        Pattern::Rounded(1) => "actual = expected, rounded to 1 decimal".to_owned(),
        Pattern::Rounded(decimals) => format!("actual = expected, rounded to {decimals} decimals"),
        Pattern::Ratio(ratio) => format!("actual = {} × expected", short(*ratio)),
        Pattern::Offset(offset) if *offset < 0.0 => {
            format!("actual = expected − {}", short(-offset))
        }
        Pattern::Offset(offset) => format!("actual = expected + {}", short(*offset)),
        Pattern::OfCaseBefore => "actual = expected of the case before".to_owned(),
        Pattern::OfCaseAfter => "actual = expected of the case after".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::text::width;
    use tdg_definition::Definition;
    use tdg_definition::Policy;

    use crate::compare::compare;
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

    /// The findings if `fails` gives the actual outputs of some rows, instead of
    /// `{"Ok":{"total":…}}`.
    fn findings(fails: impl Fn(&Vectors, usize) -> Option<String>) -> String {
        let vectors = orders();
        let mut differing = Vec::new();
        for row in 0..vectors.size() {
            if let Some(actual) = fails(&vectors, row) {
                let expected = ok(row as f64 + 1.5);
                let read = |text: &str| parse(text).unwrap();
                differing.push((
                    row,
                    compare(&Policy::exact(), &read(&expected), &read(&actual)),
                ));
            }
        }
        findings_of_changes(&vectors, &[], &differing).join("\n")
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
        67 of the 73 have quantity > 17   (67 of 68 such cases changed, 6 of the other 432)
        /Ok/total: actual = 2 × expected in all 73
        ");
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
        all 119 that changed have coupon = "HALF" and quantity <= 17   (119 of 119 such cases changed, 0 of the other 381)
        /Ok/total: actual = 2 × expected in all 119
        all 68 that became an Err have quantity > 17   (68 of 68 such cases became an Err, 0 of the other 432)
        "#);
    }

    #[test]
    fn everything_became_an_error() {
        insta::assert_snapshot!(findings(|_, _| Some(r#"{"Err":"no connection"}"#.to_owned())), @"all 500 cases became an Err");
    }

    #[test]
    fn nothing_in_common() {
        insta::assert_snapshot!(findings(|_, row| {
            (row * row % 41 == 16).then(|| ok((row * row % 7) as f64 + 0.25))
        }), @"
        the 25 cases that changed have nothing in common that chance would not explain
        for instance, case 4 changed; the nearest that did not change, case 320, has amount 86.491024 instead of 93.828483
        only /Ok/total changed
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

    /// The findings if every four cases have a field of their own, whose actual value is `actual`.
    fn findings_of_fields(count: usize, actual: impl Fn(usize) -> Value) -> Vec<String> {
        let output = |field: usize, value| Value::Object([(format!("f{field:03}"), value)].into());
        let differing: Vec<_> = (0..4 * count)
            .map(|row| {
                let expected = output(row / 4, (row as i64).into());
                let actual = output(row / 4, actual(row / 4));
                (row, compare(&Policy::exact(), &expected, &actual))
            })
            .collect();
        of_outputs(&differing)
    }

    #[test]
    fn of_many_fields_that_changed_alike_some_are_named() {
        let findings = findings_of_fields(3, |_| Value::Null);
        insta::assert_snapshot!(findings.join("\n"), @"/f000, /f001, /f002: actual is null in all 4");
        let findings = findings_of_fields(120, |_| Value::Null).join("\n");
        assert!(findings.starts_with("/f000, /f001, /f002, "), "{findings}");
        let end = "/f066 and 53 more fields: actual is null in all 4";
        assert!(findings.ends_with(end), "{findings}");
    }

    #[test]
    fn of_many_patterns_some_are_shown() {
        let findings = findings_of_fields(120, |field| format!("is {field}").into());
        insta::assert_snapshot!(findings.join("\n"), @r#"
        /f000: actual = "is 0" in all 4
        /f001: actual = "is 1" in all 4
        /f002: actual = "is 2" in all 4
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
                (row, compare(&Policy::exact(), &expected, &actual))
            })
            .collect();
        let findings = findings_of_changes(&vectors, &[], &differing);
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
        assert_eq!(width(&short), SENTENCE_WIDTH);
        assert!(short.starts_with("/f000: actual = \"xxx"), "{short}");
        assert!(short.ends_with("xxx\" in all 4"), "{short}");
    }

    #[test]
    fn panics() {
        let vectors = orders();
        let cases: Vec<usize> = (0..500)
            .filter(|row| quantity(&vectors, *row) > 18.0)
            .collect();
        insta::assert_snapshot!(findings_of_panics(&vectors, &[], &cases).join("\n"), @"all 45 have quantity > 18   (45 of 45 such cases panicked, 0 of the other 455)");
        insta::assert_snapshot!(findings_of_panics(&vectors, &[], &[]).join("\n"), @"");
        let all: Vec<usize> = (0..500).collect();
        insta::assert_snapshot!(findings_of_panics(&vectors, &[], &all).join("\n"), @"");
    }

    #[test]
    fn the_whole_output_is_not_called_the_only_field() {
        let of_array = |last: f64| Value::from(vec![Value::from(1.5), Value::from(last)]);
        let exact = Policy::exact();
        let change = |case: usize, actual: f64| {
            (
                case,
                compare(&exact, &of_array(case as f64), &of_array(actual)),
            )
        };
        let differing = [change(1, 7.25), change(2, 0.125), change(3, 9.5)];
        assert_eq!(of_outputs(&differing), Vec::<String>::new());
    }

    #[test]
    fn every_pattern_of_outputs() {
        let patterns = [
            Pattern::Null,
            Pattern::Constant("A".into()),
            Pattern::SignFlipped,
            Pattern::Rounded(0),
            Pattern::Rounded(1),
            Pattern::Rounded(2),
            Pattern::Ratio(0.97),
            Pattern::Offset(12.0),
            Pattern::Offset(-0.25),
            Pattern::OfCaseBefore,
            Pattern::OfCaseAfter,
        ];
        let words: Vec<String> = patterns.iter().map(pattern_words).collect();
        insta::assert_snapshot!(words.join("\n"), @r#"
        actual is null
        actual = "A"
        actual = −expected
        actual = expected, rounded to whole numbers
        actual = expected, rounded to 1 decimal
        actual = expected, rounded to 2 decimals
        actual = 0.97 × expected
        actual = expected + 12
        actual = expected − 0.25
        actual = expected of the case before
        actual = expected of the case after
        "#);
    }
}
