//! The parts of a change that a review offers by their numbers: of what happened, and of each rule.

use tdg_definition::json::Pointer;
use tdg_engine::compare::{Aspect, ChangePart, DifferingCase, Part, PartKind, parts, place_name};
use tdg_engine::report::counted;

use crate::rule::{Rule, Wording};
use crate::{Explanation, Side};

/// A part that a review offers by its number.
#[derive(Clone, Debug)]
pub struct OfferedPart {
    /// `/tax, added in 200 cases`.
    pub text: String,
    /// What it has of the change.
    pub part: ChangePart,
}

/// The parts of a change that has several, in the order of their numbers, from 1. `explain` says
/// what the cases of a part have in common.
pub fn offered_parts(
    differing: &[DifferingCase],
    explain: &dyn Fn(&Part) -> Explanation,
) -> Vec<OfferedPart> {
    let parts = parts(differing);
    let values = parts.iter().filter(|part| is_of_values(&part.kind));
    let is_mixed = values.count() > 1 || parts.iter().any(|part| part.kind.is_shape());
    let mut offered = Vec::new();
    for part in &parts {
        let whole = whole(part, is_mixed);
        let change = whole.part.clone();
        if parts.len() > 1 {
            offered.push(whole);
        }
        if part.kind == PartKind::Value {
            let prefix = match is_mixed {
                true => format!("{}, in ", names(&part.fields)),
                false => String::new(),
            };
            let rules = rules_of(explain(part), part.cases.len());
            offered.extend(rules.map(|rule| of_rule(rule, &prefix, &change)));
        }
    }
    offered
}

fn is_of_values(kind: &PartKind) -> bool {
    matches!(kind, PartKind::Value | PartKind::LastBits)
}

/// All that happened to some fields.
fn whole(part: &Part, is_mixed: bool) -> OfferedPart {
    let count = counted(part.cases.len(), "case");
    let fields = names(&part.fields);
    // In these cases alone: elsewhere the same places may have changed otherwise.
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
            let text = format!("{fields}, {} in {count}", verb(kind));
            let part = match is_mixed {
                true => of(part.fields.clone(), Aspect::Value),
                false => of(Vec::new(), Aspect::All),
            };
            (text, part)
        }
        kind => {
            let text = format!("the {count} that {}", verb(kind));
            (text, of(Vec::new(), Aspect::All))
        }
    };
    OfferedPart { text, part }
}

/// The rules that are about some of these cases, but not all.
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
        part: ChangePart {
            cases: Some(rule.rows),
            ..whole.clone()
        },
    }
}

fn names(fields: &[Pointer]) -> String {
    let names: Vec<String> = fields.iter().map(place_name).collect();
    names.join(", ")
}

fn verb(kind: &PartKind) -> &'static str {
    match kind {
        PartKind::BecameErr => "became an Err",
        PartKind::BecameOk => "became an Ok",
        PartKind::Panicked => "panic",
        PartKind::StoppedPanicking => "no longer panic",
        PartKind::NoLongerInput => "are no longer inputs",
        PartKind::BecameInput => "became inputs",
        PartKind::OtherReason => "are no inputs for another reason",
        PartKind::Added => "added",
        PartKind::Removed => "removed",
        PartKind::LastBits => "differ in their last bits",
        PartKind::Renamed { .. } | PartKind::Value => "changed",
    }
}
