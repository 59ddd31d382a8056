//! Improves a description step by step.

use super::super::bits;
use super::super::catalogue::Catalogue;
use super::super::condition::Literal;
use super::description::{Description, Term, cost_in_any_order, others, union, without};
use super::pool::LENGTH;
use super::{Target, with_terms};

/// The maximum number of changes.
const STEPS: usize = 12;

/// Changes one condition at a time (drops, replaces or adds it), or drops a term. Always makes the
/// best change, until none improves the score.
pub(in super::super) fn polish(
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
    let mut bar = description.score + 1e-9;
    let mut best: Option<(usize, Vec<Literal>)> = None;
    let mut offer = |score: f64, term: usize, literals: Vec<Literal>| {
        if score > bar {
            bar = score;
            best = Some((term, literals));
        }
    };
    for (at, term) in description.terms.iter().enumerate() {
        let others: Vec<&Term> = others(&description.terms, at).collect();
        let rest = union(others.iter().copied(), catalogue.words());
        let cost_with =
            |cost: Option<f64>| cost_in_any_order(others.iter().map(|term| term.cost).chain(cost));
        if !others.is_empty() {
            offer(target.score(&rest, cost_with(None)), at, Vec::new());
        }
        // Tries to drop one literal, and then to add any other in its place, or to add one more.
        let length = term.literals.len();
        let shorter = (0..length).map(|place| without(&term.literals, place));
        let whole = (length < LENGTH).then(|| term.literals.clone());
        for literals in shorter.chain(whole) {
            let base = Term::new(literals, catalogue);
            if !base.literals.is_empty() && base.literals.len() < length {
                let mut covered = rest.clone();
                bits::add(&mut covered, &base.bits);
                let score = target.score(&covered, cost_with(Some(base.cost)));
                offer(score, at, base.literals.clone());
            }
            if let Some((score, literal)) =
                best_addition(catalogue, target, &rest, &base, cost_with)
            {
                offer(score, at, [base.literals, vec![literal]].concat());
            }
        }
    }
    let (at, literals) = best?;
    let mut terms: Vec<Term> = others(&description.terms, at).cloned().collect();
    if !literals.is_empty() {
        terms.insert(at, Term::new(literals, catalogue));
    }
    Some(with_terms(catalogue, target, terms))
}

/// Returns the best literal to add to a term, with the resulting score of the description. The
/// other terms cover `rest`, and `cost_with` adds their cost to the term's.
fn best_addition(
    catalogue: &Catalogue<'_, '_>,
    target: &Target<'_>,
    rest: &[u64],
    base: &Term,
    cost_with: impl Fn(Option<f64>) -> f64,
) -> Option<(f64, Literal)> {
    let costs: Vec<f64> = base.literals.iter().map(|it| catalogue.cost(*it)).collect();
    let is_full = base.literals.len() >= target.length();
    let mut best: Option<(f64, Literal)> = None;
    for (index, condition) in catalogue.conditions.iter().enumerate() {
        for is_negated in [false, true] {
            if is_negated && !condition.has_negation {
                continue;
            }
            let literal = Literal {
                condition: index as u32,
                is_negated,
            };
            if is_full && !target.allows(&[&*base.literals, &[literal]].concat(), catalogue) {
                continue;
            }
            let with = costs.iter().copied().chain([catalogue.cost(literal)]);
            let cost = cost_with(Some(cost_in_any_order(with)));
            let covered = target.counts_with(rest, &base.bits, catalogue.bits(index), is_negated);
            let score = target.tables.information(target.population, covered) - cost;
            if best.is_none_or(|(best, _)| score > best) {
                best = Some((score, literal));
            }
        }
    }
    best
}
