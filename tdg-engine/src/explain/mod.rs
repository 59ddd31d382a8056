//! What failing cases and their outputs have in common.
//!
//! [`rules`] searches for a description of the failing rows: `coupon = "HALF" and quantity > 10`.
//! A rule is true of the rows, simpler than listing them, and unlikely to be chance. Often there is
//! no such rule. docs/explanation/explanations.md has the details.
//!
//! ```
//! use tdg_definition::Definition;
//! use tdg_engine::{Vectors, explain};
//!
//! let definition = Definition::parse(r#"{"features": [
//!     {"feature_name": "amount", "type": "FLOAT",
//!      "distribution": {"type": "lognormal", "mu": 3, "sigma": 0.5}},
//!     {"feature_name": "quantity", "type": "INTEGER",
//!      "distribution": {"type": "uniform", "min": 1, "max": 20}}
//! ]}"#)?;
//! let orders = Vectors::generate(&definition, 0, 500);
//! let many = explain::Predicate {
//!     feature: "quantity".to_owned(),
//!     aspect: explain::Aspect::Value,
//!     operator: explain::Operator::Above(17.into()),
//! };
//! let failing: Vec<bool> = (0..500).map(|row| many.holds(&orders, row)).collect();
//!
//! let explanation = explain::rules(&orders, &failing);
//! assert_eq!(explanation.rules[0].to_string(), "quantity > 17");
//! # Ok::<(), tdg_definition::Faults>(())
//! ```

mod attribute;
mod cases;
mod changes;
mod condition;
mod counter;
pub(crate) mod fields;
mod nearest;
mod parts;
mod predicate;
mod rule;
mod score;
mod search;
mod threshold;

#[cfg(test)]
mod tests;

pub use changes::{FieldChange, Pattern, Unit, changes};
pub use nearest::{FeatureDifference, Neighbour};

pub use parts::{Part, PartKind, parts};
pub use predicate::{Aspect, Operator, Predicate};
pub use rule::Rule;

use attribute::{Attribute, attributes};
use cases::Cases;
use nearest::neighbour;
use score::Tables;
use search::Search;

use crate::generate::Vectors;

/// The maximum number of rules.
const RULES: usize = 3;
/// With fewer cases no rule is searched for.
const FEW: usize = 4;

/// What the failing rows have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The number of rows of which it is known whether they fail.
    pub rows: usize,
    /// The number of failing rows.
    pub failing: usize,
    /// The side that rules and neighbours describe: the one with fewer rows, or without a rule the
    /// failing one.
    pub side: Side,
    /// Descriptions of the side's rows, each of another cause, the most informative first. Empty
    /// if nothing is found beyond chance.
    pub rules: Vec<Rule>,
    /// Without a rule: the side's rows if there are at most three, or else its first, each with
    /// the most similar row of the other side.
    pub neighbours: Vec<Neighbour>,
}

/// One of the two kinds of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The failing ones.
    Failing,
    /// The others.
    Passing,
}

impl Explanation {
    /// The number of rows on the explained side.
    pub fn explained(&self) -> usize {
        match self.side {
            Side::Failing => self.failing,
            Side::Passing => self.rows - self.failing,
        }
    }
}

/// Finds what the rows with `failing` true have in common and the others do not.
///
/// `failing` has one element for each of the first rows; rows beyond it are ignored. If most rows
/// fail, the others are explained. If all or none fail, there is nothing to explain.
pub fn rules(vectors: &Vectors, failing: &[bool]) -> Explanation {
    let failing: Vec<Option<bool>> = failing.iter().copied().map(Some).collect();
    rules_where_known(vectors, &failing)
}

/// As [`rules`], leaving out the rows of which it is not known whether they fail.
pub fn rules_where_known(vectors: &Vectors, failing: &[Option<bool>]) -> Explanation {
    let failing = &failing[..failing.len().min(vectors.size())];
    let known = failing.iter().flatten().count();
    let count = failing.iter().flatten().filter(|failing| **failing).count();
    let side = if 2 * count > known {
        Side::Passing
    } else {
        Side::Failing
    };
    let is_inside: Vec<Option<bool>> = failing
        .iter()
        .map(|failing| failing.map(|failing| failing == (side == Side::Failing)))
        .collect();
    let cases = Cases::of(&is_inside);
    let mut explanation = Explanation {
        rows: known,
        failing: count,
        side,
        rules: Vec::new(),
        neighbours: Vec::new(),
    };
    if cases.inside.is_empty() {
        return explanation;
    }
    let attributes = attributes(vectors, failing.len());
    let neighbours = |rows: &[u32], others: &[u32]| -> Vec<Neighbour> {
        let others = || others.iter().map(|row| *row as usize);
        let of = |row: &u32| neighbour(vectors, &attributes, *row as usize, others());
        rows.iter().filter_map(of).collect()
    };
    if cases.inside.len() < FEW {
        explanation.neighbours = neighbours(&cases.inside, &cases.outside);
        return explanation;
    }
    explanation.rules = causes(vectors, &attributes, &is_inside, cases.clone());
    if explanation.rules.is_empty() {
        let (failing, others) = match side {
            Side::Failing => (&cases.inside, &cases.outside),
            Side::Passing => (&cases.outside, &cases.inside),
        };
        explanation.side = Side::Failing;
        explanation.neighbours = neighbours(&failing[..1], others);
    }
    explanation
}

/// Finds a rule, then one for the rows that it leaves unexplained, and so on.
fn causes(
    vectors: &Vectors,
    attributes: &[Attribute],
    is_inside: &[Option<bool>],
    mut cases: Cases,
) -> Vec<Rule> {
    let tables = Tables::new(is_inside.len());
    let mut rules = Vec::new();
    while rules.len() < RULES && cases.inside.len() >= FEW {
        let search = Search {
            attributes,
            tables: &tables,
            cases: &cases,
        };
        let Some(conditions) = search.best_rule() else {
            break;
        };
        rules.push(rule::rule(vectors, attributes, &conditions, is_inside));
        let holds = |row: usize| {
            conditions
                .iter()
                .all(|condition| condition.holds(&attributes[condition.attribute], row))
        };
        cases = cases.filter(|row| !holds(row));
    }
    rules
}
