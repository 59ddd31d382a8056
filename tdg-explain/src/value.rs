//! Values of attributes, and arithmetic on numbers.

use tdg_definition::json::Number;

/// A value that an attribute can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AttributeValue<'t> {
    Number(Number),
    Text(&'t str),
}

impl<'t> AttributeValue<'t> {
    pub(super) fn text(self) -> Option<&'t str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Number(_) => None,
        }
    }
}

/// Returns the difference of two numbers, exact for integers.
pub(super) fn difference(left: Number, right: Number) -> Number {
    combined([left, right], i128::saturating_sub, |left, right| {
        left - right
    })
}

/// Returns the sum of two numbers, exact for integers.
pub(super) fn sum(left: Number, right: Number) -> Number {
    combined([left, right], i128::saturating_add, |left, right| {
        left + right
    })
}

/// Returns the product of two numbers, exact for integers.
#[cfg(feature = "full")]
pub(super) fn product(left: Number, right: Number) -> Number {
    combined([left, right], i128::saturating_mul, |left, right| {
        left * right
    })
}

fn combined(
    numbers: [Number; 2],
    of_integers: fn(i128, i128) -> i128,
    of_floats: fn(f64, f64) -> f64,
) -> Number {
    let [left, right] = numbers.map(|it| it.as_i128().filter(|_| !it.is_float()));
    match (left, right) {
        (Some(left), Some(right)) => of_integers(left, right).into(),
        _ => {
            let [left, right] = numbers.map(|it| it.as_f64());
            rounded(of_floats(left, right))
        }
    }
}

/// Returns the sum of numbers, exact for integers.
pub(super) fn total(numbers: &[Number]) -> Number {
    let is_integer = |it: &Number| !it.is_float() && it.as_i128().is_some();
    match numbers.iter().all(is_integer) {
        true => numbers.iter().copied().fold(Number::from(0), sum),
        // Rounding takes much longer than adding.
        false => rounded(numbers.iter().map(|it| it.as_f64()).sum()),
    }
}

/// The exact powers of ten.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];
/// The number of significant digits after the first.
const DIGITS: usize = 12;

/// Removes the noise of binary fractions from sums of decimal ones.
pub(super) fn rounded(float: f64) -> Number {
    let read = || format!("{float:.DIGITS$e}").parse().unwrap_or(float);
    rounded_by_arithmetic(float).unwrap_or_else(read).into()
}

/// Returns the float with the same digits as its decimal notation; `None` if arithmetic can't tell.
fn rounded_by_arithmetic(float: f64) -> Option<f64> {
    let size = float.abs();
    // Below one, the digits begin later.
    let digits = POWERS.partition_point(|power| *power <= size);
    let zeros = POWERS.partition_point(|power| digits == 0 && size * power < 1.0);
    let scale = POWERS.get((DIGITS + 1 + zeros).checked_sub(digits.max(1))?)?;
    let scaled = size * scale;
    // The product is rounded, so a half may be less or more than that. NaN is neither.
    let is_clear = (scaled.fract() - 0.5).abs() > 0.01;
    // The quotient of two exact numbers is the float next to the decimal.
    is_clear.then(|| (scaled.round() / scale).copysign(float))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_rounds_as_decimal_notation_does() {
        let mut state = 1_u64;
        let mut by_arithmetic = 0;
        for _ in 0..100_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let fraction = (state >> 11) as f64 / 9_007_199_254_740_992.0;
            let power = POWERS[(state >> 3) as usize % POWERS.len()];
            for float in [
                fraction * power,
                -fraction / power,
                (fraction * 1e4).round() / 1e2,
            ] {
                let read: f64 = format!("{float:.12e}").parse().unwrap();
                if let Some(found) = rounded_by_arithmetic(float) {
                    assert_eq!(found.to_bits(), read.to_bits(), "{float:e}");
                    by_arithmetic += 1;
                }
            }
        }
        assert!(by_arithmetic > 150_000, "{by_arithmetic}");
        let apart = [
            0.0,
            -0.0,
            0.1 + 0.2,
            9.999_999_999_999_96,
            1e300,
            f64::NAN,
            f64::INFINITY,
        ];
        let texts = apart.map(|float| format!("{:?}", rounded_by_arithmetic(float)));
        insta::assert_snapshot!(texts.join(" "), @"None None Some(0.3) Some(10.0) None None None");
    }

    #[test]
    fn a_total_is_exact_for_integers_and_has_no_noise_otherwise() {
        let of = |numbers: &[f64]| {
            let numbers: Vec<Number> = numbers.iter().map(|it| (*it).into()).collect();
            total(&numbers).to_string()
        };
        assert_eq!(
            [of(&[0.1; 10]), of(&[]), of(&[1.5, -1.5])],
            ["1.0", "0", "0.0"]
        );
        let integers = [Number::from(i64::MAX), Number::from(1)];
        assert_eq!(total(&integers).to_string(), "9223372036854775808");
    }
}
