//! What was found about the rows: rules with what they cover, and changes of outputs.

use tdg_engine::explain::{Explanation, Rule, Side, rules_where_known};
use tdg_engine::report::findings_of_outputs;

use super::rows::Rows;

pub(super) struct Found {
    pub(super) explanation: Explanation,
    pub(super) rules: Vec<FoundRule>,
    pub(super) changes: Vec<Change>,
}

pub(super) struct FoundRule {
    pub(super) text: String,
    pub(super) wording: Wording,
    /// All rows of the table that it covers.
    pub(super) rows: Vec<usize>,
}

/// How sure a rule is, from the rows that were explained.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wording {
    /// The rules describe the side.
    Sure,
    /// It covers a part of the side, and hardly anything else.
    Part,
    /// It only makes the side more likely.
    Tendency,
}

/// What happened to the outputs of the failing rows.
pub(super) struct Change {
    pub(super) text: String,
    /// The index of the rule whose rows it is about.
    pub(super) rule: Option<usize>,
}

impl Found {
    pub(super) fn of(rows: &Rows) -> Self {
        let known = |row| (row < rows.explained).then_some(rows.failing[row]);
        let failing: Vec<Option<bool>> = (0..rows.size()).map(known).collect();
        let explanation = rules_where_known(&rows.vectors, &failing);
        let found = explanation.rules.iter().map(|rule| FoundRule {
            text: rule.to_string(),
            wording: wording(rule, &explanation),
            rows: (0..rows.size())
                .filter(|row| rule.covers(&rows.vectors, *row))
                .collect(),
        });
        let changes = findings_of_outputs(&rows.differing).into_iter();
        Self {
            rules: found.collect(),
            changes: changes.map(|text| Change { text, rule: None }).collect(),
            explanation,
        }
    }

    /// Whether the row is on the described side.
    pub(super) fn is_described(&self, is_failing: bool) -> bool {
        is_failing == (self.explanation.side == Side::Failing)
    }
}

fn wording(rule: &Rule, explanation: &Explanation) -> Wording {
    /// What never misled in calibration.
    const ENOUGH: f64 = 0.9;
    let distinct = |rows: fn(&Rule) -> &Vec<usize>| {
        let mut all: Vec<usize> = explanation.rules.iter().flat_map(rows).copied().collect();
        all.sort_unstable();
        all.dedup();
        all.len() as f64
    };
    let (hits, misses) = (
        distinct(|rule| &rule.rows),
        distinct(|rule| &rule.exceptions),
    );
    let f1 = 2.0 * hits / (hits + misses + explanation.explained() as f64);
    let covered = (rule.rows.len() + rule.exceptions.len()) as f64;
    if f1 >= ENOUGH {
        Wording::Sure
    } else if rule.rows.len() as f64 / covered >= ENOUGH {
        Wording::Part
    } else {
        Wording::Tendency
    }
}
