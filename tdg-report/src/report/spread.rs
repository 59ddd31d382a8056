//! Mean and standard deviation.

use tdg_engine::text::amount;

/// The spread of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The sample standard deviation; 0 for a single number.
    pub deviation: f64,
}

impl Spread {
    /// Computes the spread of these numbers. Returns `None` if the list is empty, a number isn't
    /// finite, or the sum overflows.
    ///
    /// (B. P. Welford, "Note on a method for calculating corrected sums of squares and products",
    /// 1962.)
    #[must_use]
    pub fn new(numbers: &[f64]) -> Option<Self> {
        let (mut mean, mut squares) = (0.0, 0.0);
        for (index, number) in numbers.iter().enumerate() {
            let distance = number - mean;
            mean += distance / (index + 1) as f64;
            squares += distance * (number - mean);
        }
        let deviation = match numbers.len() {
            0 => return None,
            1 => 0.0,
            count => (squares / (count - 1) as f64).sqrt(),
        };
        (mean.is_finite() && deviation.is_finite()).then_some(Self { mean, deviation })
    }

    /// Returns a phrase such as `mean 704.9, sd 12.3`.
    #[must_use]
    pub fn words(&self) -> String {
        format!("mean {}, sd {}", amount(self.mean), amount(self.deviation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_mean_and_sample_deviation() {
        let spread = Spread::new(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!(spread.mean, 5.0);
        assert!((spread.deviation * spread.deviation - 32.0 / 7.0).abs() < 1e-12);
        assert_eq!(spread.words(), "mean 5, sd 2.138");
        assert_eq!(Spread::new(&[3.5]).unwrap().words(), "mean 3.5, sd 0");
    }

    #[test]
    fn numbers_without_a_finite_sum_have_no_spread() {
        assert_eq!(Spread::new(&[]), None);
        assert_eq!(Spread::new(&[1.0, f64::INFINITY]), None);
        assert_eq!(Spread::new(&[f64::MAX, -f64::MAX]), None);
    }

    #[test]
    fn numbers_far_from_zero_keep_their_deviation() {
        let spread = Spread::new(&[1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0]).unwrap();
        assert_eq!(spread.deviation * spread.deviation, 30.0);
    }
}
