//! Improves a description step by step.

use super::super::bits;
use super::super::catalogue::Catalogue;
use super::super::condition::Literal;
use super::description::{Description, Term, cost_of_term, cost_of_terms, union};
use super::pool::LENGTH;
use super::{Target, with_terms};

/// The maximum number of changes.
const STEPS: usize = 12;

/// Changes one condition at a time (drops, replaces or adds it), or drops a term, whatever brings
/// most, until nothing brings more.
pub(super) fn polish(
    catalogue: &Catalogue<'_, '_>,
    target: &Target<'_>,
    description: Description,
) -> Description {
    let mut best = description;
    for _ in 0..STEPS {
        match best_change(catalogue, target, &best) {
            Some(better) => best = better,
            None => break,
        }
    }
    best
}

fn best_change(
    catalogue: &Catalogue<'_, '_>,
    target: &Target<'_>,
    description: &Description,
) -> Option<Description> {
    let mut best: Option<(f64, usize, Option<Vec<Literal>>)> = None;
    let mut offer = |score: f64, term: usize, literals: &dyn Fn() -> Option<Vec<Literal>>| {
        let bar = best
            .as_ref()
            .map_or(description.score + 1e-9, |(score, ..)| *score);
        if score > bar {
            best = Some((score, term, literals()));
        }
    };
    for (at, term) in description.terms.iter().enumerate() {
        let others: Vec<&Term> = others(&description.terms, at).collect();
        let rest = union(others.iter().copied(), catalogue.words());
        let cost_with = |cost: f64| {
            let changed = Term {
                literals: Vec::new(),
                cost,
                bits: Vec::new(),
            };
            cost_of_terms(others.iter().copied().chain([&changed]))
        };
        if !others.is_empty() {
            let cost = cost_of_terms(others.iter().copied());
            offer(target.score(&rest, cost), at, &|| None);
        }
        // Without one literal, and then with any other in its place; or with one more.
        let places = (0..term.literals.len()).map(Some);
        let more = (term.literals.len() < LENGTH).then_some(None);
        for place in places.chain(more) {
            let kept: Vec<Literal> = match place {
                Some(place) => others_of(&term.literals, place),
                None => term.literals.clone(),
            };
            let base = Term::new(kept, catalogue);
            if place.is_some() && !base.literals.is_empty() {
                let mut covered = rest.clone();
                bits::add(&mut covered, &base.bits);
                offer(target.score(&covered, cost_with(base.cost)), at, &|| {
                    Some(base.literals.clone())
                });
            }
            let costs: Vec<f64> = base
                .literals
                .iter()
                .map(|literal| catalogue.cost(*literal))
                .collect();
            for (index, condition) in catalogue.conditions.iter().enumerate() {
                for is_negated in [false, true] {
                    if is_negated && !condition.has_negation {
                        continue;
                    }
                    let literal = Literal {
                        condition: index as u32,
                        is_negated,
                    };
                    let cost = cost_with(cost_of_term(
                        costs.iter().copied().chain([catalogue.cost(literal)]),
                    ));
                    let covered =
                        target.counts_with(&rest, &base.bits, catalogue.bits(index), is_negated);
                    let score = target.tables.information(target.population, covered) - cost;
                    offer(score, at, &|| {
                        let mut literals = base.literals.clone();
                        literals.push(literal);
                        Some(literals)
                    });
                }
            }
        }
    }
    let (_, at, literals) = best?;
    let mut terms: Vec<Term> = others(&description.terms, at).cloned().collect();
    if let Some(literals) = literals {
        terms.insert(at, Term::new(literals, catalogue));
    }
    Some(with_terms(catalogue, target, terms))
}

fn others(terms: &[Term], at: usize) -> impl Iterator<Item = &Term> {
    terms
        .iter()
        .enumerate()
        .filter(move |(other, _)| *other != at)
        .map(|(_, term)| term)
}

fn others_of(literals: &[Literal], place: usize) -> Vec<Literal> {
    let mut kept = literals.to_vec();
    kept.remove(place);
    kept
}
