//! The other end of a range, if it is a number in the code.

use tdg_definition::math::ln;

use super::super::catalogue::Catalogue;
use super::super::condition::Literal;
use super::super::score::SideCounts;
use super::chance::ALPHA;
use super::description::{Description, Term};
use super::{Target, with_terms};

/// Adds limits to the attributes of limits, if they exclude all exceptions of a term.
///
/// A few exceptions say little about another limit, so the search doesn't find it. But it is
/// unlikely to be chance if all of them are past the explained rows, and one of few numbers in
/// the code is right between: such a limit costs nothing.
pub(in super::super) fn with_range_ends(
    catalogue: &Catalogue<'_, '_>,
    target: &Target<'_>,
    description: Description,
) -> Description {
    let cost = description.cost;
    let terms = description.terms.into_iter();
    let terms = terms.map(|term| with_range_end(catalogue, target, &term).unwrap_or(term));
    let closed = with_terms(catalogue, target, terms.collect());
    Description {
        score: target.score(&closed.bits, cost),
        cost,
        ..closed
    }
}

fn with_range_end(catalogue: &Catalogue<'_, '_>, target: &Target<'_>, term: &Term) -> Option<Term> {
    let exact = SideCounts {
        outside: 0,
        ..target.counts(&term.bits)
    };
    let has_room = term.literals.len() < target.length();
    if !has_room || exact == target.counts(&term.bits) {
        return None;
    }
    let surprise = target.tables.surprise(target.counts(&term.bits), exact);
    let limits = term
        .literals
        .iter()
        .map(|it| &catalogue.conditions[it.condition as usize]);
    let mut limits = limits.filter(|it| it.question.limit().is_some());
    limits.find_map(|limit| {
        let (ends, evidence) = ends_in_code(catalogue, limit.attribute);
        let with =
            |end: &Literal| Term::new([term.literals.as_slice(), &[*end]].concat(), catalogue);
        let mut longer = ends
            .iter()
            .map(with)
            .filter(|it| target.counts(&it.bits) == exact);
        longer.next().filter(|_| surprise + evidence >= -ln(ALPHA))
    })
}

/// Returns the limits of an attribute that are numbers in the code, and how few of all they are, in
/// nats.
fn ends_in_code(catalogue: &Catalogue<'_, '_>, attribute: usize) -> (Vec<Literal>, f64) {
    let mut ends = Vec::new();
    let (mut all, mut in_code) = (0, 0);
    for (condition, at) in catalogue.conditions.iter().zip(0..) {
        let Some(limit) = condition
            .question
            .limit()
            .filter(|_| condition.attribute == attribute)
        else {
            continue;
        };
        all += 1;
        if catalogue.constants.binary_search(&limit.into()).is_ok() {
            in_code += 1;
            let sides = [false, true]
                .into_iter()
                .filter(|it| !it || condition.has_negation);
            ends.extend(sides.map(|is_negated| Literal {
                condition: at,
                is_negated,
            }));
        }
    }
    let evidence = ln(f64::from(all) / f64::from(in_code.max(1)));
    (ends, evidence)
}
