//! Selects the correlations that the definition includes.

use crate::document::Json;
use crate::feature::FittedFeature;
use crate::scores::{Scores, scores};

/// The maximum number of features that can be correlated with each other.
const LARGEST: usize = 100;
/// The number of standard errors below which a correlation may be due to chance.
const ERRORS: f64 = 4.0;
/// The strongest correlation to include. At 1, one feature would be computed from the other.
const STRONGEST: f64 = 0.999;

/// Two features, by position, and their correlation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Correlation {
    pub(crate) features: [usize; 2],
    pub(crate) correlation: f64,
}

/// The correlations between the columns of a table.
pub(crate) struct Estimates {
    /// The scores per column, or `None` if its values have no order.
    scores: Vec<Option<Scores>>,
    /// The pairs that are strong enough, strongest first.
    strong: Vec<Correlation>,
}

impl Estimates {
    /// Estimates the correlations. `numbers` has the values of each column, or `None` if they have
    /// no order. Correlations weaker than `strength` are ignored.
    pub(crate) fn new(numbers: &[Option<Vec<f64>>], strength: f64) -> Self {
        let ordered: Vec<Vec<f64>> = numbers.iter().flatten().cloned().collect();
        let mut found = scores(&ordered).into_iter();
        let scores = numbers
            .iter()
            .map(|column| column.as_ref().and_then(|_| found.next()))
            .collect();
        let mut estimates = Self {
            scores,
            strong: Vec::new(),
        };
        for other in 0..numbers.len() {
            for one in 0..other {
                let (correlation, error) = estimates.latent(one, other);
                if strength < 1.0 && correlation.abs() >= strength.max(ERRORS * error) {
                    let features = [one, other];
                    estimates.strong.push(Correlation {
                        features,
                        correlation,
                    });
                }
            }
        }
        let strength = |pair: &Correlation| pair.correlation.abs();
        let strong = &mut estimates.strong;
        strong.sort_by(|one, other| strength(other).total_cmp(&strength(one)));
        estimates
    }

    /// Returns true if a column has a correlation that is strong enough.
    pub(crate) fn is_correlated(&self, position: usize) -> bool {
        self.strong
            .iter()
            .any(|pair| pair.features.contains(&position))
    }

    /// Returns the correlations to include: strong ones between features that can be correlated,
    /// and all others within the groups that these connect, since an omitted one would be 0.
    pub(crate) fn included(
        &self,
        features: &[FittedFeature],
        notes: &mut Vec<String>,
    ) -> Vec<Correlation> {
        let can = |pair: &&Correlation| pair.features.iter().all(|&it| features[it].can_correlate);
        let strong: Vec<Correlation> = self.strong.iter().filter(can).copied().collect();
        let mut pairs = Vec::new();
        for group in groups(features.len(), &strong, notes) {
            let correlation = |one: usize, other: usize| {
                if one == other {
                    1.0
                } else {
                    self.latent(one, other).0
                }
            };
            let line = |&one: &usize| group.iter().map(|&other| correlation(one, other)).collect();
            let mut matrix: Vec<Vec<f64>> = group.iter().map(line).collect();
            let shrunk = shrink(&mut matrix);
            if shrunk > 0.0 {
                notes.push(format!(
                    "the correlations of {} features are reduced by {:.1} %, so that they are possible together",
                    group.len(),
                    shrunk * 100.0
                ));
            }
            for (row, &other) in group.iter().enumerate() {
                for (column, &one) in group[..row].iter().enumerate() {
                    pairs.push(Correlation {
                        features: [one, other],
                        correlation: matrix[row][column],
                    });
                }
            }
        }
        pairs.retain(|pair| pair.correlation != 0.0);
        pairs
    }

    /// Returns the correlation of the normal variables behind two columns, with its standard error.
    ///
    /// Equal values weaken it. To first order, the correlation of the scores is the correlation of
    /// the variables multiplied by both spreads.
    fn latent(&self, one: usize, other: usize) -> (f64, f64) {
        let (Some(one), Some(other)) = (&self.scores[one], &self.scores[other]) else {
            return (0.0, f64::INFINITY);
        };
        let (correlation, count) = one.correlation(other);
        let spread = (one.spread * other.spread).max(0.1);
        let correlation = (correlation / spread).clamp(-STRONGEST, STRONGEST);
        (correlation, 1.0 / (spread * count.max(1.0).sqrt()))
    }
}

/// Returns the correlations as written in the definition.
pub(crate) fn json(pairs: &[Correlation], features: &[FittedFeature]) -> Json {
    let name = |position: &usize| Json::string(&features[*position].name);
    let pair = |pair: &Correlation| {
        Json::Object(vec![
            (
                "features",
                Json::Array(pair.features.iter().map(name).collect()),
            ),
            ("correlation", Json::number(pair.correlation)),
        ])
    };
    Json::Array(pairs.iter().map(pair).collect())
}

/// Groups the features that pairs connect, taking the strongest pairs first. Each group is sorted.
fn groups(count: usize, strong: &[Correlation], notes: &mut Vec<String>) -> Vec<Vec<usize>> {
    let mut group_of: Vec<usize> = (0..count).collect();
    let mut groups: Vec<Vec<usize>> = (0..count).map(|index| vec![index]).collect();
    let mut dropped = 0;
    for pair in strong {
        let [one, other] = pair.features.map(|index| group_of[index]);
        if one == other {
            continue;
        }
        if groups[one].len() + groups[other].len() > LARGEST {
            dropped += 1;
            continue;
        }
        let moved = std::mem::take(&mut groups[other]);
        for &index in &moved {
            group_of[index] = one;
        }
        groups[one].extend(moved);
    }
    if dropped > 0 {
        notes.push(format!(
            "{dropped} weaker correlations are left out, since they would connect more than {LARGEST} features"
        ));
    }
    groups.retain(|group| group.len() > 1);
    for group in &mut groups {
        group.sort_unstable();
    }
    groups.sort_unstable();
    groups
}

/// Rounds the correlations to three decimals. Then reduces all by the smallest common share that
/// makes the matrix positive definite, and returns that share.
fn shrink(matrix: &mut [Vec<f64>]) -> f64 {
    let estimated = matrix.to_vec();
    let mut shrunk = 0.0;
    loop {
        for (row, line) in matrix.iter_mut().enumerate() {
            for (column, correlation) in line.iter_mut().enumerate() {
                if row != column {
                    let exact = estimated[row][column] * (1.0 - shrunk);
                    *correlation = (exact * 1e3).round() / 1e3 + 0.0;
                }
            }
        }
        if is_possible(matrix) || shrunk >= 1.0 {
            return shrunk;
        }
        shrunk = f64::min(1.0, (shrunk * 1.25).max(0.001));
    }
}

/// Returns true if a correlation matrix is positive definite, by computing its Cholesky factor.
fn is_possible(matrix: &[Vec<f64>]) -> bool {
    /// An allowance for rounding.
    const MARGIN: f64 = 1e-6;
    let mut factor: Vec<Vec<f64>> = Vec::new();
    for (index, line) in matrix.iter().enumerate() {
        let mut row: Vec<f64> = Vec::with_capacity(index + 1);
        for other in &factor {
            let shared: f64 = row.iter().zip(other).map(|(x, y)| x * y).sum();
            row.push((line[row.len()] - shared) / other[row.len()]);
        }
        let own = 1.0 - row.iter().map(|x| x * x).sum::<f64>();
        if own < MARGIN {
            return false;
        }
        row.push(own.sqrt());
        factor.push(row);
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn correlations_that_are_possible_stay() {
        let mut matrix = vec![vec![1.0, 0.7], vec![0.7, 1.0]];
        assert_eq!(shrink(&mut matrix), 0.0);
        assert_eq!(matrix[0][1], 0.7);
    }

    proptest! {
        #[test]
        #[allow(clippy::needless_range_loop)]
        fn estimates_become_possible_together(estimates in prop::collection::vec(-1.0..1.0_f64, 15)) {
            let mut matrix = vec![vec![1.0; 6]; 6];
            let mut estimates = estimates.into_iter();
            for row in 0..6 {
                for column in 0..row {
                    let estimate = estimates.next().unwrap();
                    matrix[row][column] = estimate;
                    matrix[column][row] = estimate;
                }
            }
            let shrunk = shrink(&mut matrix);
            prop_assert!((0.0..1.0).contains(&shrunk));
            prop_assert!(is_possible(&matrix));
        }
    }
}
