//! The search for the description with the best score.
//!
//! Good terms are collected for both sides, joined by a beam search, and polished.

mod chance;
mod description;
mod elements;
mod pool;
mod range_end;
mod refinement;
mod samples;
mod sets;
mod shared_properties;
mod transfer;

use tdg_definition::sort;

use super::bits;
use super::catalogue::Catalogue;
use super::score::{FEW, LogarithmTables, SideCounts};

pub(super) use super::condition::Literal;
pub(super) use chance::{Rigor, without_chance};
pub(super) use description::{Description, Term};
use description::{cost_in_any_order, union};
pub(super) use elements::{ElementRows, terms_of_elements};
use pool::TermPool;
pub(super) use range_end::with_range_ends;
pub(super) use refinement::polish;
pub(super) use samples::{searched, targets};
pub(super) use shared_properties::shared;
pub(super) use transfer::{attributes_in_use, carried_over};

/// The number of descriptions that are extended.
const WIDTH: usize = 6;
/// The number of descriptions whose remaining rows are searched for further terms.
const RESIDUALS: usize = 2;
/// The number of descriptions that are polished.
const FINALISTS: usize = 2;

/// The rows to describe, among all.
pub(super) struct Target<'a> {
    pub(super) tables: &'a LogarithmTables,
    /// The rows as a bit set.
    pub(super) inside: Vec<u64>,
    pub(super) population: SideCounts,
}

impl<'a> Target<'a> {
    pub(super) fn new(tables: &'a LogarithmTables, inside: Vec<u64>, rows: usize) -> Self {
        let count = bits::count(&inside);
        Self {
            tables,
            inside,
            population: SideCounts {
                inside: count,
                outside: rows - count,
            },
        }
    }

    /// Returns the maximum number of attributes in a term. Any few rows meet three of many
    /// conditions, but hardly a range and another condition.
    pub(super) fn length(&self) -> usize {
        match self.population.inside < FEW {
            true => pool::LENGTH - 1,
            false => pool::LENGTH,
        }
    }

    /// Returns true if a term may have these conditions.
    pub(super) fn allows(&self, literals: &[Literal], catalogue: &Catalogue<'_, '_>) -> bool {
        let attribute = |it: &Literal| catalogue.conditions[it.condition as usize].attribute;
        let is_new = |at: &usize| {
            let own = attribute(&literals[*at]);
            literals[..*at].iter().all(|it| attribute(it) != own)
        };
        literals.len() <= pool::LENGTH
            && (literals.len() <= self.length()
                || (0..literals.len()).filter(is_new).count() <= self.length())
    }

    pub(super) fn counts(&self, covered: &[u64]) -> SideCounts {
        let inside = bits::common(covered, &self.inside);
        SideCounts {
            inside,
            outside: bits::count(covered) - inside,
        }
    }

    /// Counts the rows in `rest`, or in `base` and `other` (or its complement, if `negated`).
    pub(super) fn counts_with(
        &self,
        rest: &[u64],
        base: &[u64],
        other: &[u64],
        negated: bool,
    ) -> SideCounts {
        let flip = if negated { u64::MAX } else { 0 };
        let (mut all, mut inside) = (0, 0);
        for (at, is_inside) in self.inside.iter().enumerate() {
            let covered = rest[at] | (base[at] & (other[at] ^ flip));
            all += covered.count_ones() as usize;
            inside += (covered & is_inside).count_ones() as usize;
        }
        SideCounts {
            inside,
            outside: all - inside,
        }
    }

    /// Returns the information of covering these rows, minus the cost of the description.
    pub(super) fn score(&self, covered: &[u64], cost: f64) -> f64 {
        self.tables
            .information(self.population, self.counts(covered))
            - cost
    }
}

/// Returns the best descriptions of both sides, the best first, which use different attributes
/// and have at most as many terms as in `counts`.
pub(super) fn search(
    catalogue: &mut Catalogue<'_, '_>,
    targets: [&Target<'_>; 2],
    counts: [usize; 2],
) -> [Vec<Description>; 2] {
    let [first, second] = targets;
    let [of_first, of_second] = pools(catalogue, targets);
    [
        describe(catalogue, first, of_first, counts[0]),
        describe(catalogue, second, of_second, counts[1]),
    ]
}

/// Learns sets of values, and returns the terms for both sides.
fn pools(catalogue: &mut Catalogue<'_, '_>, targets: [&Target<'_>; 2]) -> [TermPool; 2] {
    for target in targets {
        sets::learn(catalogue, target, None);
    }
    let mut pools = [TermPool::default(), TermPool::default()];
    pool::collect(catalogue, targets, &mut pools);
    pools
}

/// Returns the best terms for the rows of a target, without joining them.
pub(super) fn terms_of(catalogue: &mut Catalogue<'_, '_>, target: &Target<'_>) -> Vec<Term> {
    let nothing = with_terms(catalogue, target, Vec::new());
    pool::of_residual(catalogue, target, &nothing)
}

/// Returns the best terms for either side, without joining them, and each of their conditions.
pub(super) fn terms(catalogue: &mut Catalogue<'_, '_>, targets: [&Target<'_>; 2]) -> Vec<Term> {
    const KEPT: usize = 8;
    let pools = pools(catalogue, targets);
    let terms = pools.iter().flat_map(|pool| pool.terms(catalogue, KEPT));
    let mut terms: Vec<Term> = terms.filter(|term| term.literals.len() <= 2).collect();
    let literals: Vec<Literal> = terms.iter().flat_map(|it| it.literals.clone()).collect();
    for literal in literals {
        if terms.iter().all(|term| term.literals != [literal]) {
            terms.push(Term::new(vec![literal], catalogue));
        }
    }
    terms
}

fn describe(
    catalogue: &mut Catalogue<'_, '_>,
    target: &Target<'_>,
    pool: TermPool,
    count: usize,
) -> Vec<Description> {
    let mut terms = pool.best(catalogue);
    let mut found: Vec<Description> = terms
        .iter()
        .map(|term| joined(catalogue, target, None, term))
        .collect();
    best_first(&mut found);
    let mut beam: Vec<Description> = found.iter().take(WIDTH).cloned().collect();
    // Two terms that say little alone may say much together.
    let mut next: Vec<Description> = Vec::new();
    for (index, left) in terms.iter().enumerate().filter(|_| count > 1) {
        let first = joined(catalogue, target, None, left);
        for right in &terms[index + 1..] {
            offer(&mut next, target, &first, right, catalogue);
        }
    }
    for size in 2..=count {
        let residual = beam.iter().take(RESIDUALS);
        let more: Vec<Term> = residual
            .flat_map(|description| pool::of_residual(catalogue, target, description))
            .collect();
        // Of two terms of the pool, all pairs have been offered.
        let known = if size == 2 { terms.len() } else { 0 };
        terms.extend(more);
        for description in &beam {
            for term in &terms[known..] {
                offer(&mut next, target, description, term, catalogue);
            }
        }
        best_first(&mut next);
        beam = distinct(std::mem::take(&mut next), WIDTH);
        if beam.is_empty() {
            break;
        }
        found.extend(beam.iter().cloned());
    }
    best_first(&mut found);
    different(catalogue, found)
}

/// Keeps the first descriptions with different attributes.
fn different(catalogue: &Catalogue<'_, '_>, found: Vec<Description>) -> Vec<Description> {
    let mut finalists: Vec<Description> = Vec::new();
    for description in found {
        let is_other = |other: &Description| {
            attributes(catalogue, other) != attributes(catalogue, &description)
        };
        if finalists.len() < FINALISTS && finalists.iter().all(is_other) {
            finalists.push(description);
        }
    }
    finalists
}

/// Adds `description` or `term` to the descriptions to extend next, if it is good enough.
fn offer(
    next: &mut Vec<Description>,
    target: &Target<'_>,
    description: &Description,
    term: &Term,
    catalogue: &Catalogue<'_, '_>,
) {
    let terms = description.terms.iter().chain([term]);
    let cost = cost_in_any_order(terms.map(|term| term.cost));
    let mut covered = description.bits.clone();
    bits::add(&mut covered, &term.bits);
    let score = target.score(&covered, cost);
    if score <= 0.0 || covered == description.bits || covered == term.bits {
        return;
    }
    if next.len() >= 16 * WIDTH {
        best_first(next);
        next.truncate(8 * WIDTH);
    }
    if next.len() >= 8 * WIDTH && next[8 * WIDTH - 1].score >= score {
        return;
    }
    next.push(joined(catalogue, target, Some(description), term));
}

fn joined(
    catalogue: &Catalogue<'_, '_>,
    target: &Target<'_>,
    description: Option<&Description>,
    term: &Term,
) -> Description {
    let mut terms = description.map_or_else(Vec::new, |description| description.terms.clone());
    terms.push(term.clone());
    with_terms(catalogue, target, terms)
}

/// Creates the description with these terms.
pub(super) fn with_terms(
    catalogue: &Catalogue<'_, '_>,
    target: &Target<'_>,
    terms: Vec<Term>,
) -> Description {
    let bits = union(&terms, catalogue.words());
    let cost = cost_in_any_order(terms.iter().map(|term| term.cost));
    Description {
        score: target.score(&bits, cost),
        terms,
        cost,
        bits,
    }
}

/// Sorts by descending score; stable.
fn best_first(descriptions: &mut [Description]) {
    sort::by(descriptions, |left, right| {
        right.score.total_cmp(&left.score)
    });
}

/// Keeps the first descriptions that cover different rows.
fn distinct(descriptions: Vec<Description>, count: usize) -> Vec<Description> {
    let mut distinct: Vec<Description> = Vec::new();
    for description in descriptions {
        if distinct.len() < count && distinct.iter().all(|other| other.bits != description.bits) {
            distinct.push(description);
        }
    }
    distinct
}

fn attributes(catalogue: &Catalogue<'_, '_>, description: &Description) -> Vec<usize> {
    let literals = description.terms.iter().flat_map(|term| &term.literals);
    let attributes =
        literals.map(|literal| catalogue.conditions[literal.condition as usize].attribute);
    sort::distinct(attributes.collect())
}

/// Polishes a description in the catalogue and drops parts that may be chance.
pub(super) fn settle(
    catalogue: &Catalogue<'_, '_>,
    target: &Target<'_>,
    description: Description,
) -> Option<Description> {
    let polished = polish(catalogue, target, description);
    without_chance(catalogue, target, polished, Rigor::Strict)
}

/// Describes the other side's rows, if that is simpler: the negated conditions of one term become
/// terms of the complement, and vice versa.
pub(super) fn complement(
    catalogue: &Catalogue<'_, '_>,
    other: &Target<'_>,
    description: &Description,
) -> Option<Description> {
    let is_negatable =
        |literal: &Literal| catalogue.conditions[literal.condition as usize].has_negation;
    let literals: Vec<Literal> = description
        .terms
        .iter()
        .flat_map(|term| term.literals.iter().copied())
        .collect();
    if !literals.iter().all(is_negatable) {
        return None;
    }
    let negated = literals.iter().map(|literal| literal.negated());
    let terms = match description.terms.as_slice() {
        [_] if literals.len() <= other.length() => negated
            .map(|literal| Term::new(vec![literal], catalogue))
            .collect(),
        terms
            if terms.iter().all(|term| term.literals.len() == 1)
                && literals.len() <= other.length() =>
        {
            vec![Term::new(negated.collect(), catalogue)]
        }
        _ => return None,
    };
    without_chance(
        catalogue,
        other,
        with_terms(catalogue, other, terms),
        Rigor::Strict,
    )
}
