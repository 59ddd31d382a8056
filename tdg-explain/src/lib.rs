//! Finds common properties of failing cases and their outputs.
//!
//! [`rules`] searches for a description of the failing rows: `coupon = "HALF" and quantity > 10`. A
//! rule is true for the rows, simpler than a list of them, and unlikely to be chance. Often there
//! isn't such a rule. docs/explanation/explanations.md has the details.
//!
//! ```
//! use tdg_definition::Definition;
//! use tdg_engine::Vectors;
//!
//! let definition = Definition::parse(r#"{"features": [
//!     {"feature_name": "a", "type": "INTEGER",
//!      "distribution": {"type": "uniform", "min": 1, "max": 90}},
//!     {"feature_name": "b", "type": "INTEGER",
//!      "distribution": {"type": "uniform", "min": 1, "max": 90}}
//! ]}"#)?;
//! let vectors = Vectors::generate(&definition, 0, 500);
//! let (a, b) = (vectors.column(0), vectors.column(1));
//! # let number = |column: &tdg_definition::Column, row: usize| match column.cells() {
//! #     tdg_definition::Cells::Integer(values) => values[row],
//! #     _ => 0,
//! # };
//! let failing: Vec<_> = (0..500).map(|row| Some(number(a, row) > number(b, row))).collect();
//!
//! let explanation = tdg_explain::rules(&tdg_explain::ExplainedRows {
//!     vectors: &vectors,
//!     expected: None,
//!     failing: &failing,
//! });
//! assert_eq!(explanation.rules[0].to_string(), "a > b");
//! # Ok::<(), tdg_definition::Faults>(())
//! ```

mod attribute;
mod bits;
mod catalogue;
mod changes;
mod condition;
mod condition_text;
mod families;
mod findings;
mod inputs;
mod nearest;
mod order;
mod review_parts;
mod rule;
mod score;
mod search;
mod table;
mod threshold;
mod value;
mod verb;
mod wrapped_outputs;

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use tdg_definition::json::Value;
use tdg_definition::math::ln;

pub use changes::{CauseChange, ChangePattern, FieldChange, Unit, changes, changes_by_cause};
pub use condition::ConditionForm;
pub use findings::{
    OutputFinding, explanation_of_part, findings_and_parts, findings_of_changes,
    findings_of_explained, findings_of_failures, findings_of_outputs, findings_of_panics,
    findings_of_requirement, findings_of_rows,
};
pub use nearest::{FeatureDifference, Neighbour};
pub use review_parts::{OfferedPart, offered_parts};
pub use rule::{Rule, RuleCondition, Wording};
pub use verb::Verb;

use attribute::Attribute;
use catalogue::{COARSE, Catalogue, FINE};
use inputs::InputRules;
use nearest::Nearest;
use rule::RuleWriter;
use score::LogarithmTables;
use search::{Description, Target, Term, complement, search, settle, shared};
use table::ExplanationTable;

use tdg_engine::Vectors;

/// With fewer cases, no rule is searched for.
const FEW: usize = 4;
/// If one side has this few rows, the other is only described by a trusted rule.
const FEW_OF_MANY: usize = 10;
/// The maximum number of rows to search. All rows are used for polishing and testing.
const SEARCHED: usize = 2_000;
/// The prior probability that a condition tests the value of a feature.
const BASE: f64 = 0.5;
/// How many times likelier a scalar is the cause than the contents of a list.
const SCALAR: f64 = 6.0;
/// The minimum total weight of the attributes of another family.
const LEAST: f64 = 4.0;
/// How much better the description of the passing rows must be, in nats.
const PASSING: f64 = 1.0;

/// The rows to explain.
#[derive(Clone, Copy, Debug)]
pub struct ExplainedRows<'a> {
    /// The features of the rows.
    pub vectors: &'a Vectors,
    /// The expected output of each row, if known. An explanation may refer to it.
    pub expected: Option<&'a [Value]>,
    /// True for each failing row; rows with `None` are ignored. `vectors` may have more rows, which
    /// are ignored as well.
    pub failing: &'a [Option<bool>],
}

/// The common properties of the failing rows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The number of rows that are known to fail or pass.
    pub rows: usize,
    /// The number of failing rows.
    pub failing: usize,
    /// The side that rules and neighbours describe: the one with the simpler description. Without a
    /// rule, it is the one with fewer rows if they are few, or else the failing one.
    pub side: Side,
    /// Conditions joined by `or`: each row of the side meets at least one of them, subject to their
    /// wording. The one with most rows is first. Empty if nothing better than chance is found.
    pub rules: Vec<Rule>,
    /// If no rule can be trusted: a condition that all failing rows meet and other rows seldom do.
    /// It is necessary but not sufficient.
    pub shared: Option<Rule>,
    /// Without a rule: the side's rows if there are at most three, or else its first one, each with
    /// the most similar row of the other side.
    pub neighbours: Vec<Neighbour>,
}

/// One of the two kinds of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The failing rows.
    Failing,
    /// The passing rows.
    Passing,
}

const SIDES: [Side; 2] = [Side::Failing, Side::Passing];

impl Explanation {
    /// Creates the explanation of a side without rules.
    pub fn without_rules(rows: usize, failing: usize, side: Side) -> Self {
        Self {
            rows,
            failing,
            side,
            rules: Vec::new(),
            shared: None,
            neighbours: Vec::new(),
        }
    }

    /// Returns the number of rows on the explained side.
    pub fn explained(&self) -> usize {
        match self.side {
            Side::Failing => self.failing,
            Side::Passing => self.rows - self.failing,
        }
    }
}

/// Finds properties that the failing rows have and the others lack.
///
/// If all rows fail, or none, there is nothing to explain.
pub fn rules(rows: &ExplainedRows<'_>) -> Explanation {
    let failing = &rows.failing[..rows.failing.len().min(rows.vectors.size())];
    let of = |side: bool| -> Vec<u32> {
        let rows = failing.iter().zip(0..);
        let rows = rows.filter(|(failing, _)| **failing == Some(side));
        rows.map(|(_, row)| row).collect()
    };
    let (failed, passed) = (of(true), of(false));
    let (side, rarer, others) = match failed.len() <= passed.len() {
        true => (Side::Failing, &failed, &passed),
        false => (Side::Passing, &passed, &failed),
    };
    let rows_of_both = failed.len() + passed.len();
    let mut explanation = Explanation::without_rules(rows_of_both, failed.len(), side);
    if rarer.is_empty() {
        return explanation;
    }
    let table = ExplanationTable::new(rows.vectors, rows.expected, failing.len());
    if rarer.len() >= FEW {
        let (rules, shared) = described(&table, failing, rarer, others);
        explanation.shared = shared;
        if let Some((side, rules)) = rules {
            (explanation.side, explanation.rules) = (side, rules);
            return explanation;
        }
    }
    let nearest = Nearest::new(&table);
    let (shown, others) = match rarer.len() < FEW {
        true => (rarer.as_slice(), others),
        false => {
            explanation.side = Side::Failing;
            (&failed[..1], &passed)
        }
    };
    explanation.neighbours = shown
        .iter()
        .filter_map(|row| nearest.neighbour(*row as usize, others))
        .collect();
    explanation
}

/// Returns everything that conditions can test, as columns with a value for each row: a boolean, a
/// number, a text, or null. Substring tests have a column for each text that occurs.
///
/// This allows other searches to be compared with [`rules`] on the same data.
pub fn attributes(rows: &ExplainedRows<'_>) -> Vec<Vec<Value>> {
    let size = rows.failing.len().min(rows.vectors.size());
    let table = ExplanationTable::new(rows.vectors, rows.expected, size);
    let mut columns = Vec::new();
    for attribute in families::attributes(&table, rows.failing) {
        columns.extend(attribute.values(size));
    }
    columns
}

/// Describes the side with the simpler description. Without a trusted one, also returns the
/// property that the failing rows share.
fn described(
    table: &ExplanationTable<'_>,
    failing: &[Option<bool>],
    rarer: &[u32],
    others: &[u32],
) -> (Option<(Side, Vec<Rule>)>, Option<Rule>) {
    let attributes = families::attributes(table, failing);
    let costs = costs(&attributes);
    let searched = searched(rarer, others);
    let all: Vec<u32> = [rarer, others].concat();
    let tables = LogarithmTables::new(all.len());
    let mut coarse = Catalogue::new(&attributes, &costs, &searched, COARSE, |_| true);
    let [failing_searched, passing_searched] = targets(&tables, failing, &searched);
    let found = search(&mut coarse, [&failing_searched, &passing_searched]);
    // Now with all thresholds of the attributes in use, and all rows.
    let used = attributes_in_use(found.iter().flatten(), &coarse);
    let is_used = |attribute| used.contains(&attribute);
    let mut fine = Catalogue::new(&attributes, &costs, &all, FINE, is_used);
    let targets = targets(&tables, failing, &all);
    let candidates = candidates(&found, &coarse, &mut fine, &targets);
    let is_inside = SIDES.map(|side| {
        let is_inside = |failing: &Option<bool>| Some((*failing)? == (side == Side::Failing));
        failing.iter().map(is_inside).collect::<Vec<_>>()
    });
    let writer = |side: usize, catalogue| RuleWriter {
        table,
        attributes: &attributes,
        catalogue,
        is_inside: &is_inside[side],
    };
    let writers = [0, 1].map(|side| writer(side, &fine));
    let best = best(&writers, &candidates, &targets);
    let is_trusted = best.is_some_and(|(rank, ..)| rank.is_trusted);
    let rules = best.map(|(_, side, description)| {
        let inputs = InputRules {
            found: &writers[side],
            costs: &costs,
            searched: &searched,
            tables: &tables,
        };
        let instead = |term: &Term, rule| inputs.instead_of(term, rule);
        (SIDES[side], writers[side].rules(description, instead))
    });
    let shared = (!is_trusted).then(|| shared(&coarse, &failing_searched));
    let shared = shared.flatten().map(|term| writer(0, &coarse).rule(&term));
    (
        rules,
        shared.filter(|it| it.rows.len() == targets[0].population.inside),
    )
}

/// Polishes the descriptions, each with the position of its side, and adds their negations for the
/// other side.
fn candidates<'t>(
    found: &[Vec<Description>; 2],
    coarse: &Catalogue<'_, 't>,
    fine: &mut Catalogue<'_, 't>,
    targets: &[Target<'_>; 2],
) -> Vec<(usize, Description)> {
    let mut candidates: Vec<(usize, Description)> = Vec::new();
    for (side, descriptions) in found.iter().enumerate() {
        for description in descriptions {
            let description = carried_over(description, coarse, fine, &targets[side]);
            if let Some(settled) = settle(fine, &targets[side], description) {
                let turned = complement(fine, &targets[1 - side], &settled);
                candidates.extend(turned.map(|turned| (1 - side, turned)));
                candidates.push((side, settled));
            }
        }
    }
    candidates
}

/// Returns the candidate to show, with its rank and the position of its side.
fn best<'c>(
    writers: &[RuleWriter<'_, '_>; 2],
    candidates: &'c [(usize, Description)],
    targets: &[Target<'_>; 2],
) -> Option<(Rank, usize, &'c Description)> {
    let population = targets[0].population;
    let rarer = match population.inside <= population.outside {
        true => Side::Failing,
        false => Side::Passing,
    };
    let has_few = population.inside.min(population.outside) <= FEW_OF_MANY;
    let ranked = candidates.iter().filter_map(|(side, description)| {
        let rules = writers[*side].rules(description, |_, rule| rule);
        let rank = Rank::new(rules.first()?, SIDES[*side], rarer, description.score);
        // A part of almost all rows says nothing about the few others.
        let is_worth_it = rank.is_trusted || rank.is_rarer || !has_few;
        is_worth_it.then_some((rank, *side, description))
    });
    ranked.max_by(|(left, ..), (right, ..)| left.cmp(right))
}

fn attributes_in_use<'d>(
    found: impl IntoIterator<Item = &'d Description>,
    catalogue: &Catalogue<'_, '_>,
) -> Vec<usize> {
    let terms = found.into_iter().flat_map(|found| &found.terms);
    let literals = terms.flat_map(|term| &term.literals);
    literals
        .map(|literal| catalogue.conditions[literal.condition as usize].attribute)
        .collect()
}

/// The rank of a description of either side. The highest one is shown.
#[derive(Clone, Copy)]
struct Rank {
    is_trusted: bool,
    is_rarer: bool,
    score: f64,
}

impl Rank {
    fn new(first: &Rule, side: Side, rarer: Side, score: f64) -> Self {
        Self {
            is_trusted: first.wording <= Wording::Mostly,
            is_rarer: side == rarer,
            score: score - if side == Side::Passing { PASSING } else { 0.0 },
        }
    }

    fn cmp(&self, other: &Self) -> Ordering {
        let by_trust = self.is_trusted.cmp(&other.is_trusted);
        // A part of most rows isn't worth showing.
        let by_side = match self.is_trusted {
            true => Ordering::Equal,
            false => self.is_rarer.cmp(&other.is_rarer),
        };
        let by_score = self.score.total_cmp(&other.score);
        by_trust.then(by_side).then(by_score)
    }
}

/// Translates a description to the conditions of another catalogue.
fn carried_over<'t>(
    description: &Description,
    from: &Catalogue<'_, 't>,
    to: &mut Catalogue<'_, 't>,
    target: &Target<'_>,
) -> Description {
    let mut terms = Vec::new();
    for term in &description.terms {
        let literals = term.literals.iter().filter_map(|literal| {
            let condition = &from.conditions[literal.condition as usize];
            to.add_known(condition, literal.is_negated)
        });
        let literals = literals.collect();
        terms.push(Term::new(literals, to));
    }
    search::with_terms(to, target, terms)
}

/// Returns the rows of each of the [`SIDES`] among `rows`.
fn targets<'a>(
    tables: &'a LogarithmTables,
    failing: &[Option<bool>],
    rows: &[u32],
) -> [Target<'a>; 2] {
    SIDES.map(|side| {
        let is_of_side = |row: u32| failing[row as usize] == Some(side == Side::Failing);
        let inside = rows.iter().zip(0..).filter(|(row, _)| is_of_side(**row));
        let inside = bits::from_rows(inside.map(|(_, at)| at), bits::words(rows.len()));
        Target::new(tables, inside, rows.len())
    })
}

/// Selects the rows to search. The rarer side matters most.
fn searched(rarer: &[u32], others: &[u32]) -> Vec<u32> {
    let rarer = sample(rarer, SEARCHED / 2);
    let others = sample(others, SEARCHED - rarer.len());
    [rarer, others].concat()
}

/// Samples rows independently of their order.
fn sample(rows: &[u32], count: usize) -> Vec<u32> {
    let mut rows = rows.to_vec();
    if rows.len() > count {
        rows.sort_by_key(|row| row.wrapping_mul(0x9E37_79B1));
        rows.truncate(count);
        rows.sort_unstable();
    }
    rows
}

/// Returns the cost of naming each attribute, in nats. The features' values have half of the prior
/// probability, the other families share the rest.
fn costs(attributes: &[Attribute<'_>]) -> Vec<f64> {
    let mut weights = [0.0; families::FAMILIES.len()];
    for attribute in attributes {
        weights[attribute.family] += attribute.weight;
    }
    let others = weights[1..]
        .iter()
        .filter(|weight| **weight > 0.0)
        .count()
        .max(1);
    let cost = |attribute: &Attribute<'_>| {
        let family = match attribute.family {
            0 => BASE,
            family if family >= families::LISTS => (1.0 - BASE) / others as f64 / SCALAR,
            _ => (1.0 - BASE) / others as f64,
        };
        // A few unlikely attributes don't become likely because their family has no others.
        let least = if attribute.family == 0 { 0.0 } else { LEAST };
        -ln(family) + ln(weights[attribute.family].max(least)) - ln(attribute.weight)
    };
    attributes.iter().map(cost).collect()
}
