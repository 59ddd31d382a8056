//! A choice between several outcomes by one random word.

use crate::checkpoint;
use crate::fields::Fields;
use crate::random::Threshold;

/// Outcomes `0 .. n` with their probabilities. A word selects the first outcome whose threshold is
/// above it. Thresholds correspond to cumulative probabilities.
///
/// The thresholds rise with the outcome, so a larger word never selects a smaller outcome.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// Excludes trailing thresholds of probability 1, which are above every word.
    thresholds: Vec<Threshold>,
    /// The outcome where the search begins, by the leading bits of a word.
    guide: Vec<u32>,
    /// `64 - log2(guide.len())`.
    shift: u32,
}

/// The most thresholds that are counted without branches; for more, the guide is used.
const COUNTED: usize = 8;

impl Choice {
    /// Builds the choice from weights that are finite, not negative, and not all 0.
    ///
    /// The threshold of an outcome has the probability `c / t`, where `c` is the sum of the weights
    /// up to it, added in order, and `t` is the sum of all weights.
    pub(crate) fn new(weights: &[f64]) -> Self {
        let total = sum(weights);
        let mut thresholds = Vec::with_capacity(weights.len());
        let mut cumulative = 0.0;
        for &weight in weights {
            if thresholds.len() % 1024 == 1023 {
                checkpoint();
            }
            cumulative += weight;
            let threshold = Threshold::of(cumulative / total);
            if threshold == Threshold::ALWAYS {
                break;
            }
            thresholds.push(threshold);
        }
        let bits = usize::BITS - thresholds.len().leading_zeros();
        let shift = 64 - bits.max(1);
        let mut guide = Vec::with_capacity(1 << bits.max(1));
        let mut outcome = 0;
        for leading in 0..1_u64 << bits.max(1) {
            while outcome < thresholds.len() && !thresholds[outcome].is_above(leading << shift) {
                outcome += 1;
            }
            guide.push(outcome as u32);
        }
        Self {
            thresholds,
            guide,
            shift,
        }
    }

    /// The first word of each outcome that has words, in rising order.
    pub(crate) fn first_words(&self) -> Vec<u64> {
        let mut first = vec![0];
        for threshold in &self.thresholds {
            if let Some(word) = threshold.first_word() {
                first.push(word);
            }
        }
        first.dedup();
        first
    }

    /// The outcome selected by `word`.
    #[inline]
    pub(crate) fn outcome(&self, word: u64) -> u32 {
        let thresholds = &self.thresholds[..];
        if thresholds.len() <= COUNTED {
            // Indexed, because iterators are slow in unoptimized builds.
            let (mut outcome, mut i) = (0, 0);
            while i < thresholds.len() {
                outcome += !thresholds[i].is_above(word) as u32;
                i += 1;
            }
            return outcome;
        }
        let mut outcome = self.guide[(word >> self.shift) as usize] as usize;
        while outcome < thresholds.len() && !thresholds[outcome].is_above(word) {
            outcome += 1;
        }
        outcome as u32
    }
}

/// Checks that the probabilities in the member `name` sum to 1, and reports a fault if not.
pub(crate) fn check_sum(fields: &mut Fields<'_>, name: &'static str, all: &[f64]) -> Option<()> {
    /// The tolerance of the sum.
    const SLACK: f64 = 1e-9;
    let total = sum(all);
    if (total - 1.0).abs() <= SLACK {
        return Some(());
    }
    let message = format!("the probabilities must sum to 1, but sum to {total}");
    fields.fault(name, message);
    None
}

/// Sums the elements in order; `Iterator::sum` doesn't promise an order.
pub(crate) fn sum(weights: &[f64]) -> f64 {
    let mut total = 0.0;
    for &weight in weights {
        total += weight;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_outcome_without_weight_is_never_drawn() {
        let choice = Choice::new(&[0.0, 0.5, 0.0, 0.5, 0.0]);
        assert_eq!(choice.outcome(0), 1);
        assert_eq!(choice.outcome((1 << 63) - 1), 1);
        assert_eq!(choice.outcome(1 << 63), 3);
        assert_eq!(choice.outcome(u64::MAX), 3);
    }

    #[test]
    fn a_single_outcome_takes_every_word() {
        let choice = Choice::new(&[0.3]);
        assert_eq!([choice.outcome(0), choice.outcome(u64::MAX)], [0, 0]);
    }

    fn first_word_not_below(threshold: Threshold) -> u64 {
        let (mut low, mut high) = (0, u64::MAX);
        while low < high {
            let middle = low + (high - low) / 2;
            if threshold.is_above(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    proptest! {
        #[test]
        fn the_guide_finds_what_counting_finds(
            weights in prop::collection::vec(prop_oneof![Just(0.0), 1e-6..1.0], 1..200),
            words in prop::collection::vec(any::<u64>(), 100),
        ) {
            prop_assume!(weights.iter().any(|&weight| weight > 0.0));
            let choice = Choice::new(&weights);
            let edges = choice.thresholds.iter().flat_map(|&t| {
                let edge = first_word_not_below(t);
                [edge.saturating_sub(1), edge]
            });
            for word in words.iter().copied().chain(edges).chain([0, u64::MAX]) {
                let counted = choice.thresholds.iter().filter(|t| !t.is_above(word)).count();
                prop_assert_eq!(choice.outcome(word) as usize, counted);
                prop_assert!(weights[choice.outcome(word) as usize] > 0.0);
            }
        }
    }
}
