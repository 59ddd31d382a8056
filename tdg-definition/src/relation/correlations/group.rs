//! Features connected by pairs, directly or through others.

use super::cholesky::{Cholesky, SharedVariance};
use super::{CorrelatedPair, DrawnRows, PairPlaces, Supplied};
use crate::checkpoint;
use crate::math::normal;
use crate::relation::Declared;
use crate::scalar::Monotonicity;
use crate::sort;

/// The most features in a group.
const LARGEST: usize = 100;

/// Correlated features.
///
/// Let `L` be the Cholesky factor of their correlations, in the order of the definition, and `z`
/// the standard normal values of their words. Feature i then draws its values from the words for
/// the probabilities that normal variables stay below `(L z)ᵢ` (R. B. Nelsen, *An Introduction to
/// Copulas*, 2006, section 2.3). Each feature keeps its distribution, and the first one its words.
/// If values fall as words rise, `-z` replaces `z`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CorrelatedGroup {
    members: Vec<Member>,
    factor: Cholesky,
}

#[derive(Clone, Debug, PartialEq)]
struct Member {
    /// The feature's position in the definition.
    position: usize,
    is_falling: bool,
}

impl CorrelatedGroup {
    /// Creates a group of the features at these positions, correlated by the pairs.
    ///
    /// # Errors
    /// The place of the first pair that makes that impossible, and the reason.
    pub(super) fn new(
        positions: Vec<usize>,
        pairs: &[CorrelatedPair],
        places: &PairPlaces,
        features: &Declared<'_>,
    ) -> Result<Self, (usize, String)> {
        let matrix = Matrix {
            positions: &positions,
            pairs,
            places,
            features,
        };
        let factor = matrix.factor()?;
        let member = |position| Member {
            position,
            is_falling: features.direction(position) == Some(Monotonicity::Falling),
        };
        let members = positions.into_iter().map(member).collect();
        Ok(Self { members, factor })
    }

    pub(super) fn has(&self, position: usize) -> bool {
        let mut members = self.members.iter();
        members.any(|member| member.position == position)
    }

    /// The work per row.
    pub(super) fn work(&self) -> u64 {
        let members = self.members.len() as u64;
        members * members + 300 * members
    }

    pub(super) fn supply(&self, rows: &DrawnRows<'_>, supplied: &mut Supplied) {
        let scores: Vec<Vec<f64>> = self
            .members
            .iter()
            .map(|member| member.scores(rows))
            .collect();
        if let Some(first) = self.members.first() {
            // For features that would otherwise be drawn by rejection rather than from the word
            // that the others use.
            supplied.set(first.position, rows.own_words(first.position));
        }
        for (member, row) in self.members.iter().zip(self.factor.rows()).skip(1) {
            checkpoint();
            let mut sums = vec![0.0; rows.count()];
            for (scores, factor) in scores.iter().zip(row) {
                add(&mut sums, *factor, scores);
            }
            supplied.set(member.position, member.words(&sums));
        }
    }
}

/// Adds a multiple of some numbers to others.
fn add(sums: &mut [f64], factor: f64, numbers: &[f64]) {
    // Indexed, because iterators are slow in unoptimized builds.
    let mut i = 0;
    while i < numbers.len() {
        sums[i] += factor * numbers[i];
        i += 1;
    }
}

impl Member {
    /// The standard normal values of its words, larger for larger values.
    fn scores(&self, rows: &DrawnRows<'_>) -> Vec<f64> {
        let mut scores = vec![0.0; rows.count()];
        normal::fill(&rows.own_words(self.position), &mut scores);
        if self.is_falling {
            for score in &mut scores {
                *score = -*score;
            }
        }
        scores
    }

    /// Converts such values back to words.
    fn words(&self, scores: &[f64]) -> Vec<u64> {
        let mut words = Vec::with_capacity(scores.len());
        for &score in scores {
            words.push(normal::word(if self.is_falling { -score } else { score }));
        }
        words
    }
}

/// The correlations between some features.
struct Matrix<'a> {
    positions: &'a [usize],
    pairs: &'a [CorrelatedPair],
    places: &'a PairPlaces,
    features: &'a Declared<'a>,
}

impl Matrix<'_> {
    fn factor(&self) -> Result<Cholesky, (usize, String)> {
        let mut factor = Cholesky::default();
        for index in 0..self.positions.len() {
            let before: Vec<usize> = (0..index).collect();
            if index == LARGEST || factor.push(&self.row(index, &before)).is_none() {
                return Err(self.problem(index));
            }
        }
        Ok(factor)
    }

    /// The correlations of one feature with others, all given by their index in the matrix.
    fn row(&self, index: usize, others: &[usize]) -> Vec<f64> {
        let correlation = |&other: &usize| {
            let found = self.pair(index, other);
            found.map_or(0.0, |pair| self.pairs[pair].correlation)
        };
        others.iter().map(correlation).collect()
    }

    /// The place of the pair in the list, if it's listed.
    fn pair(&self, index: usize, other: usize) -> Option<usize> {
        let mut wanted = [self.positions[index], self.positions[other]];
        sort::by(&mut wanted, Ord::cmp);
        self.places.get(&wanted).copied()
    }

    /// The fault in the correlations of the feature at `index` with the features before it, whose
    /// own correlations are possible.
    fn problem(&self, index: usize) -> (usize, String) {
        let before = |other: &usize| self.pair(index, *other);
        let mut named: Vec<(usize, usize)> = (0..index)
            .filter_map(|other| Some((before(&other)?, other)))
            .collect();
        sort::by(&mut named, Ord::cmp);
        let last = named.last().map_or(0, |(pair, _)| *pair);
        if index == LARGEST {
            let message = format!("connects more than {LARGEST} features");
            return (last, message);
        }
        let name = |index: usize| self.features.name(self.positions[index]);
        for &(pair, other) in named.iter().rev() {
            if let Some((low, high)) = self.range(index, other) {
                let message = format!(
                    "is impossible with the other correlations (0 for unlisted pairs); for `{}` \
                     and `{}` it can be from {} to {}",
                    name(other),
                    name(index),
                    inwards(low, 1.0),
                    inwards(high, -1.0),
                );
                return (pair, message);
            }
        }
        let others: Vec<String> = (0..index)
            .map(|other| format!("`{}`", name(other)))
            .collect();
        let message = format!(
            "is impossible, like other correlations of `{}`, given the ones between {}; bring all \
             of them closer to 0",
            name(index),
            others.join(", "),
        );
        (last, message)
    }

    /// The range of possible correlations between the features at `index` and `other`, given those
    /// of `index` with all other earlier features.
    fn range(&self, index: usize, other: usize) -> Option<(f64, f64)> {
        let mut rest: Vec<usize> = Vec::with_capacity(index);
        let mut factor = Cholesky::default();
        for further in (0..index).filter(|&further| further != other) {
            factor.push(&self.row(further, &rest))?;
            rest.push(further);
        }
        let here: SharedVariance = factor.shared(&self.row(index, &rest))?;
        let there = factor.shared(&self.row(other, &rest))?;
        let centre: f64 = here.row.iter().zip(&there.row).map(|(x, y)| x * y).sum();
        let reach = (here.own * there.own).sqrt();
        Some((centre - reach, centre + reach))
    }
}

/// Rounds to three digits, towards the inside of a range: in `direction`.
fn inwards(number: f64, direction: f64) -> f64 {
    // The cast truncates.
    let cut = (number * 1e3) as i64 as f64;
    let rounded = if (cut - number * 1e3) * direction < 0.0 {
        cut + direction
    } else {
        cut
    };
    rounded / 1e3
}
