//! Drops conditions and terms that may be chance.

use std::collections::BTreeMap;

use tdg_definition::math::ln;

use super::super::bits;
use super::super::catalogue::Catalogue;
use super::super::condition::Literal;
use super::super::score::{SideCounts, stratified_surprise};
use super::description::{Description, Term, others, union, without};
use super::{Target, with_terms};

/// The probability of a false positive.
const ALPHA: f64 = 0.01;
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
            let lengths = lengths(catalogue, *literal);
            let is_alone = term.literals.len() == 1;
            if is_alone && lengths.is_none() {
                continue;
            }
            let mut rows = Term::new(without(&term.literals, place), catalogue).bits;
            bits::keep(&mut rows, &left, false);
            let among_all = match is_alone {
                true => f64::INFINITY,
                false => excess(target, &rows, &term.bits, catalogue.cost(*literal), rigor),
            };
            let within_lengths = lengths.map_or(f64::INFINITY, |lengths| {
                within_lengths(catalogue, target, *literal, lengths, &rows) + rigor.of_part()
            });
            offer(Weak {
                term: at,
                literal: Some(place),
                excess: among_all.min(within_lengths),
            });
        }
    }
    weakest
}

/// Returns how much the share of explained rows in `covered`, among `rows`, exceeds chance.
fn excess(target: &Target<'_>, rows: &[u64], covered: &[u64], cost: f64, rigor: Rigor) -> f64 {
    let (population, covered) = (target.counts(rows), within(target, rows, covered));
    match covered.inside < rigor.rows() {
        true => f64::NEG_INFINITY,
        false => target.tables.surprise(population, covered) - cost + rigor.of_part(),
    }
}

/// For conditions on contents of lists, returns the length of each row's list.
fn lengths<'c>(catalogue: &'c Catalogue<'_, '_>, literal: Literal) -> Option<&'c [u32]> {
    let condition = &catalogue.conditions[literal.condition as usize];
    catalogue.attributes[condition.attribute].lengths.as_deref()
}

/// Returns the surprise of a condition on contents of lists, comparing only lists of the same
/// length: longer ones contain more, so their length may be the actual cause.
fn within_lengths(
    catalogue: &Catalogue<'_, '_>,
    target: &Target<'_>,
    literal: Literal,
    lengths: &[u32],
    rows: &[u64],
) -> f64 {
    let mut strata: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (row, at) in catalogue.rows.iter().zip(0..) {
        let length = lengths[*row as usize];
        strata.entry(length).or_default().push(at);
    }
    let counts = strata.into_values().map(|of_length| {
        let mut all = bits::from_rows(of_length, catalogue.words());
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

fn within(target: &Target<'_>, rows: &[u64], covered: &[u64]) -> SideCounts {
    let mut both = rows.to_vec();
    bits::keep(&mut both, covered, false);
    target.counts(&both)
}
