//! The two-sample Kolmogorov–Smirnov test for samples of equal size.

/// Returns the largest difference between two sorted samples' counts of values up to any point.
pub(super) fn largest_gap<T: Ord>(left: &[T], right: &[T]) -> usize {
    let (mut at_left, mut at_right, mut largest) = (0, 0, 0);
    while let (Some(one), Some(other)) = (left.get(at_left), right.get(at_right)) {
        // Equal values are passed at once, because the order within a tie isn't evidence.
        let value = one.min(other);
        at_left += left[at_left..].iter().take_while(|it| *it == value).count();
        let equal = right[at_right..].iter().take_while(|it| *it == value);
        at_right += equal.count();
        largest = largest.max(at_left.abs_diff(at_right));
    }
    largest
}

/// Returns the probability that two samples of this size from one continuous distribution have a
/// gap at least as large. With ties, the probability is at most that.
///
/// It is exact: 2 Σₖ (−1)ᵏ⁺¹ (2n choose n − k·gap) / (2n choose n), k from 1 (B. V. Gnedenko and V.
/// S. Korolyuk, "On the maximum discrepancy between two empirical distributions", 1951).
pub(super) fn p_value(size: usize, gap: usize) -> f64 {
    if gap == 0 {
        return 1.0;
    }
    // Runs from the last term to the first, each as its ratio to the one before.
    let mut rest = 0.0;
    for term in (0..size / gap).rev() {
        let mut ratio = 1.0;
        for step in term * gap..(term + 1) * gap {
            ratio *= (size - step) as f64 / (size + step + 1) as f64;
        }
        rest = ratio * (1.0 - rest);
    }
    (2.0 * rest).min(1.0)
}

#[cfg(test)]
mod tests {
    use tdg_definition::random::uniform::below;
    use tdg_definition::random::{Purpose, Stream};

    use super::*;

    /// The values of `scipy.stats.ks_2samp(x, y, method="exact").pvalue` in scipy 1.17.1 for the
    /// samples `x = arange(size) + gap` and `y = arange(size) + 0.5`.
    const SCIPY: [(usize, usize, f64); 14] = [
        (1, 1, 1.0),
        (3, 3, 0.09999999999999999),
        (5, 3, 0.35714285714285715),
        (10, 7, 0.012340600575894691),
        (12, 12, 7.396023010506791e-7),
        (50, 10, 0.2719135601522248),
        (50, 30, 1.0624962385385807e-8),
        (100, 20, 0.03638428787491733),
        (100, 23, 0.009878183186176536),
        (500, 80, 5.293265246027034e-6),
        (1000, 120, 1.0845303448772275e-6),
        (10_000, 200, 0.03662861114079258),
        (10_000, 400, 2.2429098114068944e-7),
        (10_000, 1000, 6.325438401728286e-44),
    ];

    #[test]
    fn p_values_match_scipy() {
        for (size, gap, expected) in SCIPY {
            let left: Vec<usize> = (0..size).map(|value| 2 * (value + gap)).collect();
            let right: Vec<usize> = (0..size).map(|value| 2 * value + 1).collect();
            assert_eq!(largest_gap(&left, &right), gap);
            let error = p_value(size, gap) / expected - 1.0;
            assert!(error.abs() < 1e-12, "{size}, {gap}: relative error {error}");
        }
    }

    /// With scipy 1.17.1, `ks_2samp(x, y, method="exact")` has statistic 0.3 and p-value
    /// 0.054141077480362725.
    #[test]
    fn ties_are_passed_at_once() {
        let counts = |counts: [usize; 5]| -> Vec<usize> {
            let values = counts.iter().enumerate();
            values
                .flat_map(|(value, count)| vec![value; *count])
                .collect()
        };
        let (left, right) = (counts([9, 11, 5, 15, 0]), counts([0, 8, 12, 13, 7]));
        assert_eq!(largest_gap(&left, &right), 12);
        assert_eq!(largest_gap(&right, &left), 12);
        assert!((p_value(40, 12) / 0.054141077480362725 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn disjoint_samples_have_the_smallest_p_value() {
        for size in 1..100 {
            let values: Vec<usize> = (0..size).collect();
            let above: Vec<usize> = (size..2 * size).collect();
            assert_eq!(largest_gap(&values, &above), size);
            let p_values = (0..=size).map(|gap| p_value(size, gap));
            assert!(p_values.is_sorted_by(|left, right| left + 1e-12 >= *right));
        }
        assert_eq!(p_value(7, 0), 1.0);
        assert_eq!(p_value(7, 1), 1.0);
    }

    /// Returns the share of pairs of 50-value samples with a p-value below 0.01.
    fn alarms(
        pairs: u64,
        seed: u64,
        value: impl Fn(u64) -> u64,
        shifted: impl Fn(u64) -> u64,
    ) -> f64 {
        let stream = Stream::new(seed, "samples");
        let sample = |first, of: &dyn Fn(u64) -> u64| {
            let mut words = [0; 50];
            stream.fill(Purpose::Value, 0, first, &mut words);
            let mut values = words.map(of);
            values.sort_unstable();
            values
        };
        let is_alarm = |pair: &u64| {
            let left = sample(pair * 100, &value);
            let right = sample(pair * 100 + 50, &shifted);
            p_value(50, largest_gap(&left, &right)) < 0.01
        };
        (0..pairs).filter(is_alarm).count() as f64 / pairs as f64
    }

    #[test]
    fn false_alarms_are_at_most_as_many_as_stated() {
        let continuous = alarms(20_000, 1, |word| word, |word| word);
        // Gaps are integers, so the rate is the largest p-value below 0.01.
        let rate = (1..)
            .map(|gap| p_value(50, gap))
            .find(|p| *p < 0.01)
            .unwrap();
        let deviation = (rate / 20_000.0).sqrt();
        assert!(
            (continuous - rate).abs() < 4.0 * deviation,
            "{continuous}, {rate}"
        );
        assert!(continuous <= 0.01, "{continuous}");
        // With only six distinct values, nearly all are ties.
        let die = |word| below(word, 6);
        let discrete = alarms(20_000, 2, die, die);
        assert!(discrete <= rate, "{discrete}");
    }

    /// Samples with common rows vary together. In this test, a value depends mostly on its row.
    #[test]
    fn rows_in_common_make_false_alarms_rarer() {
        let stream = Stream::new(4, "rows");
        let mut alarms = 0;
        for pair in 0..2_000_u64 {
            let sample = |draw| {
                let value = |row| {
                    let row = pair * 50 + row;
                    let noise = stream.word(Purpose::Value, row, draw) / 4;
                    stream.word(Purpose::Null, row, 0) / 2 + noise
                };
                let mut values: Vec<u64> = (0..50).map(value).collect();
                values.sort_unstable();
                values
            };
            alarms += usize::from(p_value(50, largest_gap(&sample(1), &sample(2))) < 0.5);
        }
        assert!(alarms < 200, "{alarms} of 2,000 at 0.5");
    }

    #[test]
    fn shifts_are_found() {
        let shifted = |share: u64| move |word: u64| word / 4 * 3 + u64::MAX / 100 * share;
        let power = |share| alarms(1_000, 3, shifted(0), shifted(share));
        // Shifts by a fifth and a third of the range.
        let powers = [15, 25].map(power);
        assert!(powers[0] > 0.3 && powers[1] > 0.9, "{powers:?}");
    }
}
