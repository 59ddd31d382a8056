//! Descriptions of rows: conditions joined by "and" to terms, terms joined by "or".

use std::f64::consts::LN_2;

use super::super::bits;
use super::super::catalogue::Catalogue;
use super::super::condition::Literal;

/// Conditions that all hold.
#[derive(Clone, Debug)]
pub(in super::super) struct Term {
    pub(in super::super) literals: Vec<Literal>,
    /// The cost of writing it, in nats.
    pub(in super::super) cost: f64,
    /// The rows that it covers.
    pub(in super::super) bits: Vec<u64>,
}

/// Terms of a disjunction.
#[derive(Clone, Debug)]
pub(in super::super) struct Description {
    pub(in super::super) terms: Vec<Term>,
    pub(in super::super) cost: f64,
    pub(in super::super) bits: Vec<u64>,
    pub(in super::super) score: f64,
}

impl Term {
    pub(in super::super) fn new(literals: Vec<Literal>, catalogue: &Catalogue<'_, '_>) -> Self {
        let mut rows = bits::full(catalogue.rows.len());
        for literal in &literals {
            bits::keep(
                &mut rows,
                catalogue.bits(literal.condition as usize),
                literal.is_negated,
            );
        }
        let cost = cost_in_any_order(literals.iter().map(|literal| catalogue.cost(*literal)));
        Self {
            literals,
            cost,
            bits: rows,
        }
    }
}

/// Returns the total cost of the conditions of a term, or of the terms of a description. It
/// includes the choice to continue after each, and excludes their order.
pub(in super::super) fn cost_in_any_order(costs: impl Iterator<Item = f64>) -> f64 {
    const LN_OF: [f64; 5] = [0.0, 0.0, LN_2, 1.098_612_288_668_109_8, 2.0 * LN_2];
    let mut sum = 0.0;
    for (index, cost) in costs.enumerate() {
        sum += cost + LN_2 - LN_OF.get(index + 1).copied().unwrap_or_default();
    }
    sum
}

/// Returns the rows that any of the terms covers.
pub(in super::super) fn union<'a>(
    terms: impl IntoIterator<Item = &'a Term>,
    words: usize,
) -> Vec<u64> {
    let mut rows = vec![0; words];
    for term in terms {
        bits::add(&mut rows, &term.bits);
    }
    rows
}

/// Returns all terms but one.
pub(in super::super) fn others(terms: &[Term], at: usize) -> impl Iterator<Item = &Term> {
    let (before, after) = (&terms[..at], &terms[at + 1..]);
    before.iter().chain(after)
}

/// Returns all literals but one.
pub(in super::super) fn without(literals: &[Literal], place: usize) -> Vec<Literal> {
    let mut kept = literals.to_vec();
    kept.remove(place);
    kept
}
