//! Inversion of a discrete distribution over a table of its values.

use std::cell::OnceCell;

use crate::column::Cells;
use crate::scalar::Sampler;
use crate::scalar::batches::draw_each;
use crate::scalar::choice::weights::Choice;

/// Consecutive values from `first` on with their probabilities.
pub(super) struct Discrete {
    first: i64,
    choice: Choice,
}

/// The cutoff for values, relative to the likeliest one: 2⁻⁷⁰. All omitted values together move a
/// threshold by only a few of its 2⁶⁴ steps.
const NEGLIGIBLE: f64 = 8.470_329_472_543_003e-22;

impl Discrete {
    /// Builds the table around the likeliest value `mode`. `ratio(k)` is `P(k) / P(k - 1)` for `k`
    /// from 1 on and falls with `k`.
    pub(super) fn around(mode: i64, ratio: impl Fn(i64) -> f64) -> Self {
        let mut below = Vec::new();
        let mut weight = 1.0;
        let mut first = mode;
        while first > 0 {
            weight /= ratio(first);
            if weight < NEGLIGIBLE {
                break;
            }
            below.push(weight);
            first -= 1;
        }
        let mut weights = below;
        weights.reverse();
        weight = 1.0;
        let mut value = mode;
        while weight >= NEGLIGIBLE {
            weights.push(weight);
            value += 1;
            weight *= ratio(value);
        }
        Self::new(first, &weights)
    }

    /// An upper bound for the entries of a table: 10 standard deviations to either side of the
    /// mode, and a margin for small variances.
    pub(super) fn entries(variance: f64) -> f64 {
        20.0 * variance.sqrt() + 50.0
    }

    /// Builds the table of values from `first` on with these weights.
    pub(super) fn new(first: i64, weights: &[f64]) -> Self {
        Self {
            first,
            choice: Choice::new(weights),
        }
    }

    /// A sampler whose table is built on the first draw.
    pub(super) fn sampler<'a>(make: impl Fn() -> Self + 'a) -> Sampler<'a> {
        let table = OnceCell::new();
        Sampler::rising(move |words| {
            let table = table.get_or_init(&make);
            let value = |word| table.value(word);
            Cells::Integer(draw_each(words, value))
        })
    }

    /// The value of `word`.
    fn value(&self, word: u64) -> i64 {
        self.first + self.choice.outcome(word) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts the cumulative probability of each value, as computed by mpmath.
    fn assert_steps(table: &Discrete, steps: &[(i64, f64)]) {
        let word = |share: f64| (share * 18_446_744_073_709_551_616.0) as u64;
        for &(value, share) in steps {
            assert!(table.value(word(share - 1e-13)) <= value, "{value}");
            assert!(table.value(word(share + 1e-13)) > value, "{value}");
        }
    }

    #[test]
    fn sums_of_large_tables_are_accurate() {
        let poisson = Discrete::around(10_000_000, |k| 1e7 / k as f64);
        let steps = [
            (9_990_000, 0.000_781_851_092_407_796_6),
            (10_000_000, 0.500_084_104_416_326),
            (10_005_000, 0.943_085_886_175_157),
        ];
        assert_steps(&poisson, &steps);
        let binomial =
            Discrete::around(400_000, |k| (1e6 - k as f64 + 1.0) * 0.4 / (k as f64 * 0.6));
        let steps = [
            (398_500, 0.001_101_473_407_659_704_2),
            (399_800, 0.341_941_242_851_363_3),
            (401_000, 0.979_426_562_977_324_9),
        ];
        assert_steps(&binomial, &steps);
        let negative_binomial = Discrete::around(0, |k| (k as f64 + 0.25 - 1.0) / k as f64 * 0.999);
        let steps = [
            (0, 0.177_827_941_003_892_3),
            (10, 0.353_534_154_135_597_7),
            (2000, 0.982_750_037_772_285_6),
        ];
        assert_steps(&negative_binomial, &steps);
    }
}
