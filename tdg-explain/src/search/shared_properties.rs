//! The properties that all rows of a side share.

use super::super::catalogue::Catalogue;
use super::super::condition::Literal;
use super::description::Term;
use super::{Rigor, Target, with_terms, without_chance};

/// More conditions would be hard to read.
const LENGTH: usize = 2;

/// Returns conditions that all rows of the target meet and others seldom do.
///
/// They are necessary, but may not be sufficient. `None` if they may be chance.
pub(in super::super) fn shared(
    catalogue: &Catalogue<'_, '_>,
    target: &Target<'_>,
    rigor: Rigor,
) -> Option<Term> {
    let mut best = with_terms(catalogue, target, vec![Term::new(Vec::new(), catalogue)]);
    for _ in 0..LENGTH {
        let literals = best.terms[0].literals.clone();
        let longer = common(catalogue, target).map(|literal| {
            let term = Term::new([literals.as_slice(), &[literal]].concat(), catalogue);
            with_terms(catalogue, target, vec![term])
        });
        let longer = longer.max_by(|left, right| left.score.total_cmp(&right.score));
        match longer {
            Some(longer) if longer.score > best.score => best = longer,
            _ => break,
        }
    }
    without_chance(catalogue, target, best, rigor)?.terms.pop()
}

/// Returns the conditions, or their negations, that all rows of the target meet.
fn common(catalogue: &Catalogue<'_, '_>, target: &Target<'_>) -> impl Iterator<Item = Literal> {
    let all = target.population.inside;
    (0..catalogue.conditions.len()).filter_map(move |at| {
        let inside = target.counts(catalogue.bits(at)).inside;
        let is_negated = inside == 0;
        let is_met = !is_negated || catalogue.conditions[at].has_negation;
        (is_met && (is_negated || inside == all)).then_some(Literal {
            condition: at as u32,
            is_negated,
        })
    })
}
