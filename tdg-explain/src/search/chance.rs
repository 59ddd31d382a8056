//! Drops conditions and terms that may be chance.

use std::collections::BTreeMap;

use tdg_definition::math::ln;

use super::super::bits;
use super::super::catalogue::Catalogue;
use super::super::condition::Literal;
use super::super::score::stratified_surprise;
use super::description::{Description, Term, others, union, without};
use super::{Target, with_terms};

/// The probability of a false positive.
pub(super) const ALPHA: f64 = 0.01;
/// The same for a rule that is hedged.
const LENIENT: f64 = 0.2;
/// The minimum number of explained rows that a term must cover.
const ROWS: usize = 3;
/// With fewer explained rows, what they share need not be unlikely to be chance.
const FEW: usize = 4;

/// The rigor of the test of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Rigor {
    /// Every part must be unlikely to be chance.
    Strict,
    /// Every part must be less likely by chance than to be the cause.
    Lenient,
}

impl Rigor {
    /// Returns the rigor for the property that this many rows share.
    pub(in super::super) fn of(rows: usize) -> Self {
        match rows < FEW {
            true => Self::Lenient,
            false => Self::Strict,
        }
    }

    /// Returns the correction for a whole description, in nats.
    fn of_whole(self) -> f64 {
        ln(match self {
            Self::Strict => ALPHA,
            Self::Lenient => LENIENT,
        })
    }

    /// Returns the correction for a part of it.
    fn of_part(self) -> f64 {
        match self {
            Self::Strict => ln(ALPHA),
            Self::Lenient => 0.0,
        }
    }

    /// Returns the number of explained rows that a term must cover.
    fn rows(self) -> usize {
        match self {
            Self::Strict => ROWS,
            Self::Lenient => 1,
        }
    }
}

/// Drops the conditions and terms that may be chance, the least likely ones first; `None` if
/// nothing is left.
///
/// Each term is tested among the rows that the others leave, each condition among the rows that its
/// term would cover without it, and the whole among all rows, by Fisher's exact test. The tested
/// descriptions were chosen from many. The prior probability of a description bounds their number,
/// so its logarithm is the correction.
pub(in super::super) fn without_chance(
    catalogue: &Catalogue<'_, '_>,
    target: &Target<'_>,
    mut description: Description,
    rigor: Rigor,
) -> Option<Description> {
    loop {
        match weakest(catalogue, target, &description, rigor) {
            None => break,
            Some(weak) => {
                let mut terms = description.terms;
                match weak.literal {
                    Some(literal) if terms[weak.term].literals.len() > 1 => {
                        let literals = without(&terms[weak.term].literals, literal);
                        terms[weak.term] = Term::new(literals, catalogue);
                    }
                    _ => {
                        terms.remove(weak.term);
                    }
                }
                if terms.is_empty() {
                    return None;
                }
                description = with_terms(catalogue, target, terms);
            }
        }
    }
    let covered = target.counts(&description.bits);
    let surprise = target.tables.surprise(target.population, covered);
    let is_more =
        covered.inside * target.population.all() > target.population.inside * covered.all();
    (is_more && surprise >= description.cost - rigor.of_whole()).then_some(description)
}

struct Weak {
    term: usize,
    /// A condition of the term; `None` for the whole term.
    literal: Option<usize>,
    excess: f64,
}

/// Returns the condition or term that is most likely chance, if any may be.
fn weakest(
    catalogue: &Catalogue<'_, '_>,
    target: &Target<'_>,
    description: &Description,
    rigor: Rigor,
) -> Option<Weak> {
    let mut weakest: Option<Weak> = None;
    let mut offer = |weak: Weak| {
        if weak.excess < 0.0
            && weakest
                .as_ref()
                .is_none_or(|least| weak.excess < least.excess)
        {
            weakest = Some(weak);
        }
    };
    for (at, term) in description.terms.iter().enumerate() {
        let mut left = bits::full(catalogue.rows.len());
        let others = union(others(&description.terms, at), catalogue.words());
        bits::keep(&mut left, &others, true);
        offer(Weak {
            term: at,
            literal: None,
            excess: excess(target, &left, &term.bits, term.cost, rigor),
        });
        for (place, literal) in term.literals.iter().enumerate() {
            let strata = strata(catalogue, *literal);
            let is_alone = term.literals.len() == 1;
            if is_alone && strata.is_none() {
                continue;
            }
            let mut rows = Term::new(without(&term.literals, place), catalogue).bits;
            bits::keep(&mut rows, &left, false);
            let among_all = match is_alone {
                true => f64::INFINITY,
                false => excess(target, &rows, &term.bits, catalogue.cost(*literal), rigor),
            };
            let within_strata = strata.map_or(f64::INFINITY, |strata| {
                within_strata(catalogue, target, *literal, &strata, &rows) + rigor.of_part()
            });
            offer(Weak {
                term: at,
                literal: Some(place),
                excess: among_all.min(within_strata),
            });
        }
    }
    weakest
}

/// Returns how much the share of explained rows in `covered`, among `rows`, exceeds chance.
fn excess(target: &Target<'_>, rows: &[u64], covered: &[u64], cost: f64, rigor: Rigor) -> f64 {
    let covered = target.counts(&bits::both(rows, covered));
    let population = target.counts(rows);
    match covered.inside < rigor.rows() {
        true => f64::NEG_INFINITY,
        false => target.tables.surprise(population, covered) - cost + rigor.of_part(),
    }
}

/// Returns a number for each row, if a condition must hold among rows with the same one: the length
/// of a list for conditions on its contents, since longer lists contain more, or 0 for the rows
/// without a derived property.
fn strata(catalogue: &Catalogue<'_, '_>, literal: Literal) -> Option<Vec<u32>> {
    let condition = &catalogue.conditions[literal.condition as usize];
    let attribute = &catalogue.attributes[condition.attribute];
    let rows = catalogue.rows.iter().map(|row| *row as usize);
    match &attribute.lengths {
        Some(lengths) => Some(rows.map(|row| lengths[row]).collect()),
        None if condition.has_negation || attribute.family == 0 => None,
        None => Some(rows.map(|row| u32::from(attribute.has(row))).collect()),
    }
}

/// Returns the surprise of a condition among rows of the same stratum.
fn within_strata(
    catalogue: &Catalogue<'_, '_>,
    target: &Target<'_>,
    literal: Literal,
    strata: &[u32],
    rows: &[u64],
) -> f64 {
    let mut of_strata: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (stratum, at) in strata.iter().zip(0..) {
        of_strata.entry(*stratum).or_default().push(at);
    }
    let counts = of_strata.into_values().map(|of_stratum| {
        let mut all = bits::from_rows(of_stratum, catalogue.words());
        bits::keep(&mut all, rows, false);
        let population = target.counts(&all);
        bits::keep(
            &mut all,
            catalogue.bits(literal.condition as usize),
            literal.is_negated,
        );
        (population, target.counts(&all))
    });
    stratified_surprise(counts)
}
