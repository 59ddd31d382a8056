//! The transfer of descriptions to another catalogue, which has other thresholds or rows.

use super::super::catalogue::Catalogue;
use super::{Description, Target, Term, with_terms};

/// Returns the attributes in the conditions of some descriptions.
pub(in super::super) fn attributes_in_use<'d>(
    found: impl IntoIterator<Item = &'d Description>,
    catalogue: &Catalogue<'_, '_>,
) -> Vec<usize> {
    let terms = found.into_iter().flat_map(|found| &found.terms);
    let literals = terms.flat_map(|term| &term.literals);
    literals
        .map(|literal| catalogue.conditions[literal.condition as usize].attribute)
        .collect()
}

/// Translates a description to the conditions of another catalogue.
pub(in super::super) fn carried_over<'t>(
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
    with_terms(to, target, terms)
}
