//! The cause of a change, in words that don't depend on the number of rows.

use tdg_definition::json::Pointer;
use tdg_engine::compare::{Part, PartKind};

use super::change_sentences::{names, same_changes, statement};
use crate::changes::{CauseChange, FieldChange};
use crate::rule::{Rule, Wording};
use crate::verb::Verb;
use crate::{Explanation, Side};

/// Returns `all changed cases have b > 40, actual = expected + 1`. Returns `None` unless the rules
/// cover every case of the part, and the changes every case of its fields.
pub(super) fn cause_of_part(
    part: &Part,
    explanation: &Explanation,
    changes: &[CauseChange],
) -> Option<String> {
    let verb = Verb::of_kind(&part.kind);
    let outputs = match &part.kind {
        PartKind::Renamed { .. } | PartKind::LastBits | PartKind::OtherReason => return None,
        kind if kind.is_shape() => {
            vec![format!("{} {}", names(&part.fields), Verb::of_those(kind))]
        }
        _ => outputs(part, explanation, changes).or((verb != Verb::CHANGED).then(Vec::new))?,
    };
    let subject = subject(explanation, verb)?;
    Some([vec![subject], outputs].concat().join(", "))
}

/// Returns `all changed cases have b > 40`.
fn subject(explanation: &Explanation, verb: Verb) -> Option<String> {
    let Explanation { rules, side, .. } = explanation;
    if explanation.failing == explanation.rows {
        return Some(format!("all cases {}", verb.did));
    }
    let is_trusted = rules.iter().all(|rule| rule.wording <= Wording::Mostly);
    if rules.is_empty() || !is_trusted || explanation.covered() < explanation.explained() {
        return None;
    }
    let cases = match side {
        Side::Failing if verb == Verb::CHANGED => "changed cases".to_owned(),
        Side::Failing => format!("cases that {}", verb.did),
        Side::Passing => format!("cases that {}", verb.did_not),
    };
    let rules: Vec<String> = rules.iter().map(Rule::to_string).collect();
    Some(format!("all {cases} have {}", rules.join(" or ")))
}

/// Returns how the outputs changed, in general or for each rule.
fn outputs(part: &Part, explanation: &Explanation, changes: &[CauseChange]) -> Option<Vec<String>> {
    let of_rule = |rule: Option<usize>| -> Vec<FieldChange> {
        let of_rule = changes.iter().filter(|it| it.rule == rule && !it.is_alone);
        let of_rule = of_rule.filter(|it| it.change.holds == it.change.cases);
        of_rule.map(|it| it.change.clone()).collect()
    };
    let statements = |changes: Vec<FieldChange>| -> Vec<String> {
        let groups = same_changes(changes);
        groups.iter().map(|group| statement(group)).collect()
    };
    let general = of_rule(None);
    if covers(&general, part) {
        return Some(statements(general));
    }
    let mut all = Vec::new();
    for (index, rule) in explanation.rules.iter().enumerate() {
        let own = of_rule(Some(index));
        covers(&[general.as_slice(), &own].concat(), part).then_some(())?;
        all.extend(statements(own).iter().map(|it| format!("{rule}: {it}")));
    }
    (!all.is_empty()).then(|| [statements(general), all].concat())
}

/// Returns true if the changes say how each field of the part changed.
fn covers(changes: &[FieldChange], part: &Part) -> bool {
    let is_covered = |field: &Pointer| changes.iter().any(|it| it.field.covers(field));
    !changes.is_empty() && part.fields.iter().all(is_covered)
}
