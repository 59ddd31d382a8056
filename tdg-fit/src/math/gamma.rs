//! The gamma function and its relatives, for arguments above 0.
//!
//! Each uses its asymptotic series (M. Abramowitz, I. Stegun, *Handbook of Mathematical Functions*,
//! 6.1.41, 6.3.18, 6.4.12), after the recurrence has made the argument large enough.

use tdg_definition::math::ln;

/// The argument from which the series are accurate to about 1e-13.
const LARGE: f64 = 10.0;

/// Returns ln Γ(x).
pub(crate) fn ln_gamma(mut x: f64) -> f64 {
    const HALF_LN_2_PI: f64 = 0.918_938_533_204_672_8;
    let mut product = 1.0;
    while x < LARGE {
        product *= x;
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series = (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y / 1680.0))) / x;
    (x - 0.5) * ln(x) - x + HALF_LN_2_PI + series - ln(product)
}

/// Returns the derivative of [`ln_gamma`].
pub(crate) fn digamma(mut x: f64) -> f64 {
    let mut sum = 0.0;
    while x < LARGE {
        sum -= 1.0 / x;
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series = y * (1.0 / 12.0 - y * (1.0 / 120.0 - y * (1.0 / 252.0 - y / 240.0)));
    sum + ln(x) - 0.5 / x - series
}

/// Returns the derivative of [`digamma`].
pub(crate) fn trigamma(mut x: f64) -> f64 {
    let mut sum = 0.0;
    while x < LARGE {
        sum += 1.0 / (x * x);
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series = y * (1.0 / 6.0 - y * (1.0 / 30.0 - y * (1.0 / 42.0 - y / 30.0)));
    sum + (1.0 + series) / x + 0.5 * y
}

/// Returns the logarithm of the binomial coefficient, for real numbers.
pub(crate) fn ln_choose(n: f64, k: f64) -> f64 {
    ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64) {
        assert!(
            (value - expected).abs() <= 1e-10 * expected.abs().max(1.0),
            "{value} {expected}"
        );
    }

    #[test]
    fn known_values() {
        close(ln_gamma(0.5), 0.572_364_942_924_700_1);
        close(ln_gamma(1.0), 0.0);
        close(ln_gamma(11.0), 15.104_412_573_075_516);
        close(ln_gamma(100.5), 361.435_540_467_777_57);
        close(digamma(1.0), -0.577_215_664_901_532_9);
        close(digamma(0.1), -10.423_754_940_411_076);
        close(trigamma(1.0), 1.644_934_066_848_226_4);
        close(trigamma(20.0), 0.051_270_822_935_203_124);
        close(ln_choose(10.0, 3.0), 4.787_491_742_782_046);
    }

    #[test]
    fn each_is_the_derivative_of_the_one_before() {
        for x in [0.01, 0.3, 1.0, 2.5, 9.99, 10.01, 1e4] {
            let step = 1e-5 * x;
            let slope = |f: fn(f64) -> f64| (f(x + step) - f(x - step)) / (2.0 * step);
            let (first, second) = (slope(ln_gamma), slope(digamma));
            assert!(
                (first - digamma(x)).abs() < 1e-5 * (1.0 + first.abs()),
                "{x}"
            );
            assert!(
                (second - trigamma(x)).abs() < 1e-5 * (1.0 + second.abs()),
                "{x}"
            );
        }
    }
}
