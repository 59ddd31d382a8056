//! The float nearest to a decimal of up to 19 digits.
//!
//! Nearly every float in a table is one, and benchmarks spend their time on reading tables.
//! `str::parse` would read the digits a second time.

/// Any integer with this number of digits fits into a `u64`.
pub(super) const EXACT_DIGITS: usize = 19;

// Statics, because code that is not optimised copies a constant array before it indexes it.

/// The powers of ten that are floats without rounding, as far as they are needed here.
static POWERS_OF_TEN: [f64; EXACT_DIGITS + 1] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19,
];

/// The first 128 bits of 5⁻ᵏ, rounded up.
static RECIPROCALS_OF_POWERS_OF_FIVE: [u128; EXACT_DIGITS + 1] = {
    let mut reciprocals = [0; EXACT_DIGITS + 1];
    let mut power = 1;
    let mut k = 0;
    while k <= EXACT_DIGITS {
        reciprocals[k] = reciprocal(power);
        power *= 5;
        k += 1;
    }
    reciprocals
};

/// 2ⁿ / divisor, rounded up, with the n that gives 128 bits.
const fn reciprocal(divisor: u128) -> u128 {
    let mut quotient = 0_u128;
    let mut remainder = 1;
    while quotient >> 127 == 0 {
        let fits = remainder >= divisor;
        quotient = quotient << 1 | fits as u128;
        remainder = if fits { remainder - divisor } else { remainder } << 1;
    }
    if remainder == 0 {
        quotient
    } else {
        quotient + 1
    }
}

/// The float nearest to `digits` / 10^`fraction_digits`, ties to even.
///
/// There are at most [`EXACT_DIGITS`] fraction digits.
pub(super) fn nearest_float(digits: u64, fraction_digits: usize) -> f64 {
    const EXACT_INTEGERS: u64 = 1 << 53;
    if digits <= EXACT_INTEGERS || fraction_digits == 0 {
        // One operation at most rounds.
        return digits as f64 / POWERS_OF_TEN[fraction_digits];
    }
    eisel_lemire(digits, fraction_digits)
}

/// D. Lemire, "Number Parsing at a Gigabyte per Second" (2021), section 5, where neither
/// subnormal nor infinite results can occur; that it never needs more bits is shown by
/// N. Mushtak and D. Lemire, "Fast Number Parsing Without Fallback" (2023).
fn eisel_lemire(digits: u64, fraction_digits: usize) -> f64 {
    const MANTISSA_BITS: u32 = 52;
    const EXPONENT_BIAS: i64 = 1023;

    let leading_zeros = digits.leading_zeros();
    let normalised = u128::from(digits << leading_zeros);
    let reciprocal = RECIPROCALS_OF_POWERS_OF_FIVE[fraction_digits];
    let mut product = normalised * (reciprocal >> 64);
    // The lower half of the reciprocal counts only where a carry could reach the mantissa.
    const UNDECIDED: u64 = u64::MAX >> (MANTISSA_BITS + 3);
    if (product >> 64) as u64 & UNDECIDED == UNDECIDED {
        product += (normalised * u128::from(reciprocal as u64)) >> 64;
    }
    let (high, low) = ((product >> 64) as u64, product as u64);

    // The mantissa with one bit more, for rounding.
    let top_bit = high >> 63;
    let shift = top_bit as u32 + 63 - MANTISSA_BITS - 2;
    let mut mantissa = high >> shift;
    let is_tie = low <= 1 && fraction_digits <= 4 && mantissa & 3 == 1 && mantissa << shift == high;
    if is_tie {
        mantissa -= 1;
    }
    mantissa = (mantissa + (mantissa & 1)) >> 1;

    // ⌊−k·log₂ 10⌋ by a multiplication that is exact for these k.
    let scale = -(fraction_digits as i64);
    let power_of_two = ((scale * 217_706) >> 16) + 63;
    let exponent = power_of_two + top_bit as i64 - i64::from(leading_zeros) + EXPONENT_BIAS;
    // A mantissa that was rounded up to the next power of two carries into the exponent.
    let bits = ((exponent as u64 - 1) << MANTISSA_BITS) + mantissa;
    f64::from_bits(bits)
}

/// The value of eight ASCII digits, if they are.
pub(super) fn eight_digits(bytes: [u8; 8]) -> Option<u64> {
    let word = u64::from_le_bytes(bytes);
    let above_nine = word.wrapping_add(0x4646_4646_4646_4646);
    let values = word.wrapping_sub(0x3030_3030_3030_3030);
    if (above_nine | values) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    // Neighbours are joined to numbers of two digits, those to four, those to eight.
    let pairs = (values * 10 + (values >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    Some((fours & 0xffff_ffff) * 10_000 + (fours >> 32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(digits: u64, fraction_digits: usize) -> String {
        format!("{digits}e-{fraction_digits}")
    }

    #[test]
    fn reciprocals_are_those_of_the_paper() {
        assert_eq!(RECIPROCALS_OF_POWERS_OF_FIVE[0], 1 << 127);
        assert_eq!(
            RECIPROCALS_OF_POWERS_OF_FIVE[1],
            0xcccc_cccc_cccc_cccc_cccc_cccc_cccc_cccd
        );
        assert_eq!(
            RECIPROCALS_OF_POWERS_OF_FIVE[2],
            0xa3d7_0a3d_70a3_d70a_3d70_a3d7_0a3d_70a4
        );
    }

    #[test]
    fn eight_digits_are_told_from_everything_else() {
        assert_eq!(eight_digits(*b"12345678"), Some(12_345_678));
        assert_eq!(eight_digits(*b"99999999"), Some(99_999_999));
        assert_eq!(eight_digits(*b"00000000"), Some(0));
        for place in 0..8 {
            for byte in (0..=u8::MAX).filter(|byte| !byte.is_ascii_digit()) {
                let mut bytes = *b"19283746";
                bytes[place] = byte;
                assert_eq!(eight_digits(bytes), None, "{byte:#x} at {place}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn a_decimal_is_the_float_of_the_standard_library(
            digits in prop_oneof![any::<u64>(), (1_u64 << 53) - 4..(1 << 54), u64::MAX - 4096..=u64::MAX],
            fraction_digits in 0..=EXACT_DIGITS,
        ) {
            let expected: f64 = text(digits, fraction_digits).parse().unwrap();
            prop_assert_eq!(nearest_float(digits, fraction_digits).to_bits(), expected.to_bits());
        }

        #[test]
        fn a_decimal_near_the_middle_of_two_floats_is_rounded_right(
            half in 1_u64 << 52..1 << 53, fraction_digits in 0..=4_usize, off in -1_i64..=1,
        ) {
            let middle = u128::from(2 * half + 1) * 5_u128.pow(fraction_digits as u32);
            let Some(digits) = u64::try_from(middle).ok().and_then(|it| it.checked_add_signed(off)) else {
                return Ok(());
            };
            let expected: f64 = text(digits, fraction_digits).parse().unwrap();
            prop_assert_eq!(nearest_float(digits, fraction_digits).to_bits(), expected.to_bits());
        }
    }
}
