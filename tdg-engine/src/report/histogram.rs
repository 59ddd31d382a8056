//! A histogram in one line.

/// The maximum number of bars.
const BARS: usize = 24;

/// Counts of numbers in equal parts of their range.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The smallest number.
    pub least: f64,
    /// The largest.
    pub most: f64,
    /// The count of each part; the last includes its upper end. A few whole numbers have a part
    /// each.
    pub counts: Vec<usize>,
}

impl Histogram {
    /// The histogram of these numbers; `None` if there are none, or if one is not finite.
    #[must_use]
    pub fn of(numbers: &[f64]) -> Option<Self> {
        if numbers.is_empty() || !numbers.iter().all(|number| number.is_finite()) {
            return None;
        }
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let range = most - least;
        let are_whole = numbers.iter().all(|number| number.fract() == 0.0);
        let parts = if range == 0.0 {
            1
        } else if are_whole && range < BARS as f64 {
            range as usize + 1
        } else {
            BARS
        };
        let mut histogram = Self {
            least,
            most,
            counts: vec![0; parts],
        };
        for &number in numbers {
            let part = histogram.part_of(number);
            histogram.counts[part] += 1;
        }
        Some(histogram)
    }

    /// Whether the numbers are equal but for the rounding of floats.
    #[must_use]
    pub fn is_of_one(&self) -> bool {
        self.most - self.least <= self.most.abs().max(self.least.abs()) * 1e-6
    }

    /// The part that contains one of the numbers.
    #[must_use]
    pub fn part_of(&self, number: f64) -> usize {
        // Halved, because the range of all floats overflows.
        let share = (number / 2.0 - self.least / 2.0) / (self.most / 2.0 - self.least / 2.0);
        let parts = self.counts.len();
        ((share * parts as f64) as usize).min(parts - 1)
    }

    /// The bounds of a part; equal if a whole number has the part to itself.
    #[must_use]
    pub fn ends(&self, part: usize) -> (f64, f64) {
        let parts = self.counts.len() as f64;
        if self.most - self.least + 1.0 == parts {
            let number = self.least + part as f64;
            return (number, number);
        }
        let width = self.most / parts - self.least / parts;
        let from = self.least + width * part as f64;
        (from, from + width)
    }

    /// A bar for each part, as high as its share of the largest; a space for an empty part.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_place_in_the_histogram() {
        let numbers: Vec<f64> = (0..100).map(|k| f64::from(k * k)).collect();
        let histogram = Histogram::of(&numbers).unwrap();
        assert_eq!(histogram.counts.iter().sum::<usize>(), 100);
        assert_eq!((histogram.least, histogram.most), (0.0, 9801.0));
        assert_eq!(histogram.bars(), "█▄▃▂▂▂▂▂▂▂▂▂▁▂▂▁▂▁▂▁▁▁▁▂");
        assert_eq!(histogram.ends(1), (408.375, 816.75));
    }

    #[test]
    fn a_few_whole_numbers_have_a_bar_each() {
        let histogram = Histogram::of(&[1.0, 2.0, 2.0, 2.0, 2.0, 4.0]).unwrap();
        assert_eq!(histogram.bars(), "▂█ ▂");
        assert_eq!((histogram.part_of(4.0), histogram.ends(3)), (3, (4.0, 4.0)));
    }

    #[test]
    #[ignore = "D10: two integers in some bars, one in others"]
    fn every_bar_of_integers_holds_equally_many_of_them() {
        let even = |least: i32, most: i32| {
            let numbers: Vec<f64> = (least..=most).map(f64::from).collect();
            let counts = Histogram::of(&numbers).unwrap().counts;
            counts.iter().all(|count| *count == counts[0])
        };
        for (least, most) in [(1, 30), (1, 28), (25, 500), (-40, 39), (115, 19_722)] {
            assert!(even(least, most), "{least} to {most}");
        }
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
    fn the_widest_floats_have_a_histogram() {
        let histogram = Histogram::of(&[f64::MIN, 0.0, f64::MAX]).unwrap();
        assert_eq!(histogram.counts.iter().sum::<usize>(), 3);
        assert_eq!((histogram.counts[0], histogram.counts[23]), (1, 1));
        assert!(!histogram.is_of_one());
    }

    #[test]
    fn numbers_that_differ_by_rounding_are_equal() {
        let is_of_one = |numbers: &[f64]| Histogram::of(numbers).unwrap().is_of_one();
        assert!(is_of_one(&[0.1; 50]));
        assert!(is_of_one(&[0.3, 0.1 + 0.2]));
        assert!(!is_of_one(&[0.3, 0.3001]));
    }

    #[test]
    fn without_finite_numbers_there_is_no_histogram() {
        assert_eq!(Histogram::of(&[]), None);
        assert_eq!(Histogram::of(&[1.0, f64::NAN]), None);
    }
}
