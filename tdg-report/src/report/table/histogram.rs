//! A histogram in one line.

/// The maximum number of bars.
const BARS: usize = 24;
/// The maximum number of different integers with separate bars, enough for the days of a month.
const OWN_BARS: usize = 32;
/// The minimum number of bars for more integers.
const FEW_BARS: usize = 12;
/// From this number on, not every integer is a float.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Counts of numbers in equal parts of their range.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The smallest number.
    pub least: f64,
    /// The largest.
    pub most: f64,
    /// The count of each part; the last includes its upper end.
    pub counts: Vec<usize>,
    /// The number of integers per part, if all numbers are integers.
    pub whole: Option<f64>,
}

impl Histogram {
    /// Creates the histogram of these numbers, or `None` if it is empty or one isn't finite.
    #[must_use]
    pub fn new(numbers: &[f64]) -> Option<Self> {
        if numbers.is_empty() || !numbers.iter().all(|number| number.is_finite()) {
            return None;
        }
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let range = most - least;
        let are_whole = numbers.iter().all(|number| number.fract() == 0.0);
        let (parts, whole) = if range == 0.0 {
            (1, are_whole.then_some(1.0))
        } else if are_whole && least.abs().max(most.abs()) < EXACT {
            let (parts, whole) = whole_parts(range + 1.0);
            (parts, Some(whole))
        } else {
            (BARS, None)
        };
        let mut histogram = Self {
            least,
            most,
            counts: vec![0; parts],
            whole,
        };
        for &number in numbers {
            let part = histogram.part_of(number);
            histogram.counts[part] += 1;
        }
        Some(histogram)
    }

    /// Returns true if the numbers are equal, apart from rounding of floats.
    #[must_use]
    pub fn is_of_one(&self) -> bool {
        self.most - self.least <= self.most.abs().max(self.least.abs()) * 1e-6
    }

    /// Returns the part that contains a number.
    #[must_use]
    pub fn part_of(&self, number: f64) -> usize {
        if let Some(whole) = self.whole {
            let part = ((number - self.least) / whole) as usize;
            return part.min(self.counts.len() - 1);
        }
        // Halved, because the range of all floats overflows.
        let share = (number / 2.0 - self.least / 2.0) / (self.most / 2.0 - self.least / 2.0);
        let parts = self.counts.len();
        ((share * parts as f64) as usize).min(parts - 1)
    }

    /// Returns the bounds of a part; for integers, the least and the largest in it.
    #[must_use]
    pub fn ends(&self, part: usize) -> (f64, f64) {
        if let Some(whole) = self.whole {
            let from = self.least + whole * part as f64;
            return (from, (from + whole - 1.0).min(self.most));
        }
        let parts = self.counts.len() as f64;
        let width = self.most / parts - self.least / parts;
        let from = self.least + width * part as f64;
        (from, from + width)
    }

    /// Returns a bar for each part, as high as its share of the largest; a space for an empty part.
    #[must_use]
    pub fn bars(&self) -> String {
        const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        let largest = self.counts.iter().copied().max().unwrap_or_default();
        let bar = |count: &usize| match count {
            0 => ' ',
            count => HEIGHTS[(count * HEIGHTS.len()).div_ceil(largest) - 1],
        };
        self.counts.iter().map(bar).collect()
    }
}

/// Returns the number of parts for this many integers, and the number of integers in a part. All
/// parts have equal sizes except the last, which lacks as few integers as possible.
fn whole_parts(numbers: f64) -> (usize, f64) {
    if numbers <= OWN_BARS as f64 {
        return (numbers as usize, 1.0);
    }
    let mut best = (0, 0.0, f64::INFINITY);
    for most_parts in (FEW_BARS..=BARS).rev() {
        let whole = (numbers / most_parts as f64).ceil();
        let parts = (numbers / whole).ceil();
        let lacking = (parts * whole - numbers) / whole;
        if lacking < best.2 {
            best = (parts as usize, whole, lacking);
        }
    }
    (best.0, best.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_place_in_the_histogram() {
        let numbers: Vec<f64> = (0..100).map(|k| f64::from(k * k) + 0.5).collect();
        let histogram = Histogram::new(&numbers).unwrap();
        assert_eq!(histogram.counts.iter().sum::<usize>(), 100);
        assert_eq!((histogram.least, histogram.most), (0.5, 9801.5));
        assert_eq!(histogram.bars(), "█▄▃▂▂▂▂▂▂▂▂▂▁▂▂▁▂▁▂▁▁▁▁▂");
        assert_eq!(histogram.ends(1), (408.875, 817.25));
    }

    #[test]
    fn a_few_whole_numbers_have_a_bar_each() {
        let histogram = Histogram::new(&[1.0, 2.0, 2.0, 2.0, 2.0, 4.0]).unwrap();
        assert_eq!(histogram.bars(), "▂█ ▂");
        assert_eq!((histogram.part_of(4.0), histogram.ends(3)), (3, (4.0, 4.0)));
    }

    #[test]
    fn every_bar_of_integers_holds_equally_many_of_them() {
        let even = |least: i32, most: i32| {
            let numbers: Vec<f64> = (least..=most).map(f64::from).collect();
            let counts = Histogram::new(&numbers).unwrap().counts;
            counts.iter().all(|count| *count == counts[0])
        };
        for (least, most) in [(1, 30), (1, 28), (25, 500), (-40, 39), (115, 19_722)] {
            assert!(even(least, most), "{least} to {most}");
        }
        // 37 is a prime, so the last bar lacks one.
        let numbers: Vec<f64> = (0..37).map(f64::from).collect();
        let histogram = Histogram::new(&numbers).unwrap();
        assert_eq!(histogram.counts, [[2; 18].as_slice(), &[1]].concat());
        assert_eq!(histogram.ends(18), (36.0, 36.0));
    }

    #[test]
    fn a_single_number_far_away_is_seen_as_one() {
        let mut numbers = vec![1.0; 20];
        numbers.push(-23.0);
        assert_eq!(
            Histogram::new(&numbers).unwrap().bars(),
            format!("▁{}█", " ".repeat(23))
        );
    }

    #[test]
    fn the_widest_floats_have_a_histogram() {
        let histogram = Histogram::new(&[f64::MIN, 0.0, f64::MAX]).unwrap();
        assert_eq!(histogram.counts.iter().sum::<usize>(), 3);
        assert_eq!((histogram.counts[0], histogram.counts[23]), (1, 1));
        assert!(!histogram.is_of_one());
    }

    #[test]
    fn numbers_that_differ_by_rounding_are_equal() {
        let is_of_one = |numbers: &[f64]| Histogram::new(numbers).unwrap().is_of_one();
        assert!(is_of_one(&[0.1; 50]));
        assert!(is_of_one(&[0.3, 0.1 + 0.2]));
        assert!(!is_of_one(&[0.3, 0.3001]));
    }

    #[test]
    fn no_histogram_without_finite_numbers() {
        assert_eq!(Histogram::new(&[]), None);
        assert_eq!(Histogram::new(&[1.0, f64::NAN]), None);
    }
}
