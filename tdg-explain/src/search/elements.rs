//! Conditions that one element of a row meets together.
//!
//! The element that makes a row fail isn't known, since its row has others. So a term is scored by
//! the rows with an element that meets it.

use tdg_definition::sort;

use super::super::catalogue::Catalogue;
use super::super::condition::Literal;
use super::super::score::SideCounts;
use super::super::{SIDES, Side, bits};
use super::description::{Term, cost_in_any_order};
use super::{Target, sets};

/// The number of terms, for each criterion, that are extended by another condition.
const WIDTH: usize = 6;
/// The maximum number of these with the same attributes.
const ALIKE: usize = 2;

/// The elements of a catalogue, by row.
pub(in super::super) struct ElementRows<'a> {
    /// The position of each element's row among all.
    pub(in super::super) rows: &'a [u32],
    /// The failing rows.
    pub(in super::super) failing: &'a Target<'a>,
}

/// A term, and its elements.
struct ExtendedTerm {
    literals: Vec<Literal>,
    elements: Vec<u64>,
    /// The information about all rows, minus the cost.
    score: f64,
    /// The information about only the covered rows, minus the cost.
    purity: f64,
}

/// Returns the best terms of each length.
pub(in super::super) fn terms_of_elements(
    catalogue: &mut Catalogue<'_, '_>,
    rows: &ElementRows<'_>,
) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    let mut beam = vec![ExtendedTerm {
        literals: Vec::new(),
        elements: bits::full(catalogue.rows.len()),
        score: 0.0,
        purity: 0.0,
    }];
    for _ in 0..rows.failing.length() {
        for base in &beam {
            for side in SIDES {
                sets::learn_by(catalogue, &|elements| {
                    let covered = rows.counts(&bits::both(&base.elements, elements));
                    rows.information(side, covered)[0]
                });
            }
        }
        let longer = beam.iter().flat_map(|base| rows.extended(catalogue, base));
        beam = best(catalogue, longer.collect());
        let terms = beam.iter().map(|it| it.literals.clone());
        found.extend(terms.map(|literals| Term::new(literals, catalogue)));
    }
    found
}

impl ElementRows<'_> {
    /// Returns the number of rows of each side with one of these elements.
    fn counts(&self, elements: &[u64]) -> SideCounts {
        let inside = &self.failing.inside;
        let (mut of_sides, mut last) = ([0, 0], None);
        for (word, bits) in elements.iter().enumerate() {
            let mut bits = *bits;
            while bits != 0 {
                let row = self.rows[64 * word + bits.trailing_zeros() as usize];
                bits &= bits - 1;
                // The elements of a row are next to each other.
                if last != Some(row) {
                    last = Some(row);
                    of_sides[(inside[row as usize / 64] >> (row % 64) & 1) as usize] += 1;
                }
            }
        }
        SideCounts {
            inside: of_sides[1],
            outside: of_sides[0],
        }
    }

    /// Returns the information of covering these rows about all rows, and about only the covered
    /// ones.
    fn information(&self, side: Side, covered: SideCounts) -> [f64; 2] {
        let population = self.failing.population;
        let (population, covered) = match side {
            Side::Failing => (population, covered),
            Side::Passing => (population.turned(), covered.turned()),
        };
        let tables = self.failing.tables;
        let is_more = covered.inside * population.all() > population.inside * covered.all();
        match is_more {
            true => [
                tables.information(population, covered),
                tables.purity(population, covered),
            ],
            false => [0.0, 0.0],
        }
    }

    /// Returns the most information that a part of the covered rows can have.
    fn most(&self, covered: SideCounts) -> [f64; 2] {
        let only = |inside, outside| SideCounts { inside, outside };
        let failing = self.information(Side::Failing, only(covered.inside, 0));
        let passing = self.information(Side::Passing, only(0, covered.outside));
        [0, 1].map(|at| f64::max(failing[at], passing[at]))
    }

    /// Returns the term with each further condition that makes it better.
    fn extended(&self, catalogue: &Catalogue<'_, '_>, base: &ExtendedTerm) -> Vec<ExtendedTerm> {
        let most = self.most(self.counts(&base.elements));
        let is_single = base.literals.is_empty();
        let mut longer = Vec::new();
        let mut elements = base.elements.clone();
        for at in 0..2 * catalogue.conditions.len() {
            let literal = Literal {
                condition: at as u32 / 2,
                is_negated: at % 2 == 1,
            };
            let literals = base.literals.iter().chain([&literal]);
            let cost = cost_in_any_order(literals.map(|it| catalogue.cost(*it)));
            let is_better = |[information, purity]: [f64; 2]| {
                // A single one may say more together with conditions of the row.
                is_single || information - cost > base.score || purity - cost > base.purity
            };
            let condition = &catalogue.conditions[literal.condition as usize];
            if (literal.is_negated && !condition.has_negation) || !is_better(most) {
                continue;
            }
            elements.copy_from_slice(&base.elements);
            bits::keep(
                &mut elements,
                catalogue.bits(literal.condition as usize),
                literal.is_negated,
            );
            let covered = self.counts(&elements);
            let of_sides = SIDES.map(|side| self.information(side, covered));
            let information = [0, 1].map(|at| f64::max(of_sides[0][at], of_sides[1][at]));
            if is_better(information) && elements != base.elements {
                longer.push(ExtendedTerm {
                    literals: [base.literals.as_slice(), &[literal]].concat(),
                    elements: elements.clone(),
                    score: information[0] - cost,
                    purity: information[1] - cost,
                });
            }
        }
        longer
    }
}

/// Selects the best terms by each criterion, with different elements and attributes.
fn best(catalogue: &Catalogue<'_, '_>, mut terms: Vec<ExtendedTerm>) -> Vec<ExtendedTerm> {
    let mut best: Vec<ExtendedTerm> = Vec::new();
    for criterion in [|it: &ExtendedTerm| it.score, |it: &ExtendedTerm| it.purity] {
        sort::by(&mut terms, |left, right| {
            criterion(right).total_cmp(&criterion(left))
        });
        let wanted = best.len() + WIDTH;
        let mut left = Vec::new();
        for term in terms {
            let alike = best
                .iter()
                .filter(|it| attributes(catalogue, it) == attributes(catalogue, &term));
            let is_new = best.iter().all(|it| it.elements != term.elements);
            match best.len() < wanted && is_new && alike.count() < ALIKE {
                true => best.push(term),
                false => left.push(term),
            }
        }
        terms = left;
    }
    best
}

fn attributes(catalogue: &Catalogue<'_, '_>, term: &ExtendedTerm) -> Vec<usize> {
    let literals = term.literals.iter();
    let mut attributes: Vec<usize> = literals
        .map(|literal| catalogue.conditions[literal.condition as usize].attribute)
        .collect();
    sort::by(&mut attributes, Ord::cmp);
    attributes
}
