//! The Cholesky factor of a correlation matrix.

/// The largest part of its variance that is as if a variable had none of its own.
const NOTHING: f64 = 1e-9;
/// How far from the correlations asked for those of a factor may be: the root of that part, and
/// less than the statistics of any ensemble tell.
const TOLERANCE: f64 = 3.2e-5;

/// A lower triangular matrix, which times its transpose is the correlation matrix; it grows row by
/// row.
///
/// Row i times independent standard normal variables is the i-th of the correlated ones. Where a
/// variable is a sum of those before it, its diagonal element is 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cholesky {
    rows: Vec<Vec<f64>>,
}

/// What a further variable shares with those of a matrix.
pub(super) struct SharedVariance {
    /// Its row, without the diagonal element.
    pub(super) row: Vec<f64>,
    /// Which part of its variance is its own.
    pub(super) own: f64,
}

impl Cholesky {
    /// The rows, each up to its diagonal element.
    pub(super) fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// What a variable with these correlations to the others shares with them; nothing if there is
    /// no such variable.
    ///
    /// Where others are nearly sums of those before them, rounding can lead far from what is exact:
    /// whether the row has the correlations is what decides, not how it came about.
    pub(super) fn shared(&self, correlations: &[f64]) -> Option<SharedVariance> {
        let mut row: Vec<f64> = Vec::with_capacity(self.rows.len() + 1);
        let mut own = 1.0;
        for (other, correlation) in self.rows.iter().zip(correlations) {
            let mut rest = *correlation;
            for (here, there) in row.iter().zip(other) {
                rest -= here * there;
            }
            let diagonal = other[row.len()];
            let element = if diagonal > 0.0 { rest / diagonal } else { 0.0 };
            own -= element * element;
            row.push(element);
        }
        if own < 0.0 {
            // So that its variance is 1 whatever happens.
            let length = (1.0 - own).sqrt();
            row.iter_mut().for_each(|element| *element /= length);
            own = 0.0;
        }
        let has = |(other, correlation): (&Vec<f64>, &f64)| {
            let product: f64 = row.iter().zip(other).map(|(x, y)| x * y).sum();
            (product - correlation).abs() <= TOLERANCE
        };
        let has_all = self.rows.iter().zip(correlations).all(has);
        has_all.then_some(SharedVariance { row, own })
    }

    /// Adds a variable with these correlations to the others; `None` if there is no such variable.
    pub(super) fn push(&mut self, correlations: &[f64]) -> Option<()> {
        let SharedVariance { mut row, own } = self.shared(correlations)?;
        row.push(if own > NOTHING { own.sqrt() } else { 0.0 });
        self.rows.push(row);
        Some(())
    }
}
