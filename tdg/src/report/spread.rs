//! How numbers are spread: mean, standard deviation, a histogram of one line.

use super::amount::amount;

/// How many bars a histogram has.
const BARS: usize = 24;

/// How numbers are spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, that of a sample (divided by one less than there are); 0 of a single one.
    pub deviation: f64,
}

impl Spread {
    /// That of these numbers; `None` of none, or if one is not finite, or they are too large to be summed.
    ///
    /// (B. P. Welford, "Note on a method for calculating corrected sums of squares and products", 1962.)
    pub(super) fn of(numbers: &[f64]) -> Option<Self> {
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

    /// `mean 704.9, sd 12.3`.
    pub(super) fn words(&self) -> String {
        format!("mean {}, sd {}", amount(self.mean), amount(self.deviation))
    }
}

/// How many of some numbers lie in each of equal parts of their range.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The smallest number.
    pub least: f64,
    /// The largest.
    pub most: f64,
    /// How many lie in each part; the last has its upper end.
    pub counts: Vec<usize>,
}

impl Histogram {
    /// That of these numbers, if they are finite and not all as good as the same.
    pub(super) fn of(numbers: &[f64]) -> Option<Self> {
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let range = most - least;
        let is_one = range <= most.abs().max(least.abs()) * 1e-6;
        if !range.is_finite() || is_one {
            return None;
        }
        let mut counts = vec![0; BARS];
        for number in numbers {
            let bar = ((number - least) / range * BARS as f64) as usize;
            counts[bar.min(BARS - 1)] += 1;
        }
        Some(Self {
            least,
            most,
            counts,
        })
    }

    /// A bar for each part, as high as its share of the largest; nothing where there is nothing.
    pub(super) fn bars(&self) -> String {
        const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        let largest = self.counts.iter().copied().max().unwrap_or_default();
        let bar = |count: &usize| match count {
            0 => ' ',
            count => HEIGHTS[(count * HEIGHTS.len()).div_ceil(largest) - 1],
        };
        self.counts.iter().map(bar).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_mean_and_sample_deviation() {
        let spread = Spread::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!(spread.mean, 5.0);
        assert!((spread.deviation * spread.deviation - 32.0 / 7.0).abs() < 1e-12);
        assert_eq!(spread.words(), "mean 5, sd 2.138");
        assert_eq!(Spread::of(&[3.5]).unwrap().words(), "mean 3.5, sd 0");
    }

    #[test]
    fn what_cannot_be_summed_has_no_spread() {
        assert_eq!(Spread::of(&[]), None);
        assert_eq!(Spread::of(&[1.0, f64::INFINITY]), None);
        assert_eq!(Spread::of(&[f64::MAX, -f64::MAX]), None);
    }

    #[test]
    fn numbers_far_from_zero_keep_their_deviation() {
        let spread = Spread::of(&[1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0]).unwrap();
        assert_eq!(spread.deviation * spread.deviation, 30.0);
    }

    #[test]
    fn every_number_has_a_place_in_the_histogram() {
        let numbers: Vec<f64> = (0..100).map(|k| f64::from(k * k)).collect();
        let histogram = Histogram::of(&numbers).unwrap();
        assert_eq!(histogram.counts.iter().sum::<usize>(), 100);
        assert_eq!((histogram.least, histogram.most), (0.0, 9801.0));
        assert_eq!(histogram.bars(), "█▄▃▂▂▂▂▂▂▂▂▂▁▂▂▁▂▁▂▁▁▁▁▂");
    }

    #[test]
    fn a_single_number_far_away_is_seen_as_one() {
        let mut numbers = vec![1.0; 20];
        numbers.push(-23.0);
        assert_eq!(
            Histogram::of(&numbers).unwrap().bars(),
            "▁                      █"
        );
    }

    #[test]
    fn numbers_that_have_no_range_have_no_histogram() {
        assert_eq!(Histogram::of(&[]), None);
        assert_eq!(Histogram::of(&[0.1; 50]), None);
        assert_eq!(Histogram::of(&[-f64::MAX, f64::MAX]), None);
    }
}
