//! Rules in terms of features and values instead of ranks.

use std::fmt;

use tdg_definition::Cells;
use tdg_definition::json::Value;

use super::attribute::Attribute;
use super::condition::{Condition, Question};
use super::predicate::{Cell, Operator, Predicate};
use super::threshold::{between_days, between_numbers, between_seconds};
use crate::generate::{Vectors, VectorsFeature};
use crate::prefix::common_prefix;

/// A description of rows, and its accuracy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The conditions, all of which hold for a covered row.
    pub predicates: Vec<Predicate>,
    /// The covered rows on the explained [side](super::Side), in order.
    pub rows: Vec<usize>,
    /// The other covered rows.
    pub exceptions: Vec<usize>,
}

impl Rule {
    /// Whether it covers a row.
    pub fn covers(&self, vectors: &Vectors, row: usize) -> bool {
        self.predicates
            .iter()
            .all(|predicate| predicate.holds(vectors, row))
    }
}

/// `coupon = "HALF" and 10 < quantity <= 15`.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.predicates.as_slice();
        while let [predicate, after @ ..] = rest {
            if rest.len() < self.predicates.len() {
                f.write_str(" and ")?;
            }
            rest = match after {
                [upper, after @ ..] if predicate.write_interval(upper, f)? => after,
                _ => {
                    write!(f, "{predicate}")?;
                    after
                }
            };
        }
        Ok(())
    }
}

/// The rule of these conditions.
pub(super) fn rule(
    vectors: &Vectors,
    attributes: &[Attribute],
    conditions: &[Condition],
    is_inside: &[Option<bool>],
) -> Rule {
    let size = is_inside.len();
    let attribute = |condition: &Condition| &attributes[condition.attribute];
    let mut holds: Vec<Vec<bool>> = conditions
        .iter()
        .map(|condition| {
            let holds = |row| condition.holds(attribute(condition), row);
            (0..size).map(holds).collect()
        })
        .collect();
    let mut predicates = Vec::new();
    for (index, condition) in conditions.iter().enumerate() {
        let others = |row: usize| {
            let mut others = holds.iter().enumerate();
            others.all(|(other, holds)| other == index || holds[row])
        };
        let rows: Vec<usize> = (0..size).filter(|row| others(*row)).collect();
        let predicate = predicate(vectors, attribute(condition), condition, &rows);
        // The threshold may have moved between two values. No row covered by the others changes
        // sides, but the next condition must be chosen with the new threshold.
        let feature = &vectors.features()[attribute(condition).feature];
        holds[index] = (0..size)
            .map(|row| predicate.is_true_of(feature, row))
            .collect();
        predicates.push(predicate);
    }
    let mut rule = Rule {
        predicates: in_pairs(predicates),
        rows: Vec::new(),
        exceptions: Vec::new(),
    };
    for (row, &is_inside) in is_inside.iter().enumerate() {
        if holds.iter().all(|holds| holds[row]) {
            match is_inside {
                Some(true) => rule.rows.push(row),
                Some(false) => rule.exceptions.push(row),
                None => {}
            }
        }
    }
    rule
}

/// The condition as a predicate. A threshold is chosen between values of `rows`, those that the
/// other conditions of the rule cover.
fn predicate(
    vectors: &Vectors,
    attribute: &Attribute,
    condition: &Condition,
    rows: &[usize],
) -> Predicate {
    let feature = &vectors.features()[attribute.feature];
    let ranks = &condition.ranks;
    let value = |rank: u32| {
        let row = attribute.ranks.iter().position(|other| *other == rank);
        let cell = row.map(|row| Cell::of(feature, row, attribute.aspect));
        cell.map_or(Value::Null, |cell| cell.to_value())
    };
    let operator = match condition.question {
        Question::Is => Operator::Is(value(ranks.start)),
        Question::IsNot => Operator::IsNot(value(ranks.start)),
        Question::StartsWith => {
            let (first, last) = (value(ranks.start), value(ranks.end - 1));
            Operator::StartsWith(shared_prefix(&first, &last).to_owned())
        }
        Question::AtMost => threshold(attribute, feature, ranks.end, rows, Bound::Upper),
        Question::Above => threshold(attribute, feature, ranks.start, rows, Bound::Lower),
    };
    Predicate {
        feature: feature.name.clone(),
        aspect: attribute.aspect,
        operator,
    }
}

#[derive(Clone, Copy)]
enum Bound {
    Upper,
    Lower,
}

/// The threshold between the ranks below `bound` and the others, among `rows`.
fn threshold(
    attribute: &Attribute,
    feature: &VectorsFeature,
    bound: u32,
    rows: &[usize],
    kind: Bound,
) -> Operator {
    let rank = |row: &&usize| attribute.ranks[**row];
    let values = || rows.iter().filter(|row| rank(row) < attribute.distinct);
    let below = values().filter(|row| rank(row) < bound).max_by_key(rank);
    let above = values().filter(|row| rank(row) >= bound).min_by_key(rank);
    // The search chose a threshold between two values among these rows.
    let (below, above) = match (below, above) {
        (Some(below), Some(above)) => (*below, *above),
        (Some(row), None) | (None, Some(row)) => (*row, *row),
        (None, None) => (0, 0),
    };
    let time = |time: String| match kind {
        Bound::Upper => Operator::Before(time),
        Bound::Lower => Operator::From(time),
    };
    match feature.column.cells() {
        Cells::DateTime(seconds) => time(between_seconds(seconds[below], seconds[above])),
        Cells::Date(days) => time(between_days(days[below], days[above])),
        _ => {
            let number = |row| Cell::of(feature, row, attribute.aspect).number();
            let limit = between_numbers(number(below), number(above));
            match kind {
                Bound::Upper => Operator::AtMost(limit),
                Bound::Lower => Operator::Above(limit),
            }
        }
    }
}

fn shared_prefix<'a>(first: &'a Value, last: &Value) -> &'a str {
    let (first, last) = (first.as_str().unwrap_or_default(), last.as_str());
    &first[..common_prefix(first, last.unwrap_or_default())]
}

/// Moves bounds of the same feature together, so that they read as one interval.
fn in_pairs(predicates: Vec<Predicate>) -> Vec<Predicate> {
    let mut paired: Vec<Predicate> = Vec::new();
    for predicate in predicates {
        let is_about = |other: &Predicate| {
            other.feature == predicate.feature && other.aspect == predicate.aspect
        };
        match paired.iter().rposition(is_about) {
            Some(index) if predicate.is_lower_bound() => paired.insert(index, predicate),
            Some(index) => paired.insert(index + 1, predicate),
            None => paired.push(predicate),
        }
    }
    paired
}
