//! The features in a rule's conditions, grouped by the charts that can show them.

use tdg_definition::Cells;
use tdg_engine::Vectors;
use tdg_explain::{ConditionForm, Rule};

use crate::summary::{self, Shape};

/// The positions of the features in a rule's conditions, each once.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Subjects {
    /// Features whose axis can show the condition: `quantity > 10`, `coupon = "HALF"`.
    pub(super) placed: Vec<usize>,
    /// Features of conditions with two of them: `start < end`.
    pub(super) pairs: Vec<Pair>,
    /// Features whose axis can't show the condition: `due on a weekend`.
    pub(super) others: Vec<usize>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) positions: [usize; 2],
    /// Set if the condition only compares one with the other.
    pub(super) is_comparison: bool,
}

impl Subjects {
    pub(super) fn new(rule: &Rule, vectors: &Vectors) -> Self {
        let mut found = Self::default();
        for condition in &rule.conditions {
            let is_named = |name: &str| condition.features.iter().any(|it| it == name);
            let named = vectors
                .names()
                .enumerate()
                .filter(|(_, name)| is_named(name));
            let named: Vec<usize> = named.map(|(position, _)| position).collect();
            let is_constant = condition.form == ConditionForm::Constant;
            match named[..] {
                [one] if is_constant || has_categories(vectors, one) => found.placed.push(one),
                [one, other] if [one, other].iter().all(|it| is_numeric(vectors, *it)) => {
                    found.pairs.push(Pair {
                        positions: [one, other],
                        is_comparison: condition.form == ConditionForm::Comparison,
                    });
                }
                _ => found.others.extend(named),
            }
        }
        for list in [&mut found.placed, &mut found.others] {
            list.sort_unstable();
            list.dedup();
        }
        found.others.retain(|it| !found.placed.contains(it));
        found
            .pairs
            .dedup_by(|one, other| one.positions == other.positions);
        found
    }
}

fn has_categories(vectors: &Vectors, position: usize) -> bool {
    matches!(
        summary::feature(vectors.column(position)).shape,
        Shape::Categories { .. }
    )
}

/// Returns true if the feature can be an axis of a plane.
fn is_numeric(vectors: &Vectors, position: usize) -> bool {
    let column = vectors.column(position);
    !matches!(column.cells(), Cells::Text(_) | Cells::Boolean(_))
}

#[cfg(test)]
mod tests {
    use tdg_definition::Definition;
    use tdg_explain::{ExplainedRows, Vocabulary};

    use super::*;

    const ORDERS: &str = r#"{"features":[
        {"feature_name":"qty","type":"INTEGER","distribution":{"type":"uniform","min":1,"max":20}},
        {"feature_name":"qty_max","type":"INTEGER","distribution":{"type":"uniform","min":1,"max":20}},
        {"feature_name":"name","type":"STRING","distribution":{"type":"pattern","regex":"[A-E][a-z]{3,30}"}},
        {"feature_name":"stock","type":"INTEGER","distribution":{"type":"uniform","min":1,"max":20}}
    ]}"#;

    /// Returns the rule for the failing rows, and its subjects.
    fn subjects(fails: impl Fn(&[String]) -> bool) -> String {
        let vectors = Vectors::generate(&Definition::parse(ORDERS).unwrap(), 0, 400);
        let failing: Vec<_> = (0..400)
            .map(|row| Some(fails(&vectors.cells(row))))
            .collect();
        let explanation = tdg_explain::rules(&ExplainedRows {
            vectors: &vectors,
            expected: None,
            failing: &failing,
            vocabulary: Vocabulary::Full,
            constants: &[],
        });
        let rule = &explanation.rules[0];
        let Subjects {
            placed,
            pairs,
            others,
        } = Subjects::new(rule, &vectors);
        format!("{rule}: {placed:?} {pairs:?} {others:?}")
    }

    #[test]
    fn each_condition_has_a_chart_that_can_show_it() {
        let number = |text: &str| text.parse::<i64>().unwrap();
        let rules = [
            subjects(|row| number(&row[0]) > 15 && number(&row[1]) > 4),
            subjects(|row| (5..=14).contains(&number(&row[0]))),
            subjects(|row| number(&row[0]) > number(&row[1])),
            subjects(|row| number(&row[0]) + number(&row[1]) > 30),
            subjects(|row| row[2].starts_with("\"A")),
            subjects(|row| row[2].len() > 22),
            subjects(|row| number(&row[1]) % 3 == 0),
            subjects(|row| {
                (number(&row[0]).max(number(&row[1]))).max(number(&row[3])) == number(&row[3])
            }),
        ];
        insta::assert_snapshot!(rules.join("\n"), @r#"
        qty > 15 and qty_max > 4: [0, 1] [] []
        4 < qty <= 14: [0] [] []
        qty > qty_max: [] [Pair { positions: [0, 1], is_comparison: true }] []
        qty + qty_max > 30: [] [Pair { positions: [0, 1], is_comparison: false }] []
        name containing "A": [] [] [2]
        length of name > 20: [2] [] []
        qty_max a multiple of 3: [] [] [1]
        qty_max <= stock and qty <= stock: [] [Pair { positions: [1, 3], is_comparison: true }, Pair { positions: [0, 3], is_comparison: true }] []
        "#);
    }
}
