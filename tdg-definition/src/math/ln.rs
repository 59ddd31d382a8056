/// ln 2 in two parts. The first ends in 21 zero bits, so that its product with any exponent of a
/// float is exact.
pub(super) const LN_2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);
pub(super) const LN_2_LOW: f64 = f64::from_bits(0x3DEA_39EF_3579_3C76);

const SQRT_HALF_BITS: u64 = 0x3FE6_A09E_667F_3BCD;
const FRACTION_MASK: u64 = (1 << 52) - 1;
const EXPONENT_OF_1: u64 = 1023 << 52;

/// Computes the natural logarithm, within 1 ULP (largest error found: 0.87 ULP).
///
/// NaN for negative numbers and NaN, −∞ for both zeros, ∞ for ∞, exactly 0 for 1.
///
/// With `x = 2ᵏ·(1 + f)`, `√½ ≤ 1 + f < √2` and `s = f / (2 + f)`, it is `k·ln 2 + 2·artanh s`,
/// where `2·artanh s = 2s + 2s³/3 + 2s⁵/5 + …` is cut after s²¹. As `2s = f − s·f` and `s·f = h −
/// s·h` with `h = f²/2`, the series only has to correct `f`, which is exact: `ln (1 + f) = f − (h −
/// s·(h + 2s²/3 + 2s⁴/5 + …))`. (Abramowitz and Stegun, *Handbook of Mathematical Functions*,
/// 4.1.28 and 4.6.33; the arrangement is by W. J. Cody and W. Waite, *Software Manual for the
/// Elementary Functions*, as used in most of today's libraries.)
///
/// ```
/// use tdg_definition::math::ln;
///
/// assert_eq!(ln(1.0), 0.0);
/// assert_eq!(ln(10.0), std::f64::consts::LN_10);
/// ```
pub fn ln(x: f64) -> f64 {
    const SUBNORMAL_SCALE: f64 = (1u64 << 54) as f64;

    if x >= f64::MIN_POSITIVE {
        if x == f64::INFINITY {
            x
        } else {
            ln_of_scaled(x, 0.0)
        }
    } else if x > 0.0 {
        ln_of_scaled(x * SUBNORMAL_SCALE, 54.0)
    } else if x == 0.0 {
        f64::NEG_INFINITY
    } else {
        f64::NAN
    }
}

/// `ln (x / 2ˢ)` with scale `s`, for normal, finite, positive `x`. Branch-free, so that loops over
/// it vectorize.
#[inline(always)]
pub(super) fn ln_of_scaled(x: f64, scale: f64) -> f64 {
    // Shifted by 1 / √½ in the logarithm, the exponent bits belong to the nearest power of two.
    let moved = x
        .to_bits()
        .wrapping_add(EXPONENT_OF_1.wrapping_sub(SQRT_HALF_BITS));
    let k = small_integer(moved >> 52) - 1023.0 - scale;
    let m = f64::from_bits((moved & FRACTION_MASK).wrapping_add(SQRT_HALF_BITS));

    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    // The odd and the even powers of z, each by Horner's rule in z², one step per line.
    let w = z * z;
    let odd = 2.0 / 19.0;
    let odd = odd * w + 2.0 / 15.0;
    let odd = odd * w + 2.0 / 11.0;
    let odd = odd * w + 2.0 / 7.0;
    let odd = odd * w + 2.0 / 3.0;
    let even = 2.0 / 21.0;
    let even = even * w + 2.0 / 17.0;
    let even = even * w + 2.0 / 13.0;
    let even = even * w + 2.0 / 9.0;
    let even = even * w + 2.0 / 5.0;
    let series = odd * z + even * w;
    let h = 0.5 * f * f;
    k * LN_2_HIGH - ((h - (s * (h + series) + k * LN_2_LOW)) - f)
}

/// Converts an integer below 2⁵² to a float by bit operations: the base instruction set of x86-64
/// has no such conversion for vectors.
#[inline(always)]
fn small_integer(n: u64) -> f64 {
    const TWO_52: f64 = (1u64 << 52) as f64;
    f64::from_bits(n | TWO_52.to_bits()) - TWO_52
}
