//! The numbers of a column, sorted and thinned out.

use tdg_definition::math::ln;

/// The maximum number of order statistics to keep. The quantiles between them are closer than the
/// precision of any parameter.
const MOST: usize = 10_000;

/// One or more numbers in ascending order.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// All values, or equally spaced order statistics.
    pub(crate) values: Vec<f64>,
    /// The number of values before thinning.
    pub(crate) count: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) mean: f64,
    pub(crate) deviation: f64,
    /// The unit of the values: `10^-decimals`, 1 for integers, otherwise the smallest gap.
    pub(crate) step: f64,
}

impl Sample {
    /// Creates a sample, or returns `None` if there are no values, or their spread isn't finite.
    pub(crate) fn new(mut values: Vec<f64>, step: Option<f64>) -> Option<Self> {
        values.sort_unstable_by(f64::total_cmp);
        let (min, max) = (*values.first()?, *values.last()?);
        let count = values.len() as f64;
        let gaps = || values.windows(2).map(|pair| pair[1] - pair[0]);
        let closest = || {
            gaps()
                .filter(|&gap| gap > 0.0)
                .fold(f64::INFINITY, f64::min)
        };
        let step = step.unwrap_or_else(closest);
        let mean = min
            + values
                .iter()
                .map(|value| (value - min) / count)
                .sum::<f64>();
        let square = |value: &f64| (value - mean) * (value - mean) / count;
        let deviation = values.iter().map(square).sum::<f64>().sqrt();
        if values.len() > MOST {
            let place = |index: usize| (2 * index + 1) * values.len() / (2 * MOST);
            values = (0..MOST).map(|index| values[place(index)]).collect();
        }
        (deviation.is_finite() && (max - min).is_finite()).then_some(Self {
            values,
            count,
            min,
            max,
            mean,
            deviation,
            step,
        })
    }

    /// Returns the sum of a function over all values.
    pub(crate) fn sum(&self, of: impl Fn(f64) -> f64) -> f64 {
        let sum: f64 = self.values.iter().map(|&value| of(value)).sum();
        sum * self.count / self.values.len() as f64
    }

    /// Returns the mean of a function over all values.
    pub(crate) fn mean_of(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.sum(of) / self.count
    }

    /// Returns the number below which a share of the values is.
    pub(crate) fn quantile(&self, share: f64) -> f64 {
        let last = self.values.len() - 1;
        self.values[((last as f64 * share).round() as usize).min(last)]
    }

    /// Returns the distinct values with their counts.
    pub(crate) fn counts(&self) -> Vec<(f64, f64)> {
        let each = self.count / self.values.len() as f64;
        let runs = self.values.chunk_by(|one, other| one == other);
        runs.map(|run| (run[0], run.len() as f64 * each)).collect()
    }

    /// Returns fewer order statistics, for searches with many passes.
    pub(crate) fn thinned(&self, most: usize) -> Vec<f64> {
        let length = self.values.len();
        if length <= most {
            return self.values.clone();
        }
        let place = |index: usize| (2 * index + 1) * length / (2 * most);
        (0..most).map(|index| self.values[place(index)]).collect()
    }

    /// Returns the natural logarithm of the step, which turns a log-density into a log-probability.
    pub(crate) fn ln_step(&self) -> f64 {
        ln(self.step)
    }
}
