//! The Cholesky factor of a correlation matrix.

/// The independent share of a variable's variance below which it counts as 0.
const NOTHING: f64 = 1e-9;
/// The allowed error of a factor's correlations: the root of that share, and less than the
/// statistics of any ensemble can show.
const TOLERANCE: f64 = 3.2e-5;

/// A lower triangular matrix `L`, grown row by row; `L Lᵀ` is the correlation matrix.
///
/// Row i times independent standard normal variables is the i-th of the correlated ones. For a
/// variable that is a sum of earlier ones, the diagonal element is 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cholesky {
    rows: Vec<Vec<f64>>,
}

/// The variance that a further variable shares with the variables of a matrix.
pub(super) struct SharedVariance {
    /// Its row, without the diagonal element.
    pub(super) row: Vec<f64>,
    /// The independent share of its variance.
    pub(super) own: f64,
}

impl Cholesky {
    /// Returns the rows, each up to its diagonal element.
    pub(super) fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// Computes the shared variance of a variable with these correlations to the others; `None` if
    /// such a variable is impossible.
    ///
    /// If others are nearly sums of earlier ones, rounding can lead far from the exact result. The
    /// row is therefore accepted only if it reproduces the correlations.
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
            // Makes its variance 1 in any case.
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

    /// Adds a variable with these correlations to the others; `None` if it's impossible.
    pub(super) fn push(&mut self, correlations: &[f64]) -> Option<()> {
        let SharedVariance { mut row, own } = self.shared(correlations)?;
        row.push(if own > NOTHING { own.sqrt() } else { 0.0 });
        self.rows.push(row);
        Some(())
    }
}
