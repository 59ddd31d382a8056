//! Conversions from one random word to a number, exact and monotone in the word.

/// 2⁻⁵³
const ULP_BELOW_1: f64 = 1.0 / (1u64 << 53) as f64;

/// Returns a number from 0 to below 1: `(word >> 11) × 2⁻⁵³`, exactly.
///
/// ```
/// use tdg_definition::random::uniform;
///
/// assert_eq!(uniform::unit(0), 0.0);
/// assert_eq!(uniform::unit(1 << 63), 0.5);
/// assert!(uniform::unit(u64::MAX) < 1.0);
/// ```
#[inline]
pub fn unit(word: u64) -> f64 {
    (word >> 11) as f64 * ULP_BELOW_1
}

/// Returns a number strictly between 0 and 1: `((word >> 12) + ½) × 2⁻⁵²`, exactly.
///
/// `1 − u` is on the same grid as `u`: it's `unit_open(!word)`. Functions of either are therefore
/// exactly symmetric.
///
/// ```
/// use tdg_definition::random::uniform;
///
/// assert_eq!(uniform::unit_open(0), 1.0 - uniform::unit_open(u64::MAX));
/// assert!(uniform::unit_open(0) > 0.0);
/// ```
#[inline]
pub fn unit_open(word: u64) -> f64 {
    // Puts the 52 bits into the fraction of a number in [1, 2) and subtracts 1 − 2⁻⁵³, which avoids
    // a conversion that the base instruction set of x86-64 can't do on vectors.
    f64::from_bits((word >> 12) | 1.0f64.to_bits()) - (1.0 - ULP_BELOW_1)
}

/// Returns an integer in 0..span, 0 if `span` is 0: `⌊word × span / 2⁶⁴⌋`, the product's upper
/// half.
///
/// The probabilities of two results differ by at most 2⁻⁶⁴.
///
/// ```
/// use tdg_definition::random::uniform;
///
/// assert_eq!(uniform::below(0, 6), 0);
/// assert_eq!(uniform::below(u64::MAX, 6), 5);
/// ```
#[inline]
pub fn below(word: u64, span: u64) -> u64 {
    ((word as u128).wrapping_mul(span as u128) >> 64) as u64
}

/// Returns an integer in 0..=last: `⌊word × (last + 1) / 2⁶⁴⌋`. Unlike [`below`], it can cover the
/// range of all words.
///
/// ```
/// use tdg_definition::random::uniform;
///
/// assert_eq!(uniform::up_to(u64::MAX, 5), 5);
/// assert_eq!(uniform::up_to(4711, u64::MAX), 4711);
/// ```
#[inline]
pub fn up_to(word: u64, last: u64) -> u64 {
    ((word as u128).wrapping_mul(last as u128 + 1) >> 64) as u64
}

/// Scales a word to the range from the first to the last word.
pub(crate) fn within((first, last): (u64, u64), word: u64) -> u64 {
    first + up_to(word, last - first)
}

/// A probability as a bound on words: an event of probability `p` happens if the threshold
/// [`is_above`](Threshold::is_above) the word.
///
/// The upper 63 bits of the word are compared with `⌊p × 2⁶³⌋`. Dropping one bit makes the
/// threshold of `p = 1`, above every word, an integer like the others: 0 never happens and 1 always
/// does, without a special case.
///
/// ```
/// use tdg_definition::random::Threshold;
///
/// assert!(!Threshold::of(0.0).is_above(0));
/// assert!(Threshold::of(1.0).is_above(u64::MAX));
/// assert!(Threshold::of(0.25).is_above(u64::MAX / 4));
/// assert!(!Threshold::of(0.25).is_above(u64::MAX / 4 + 1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Threshold(u64);

impl Threshold {
    const ONE: u64 = 1 << 63;

    /// The threshold of probability 1.
    pub const ALWAYS: Threshold = Threshold(Threshold::ONE);

    /// Returns the threshold of probability `p`. NaN and numbers below 0 count as 0, above 1 as 1.
    pub fn of(p: f64) -> Threshold {
        // The cast truncates, and turns NaN and negative numbers into 0.
        Threshold(((p * Threshold::ONE as f64) as u64).min(Threshold::ONE))
    }

    /// The first word at which the event doesn't happen; `None` if it always does.
    pub(crate) fn first_word(self) -> Option<u64> {
        (self != Self::ALWAYS).then_some(self.0 << 1)
    }

    /// The number of events if they are spread evenly over `rows`: `⌊⌊p × 2⁶³⌋ × rows / 2⁶³⌋`, for
    /// at most 2⁶⁴ rows.
    pub(crate) fn of_rows(self, rows: u128) -> u128 {
        (u128::from(self.0) * rows) >> 63
    }

    /// Returns true if the event happens at this word.
    #[inline]
    pub fn is_above(self, word: u64) -> bool {
        word >> 1 < self.0
    }
}
