//! Inversion of a discrete distribution over a table of its values.

use super::choice::Choice;

/// Values from `first` on with their probabilities.
pub(super) struct Discrete {
    first: i64,
    choice: Choice,
}

/// Values less likely than this, next to the likeliest, are left out: 2⁻⁷⁰. All of them together
/// move no threshold by more than a few of its 2⁶⁴ steps.
const NEGLIGIBLE: f64 = 8.470_329_472_543_003e-22;

impl Discrete {
    /// Around the likeliest value `mode`; `ratio(k)` is `P(k) / P(k - 1)`, falling in `k`, for `k` from 1 on.
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
        Self {
            first,
            choice: Choice::new(&weights),
        }
    }

    /// The value of that word.
    pub(super) fn value(&self, word: u64) -> i64 {
        self.first + self.choice.outcome(word) as i64
    }
}
