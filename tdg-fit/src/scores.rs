//! Normal scores: the standard normal values that correspond to the ranks of a column.

use tdg_definition::math::normal;

/// The scores of a column, one per row, with NaN for null.
pub(crate) struct Scores {
    values: Vec<f64>,
    /// The share of a normal variable's spread that equal values leave; 1 without equal values.
    pub(crate) spread: f64,
}

impl Scores {
    /// Computes the scores of numbers, with NaN for null. Equal numbers get their mean score.
    pub(crate) fn new(numbers: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..numbers.len())
            .filter(|&row| !numbers[row].is_nan())
            .collect();
        order.sort_unstable_by(|&one, &other| numbers[one].total_cmp(&numbers[other]));
        let count = order.len() as f64;
        let mut values = vec![f64::NAN; numbers.len()];
        let mut squares = 0.0;
        let mut rank = 0;
        for equal in order.chunk_by(|&one, &other| numbers[one] == numbers[other]) {
            let score = |rank: usize| normal::quantile((rank as f64 + 0.5) / count);
            let sum: f64 = (rank..rank + equal.len()).map(score).sum();
            let mean = sum / equal.len() as f64;
            for &row in equal {
                values[row] = mean;
            }
            squares += mean * mean * equal.len() as f64;
            rank += equal.len();
        }
        Self {
            values,
            spread: (squares / count.max(1.0)).sqrt().min(1.0),
        }
    }

    /// Returns the correlation with other scores over the rows that have both, and the number of
    /// these rows. The correlation is 0 if one of them is constant.
    pub(crate) fn correlation(&self, other: &Self) -> (f64, f64) {
        let (mut count, mut x, mut y) = (0.0, 0.0, 0.0);
        let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
        for (&one, &two) in self.values.iter().zip(&other.values) {
            if !one.is_nan() && !two.is_nan() {
                count += 1.0;
                x += one;
                y += two;
                xx += one * one;
                yy += two * two;
                xy += one * two;
            }
        }
        let spread = ((xx - x * x / count) * (yy - y * y / count)).sqrt();
        let correlation = (xy - x * y / count) / spread;
        // Anything smaller is only rounding.
        let is_one = spread > 1e-9 * count && correlation.is_finite();
        (
            if is_one {
                correlation.clamp(-1.0, 1.0)
            } else {
                0.0
            },
            count,
        )
    }
}

/// Computes the scores of columns, with NaN for null. Large tables are thinned evenly.
pub(crate) fn scores(columns: &[Vec<f64>]) -> Vec<Scores> {
    /// The maximum number of rows, enough to determine correlations to two decimals.
    const ROWS: usize = 20_000;
    /// The maximum number of products for all pairs together.
    const WORK: usize = 400_000_000;
    let rows = columns.first().map_or(0, Vec::len);
    let pairs = (columns.len() * columns.len() / 2).max(1);
    let every = rows.div_ceil((WORK / pairs).min(ROWS)).max(1);
    let thin = |column: &Vec<f64>| column.iter().copied().step_by(every).collect::<Vec<f64>>();
    columns
        .iter()
        .map(|column| Scores::new(&thin(column)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_are_of_ranks_and_of_rows_that_have_both() {
        let one: Vec<f64> = (0..100).map(f64::from).collect();
        let mut other: Vec<f64> = one.iter().map(|value| -value * value * value).collect();
        other[50] = f64::NAN;
        let (correlation, count) = Scores::new(&one).correlation(&Scores::new(&other));
        assert!((correlation + 1.0).abs() < 0.01, "{correlation}");
        assert_eq!(count, 99.0);
    }

    #[test]
    fn a_constant_is_correlated_with_nothing() {
        let scores = Scores::new(&[1.0; 9]);
        let other = Scores::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, f64::NAN]);
        assert_eq!(scores.correlation(&other).0, 0.0);
        assert_eq!(Scores::new(&[f64::NAN; 3]).correlation(&other).0, 0.0);
    }
}
