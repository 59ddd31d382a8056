//! The explanation as text and as JSON.

use tdg_definition::json::Value;
use tdg_explain::{OutputFinding, Rule, Side, Wording, findings_of_rows};

use super::causes::FoundCauses;
use super::rows::RowsToExplain;
use super::rule_quality::RuleQuality;
use crate::terminal::counted;
use crate::terminal::style::STRONG;

/// Formats for a terminal: the sentences of a failing test's report, and their quality.
pub(super) fn text(
    name: &str,
    rows: &RowsToExplain,
    found: &FoundCauses,
    judged: &RuleQuality,
) -> String {
    let mut text = format!("{STRONG}{name}{STRONG:#}: {}\n", headline(rows));
    let changes = found.changes.iter();
    let changes = changes.map(|it| it.with_rule(&found.explanation));
    let sentences: Vec<String> = match found.of_parts.is_empty() {
        true => findings_of_rows(&found.explanation)
            .into_iter()
            .chain(changes)
            .collect(),
        false => found.of_parts.clone(),
    };
    if !sentences.is_empty() {
        text.push('\n');
    }
    for sentence in sentences {
        text.push_str(&format!("  {sentence}\n"));
    }
    if rows.explained < rows.size() {
        text.push_str(&format!("\n  {}\n", judgement(found, judged)));
    }
    text
}

/// Returns `25 of 500 cases failed`.
fn headline(rows: &RowsToExplain) -> String {
    let explained = counted(rows.explained, "case");
    let first = if rows.explained < rows.size() {
        "the first "
    } else {
        ""
    };
    let failing = rows.failing[..rows.explained].iter();
    let failing = failing.filter(|failing| **failing).count();
    format!("{failing} of {first}{explained} failed")
}

/// Returns `on the other 500 cases: 118 of 120 found, 2 others`.
fn judgement(found: &FoundCauses, judged: &RuleQuality) -> String {
    let side = judged.true_positive + judged.false_negative;
    let that = match found.explanation.side {
        Side::Failing => "",
        Side::Passing => " that passed",
    };
    let others = match judged.false_positive {
        1 => "1 other".to_owned(),
        others => format!("{others} others"),
    };
    format!(
        "on the other {}: {} of {side}{that} found, {others}",
        counted(judged.rows, "case"),
        judged.true_positive,
    )
}

/// Formats the result as one line of JSON.
pub(super) fn json(rows: &RowsToExplain, found: &FoundCauses, judged: &RuleQuality) -> String {
    let failing = rows.failing.iter().filter(|failing| **failing).count();
    let side = match found.explanation.side {
        Side::Failing => "failing",
        Side::Passing => "passing",
    };
    let mut members = vec![
        ("rows", count(rows.size())),
        ("failing", count(failing)),
        ("side", side.into()),
        ("rules", found.explanation.rules.iter().map(rule).collect()),
        ("changes", found.changes.iter().map(change).collect()),
        (
            "judged",
            Value::object([
                ("true_positive", count(judged.true_positive)),
                ("false_positive", count(judged.false_positive)),
                ("false_negative", count(judged.false_negative)),
                ("f1", Value::from(judged.f1)),
            ]),
        ),
    ];
    let shared = found.explanation.shared.as_ref();
    members.extend(shared.map(|it| ("shared", rule(it))));
    format!("{}\n", Value::object(members))
}

fn rule(rule: &Rule) -> Value {
    let wording = match rule.wording {
        Wording::Sure => "sure",
        Wording::Mostly => "mostly",
        Wording::Perhaps => "perhaps",
        Wording::Part => "part",
        _ => "tendency",
    };
    let covered = rule.covered().into_iter().map(count);
    let mut members = vec![
        ("text", rule.text.as_str().into()),
        ("wording", wording.into()),
        ("rows", covered.collect()),
    ];
    let equivalent = rule.equivalent.as_deref();
    members.extend(equivalent.map(|it| ("equivalent", it.into())));
    Value::object(members)
}

fn change(change: &OutputFinding) -> Value {
    Value::object([
        ("text", Value::from(change.below_rule())),
        ("rule", Value::from(change.rule.map(count))),
    ])
}

fn count(count: usize) -> Value {
    Value::from(count as u64)
}
