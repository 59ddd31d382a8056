use super::cdf;

/// 2⁶⁴.
const WORDS: f64 = 18_446_744_073_709_551_616.0;

/// Returns the word of a standard normal value: if values are normal, all words are equally likely.
///
/// Up to 0 it is `⌊Φ(z) × 2⁶⁴⌋`, at most 2⁶³ − 1, with the [probability](cdf()) `Φ(z)` of staying
/// below `z`; above 0, it is `!word(-z)`, the distance from the largest word. Both tails are
/// therefore equally fine. As `z` rises, it never falls by more than rounding.
///
/// ```
/// use tdg_definition::math::normal;
///
/// assert_eq!(normal::word(-1.0) >> 48, 0x289d);
/// assert_eq!(normal::word(1.0), !normal::word(-1.0));
/// ```
pub fn word(z: f64) -> u64 {
    let below = (cdf(-z.abs()) * WORDS) as u64;
    let lower = below.min(u64::MAX / 2);
    if z < 0.0 { lower } else { !lower }
}
