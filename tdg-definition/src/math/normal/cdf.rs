use crate::math::exp;

/// Computes the probability that a standard normal variable stays below `z`: the inverse of
/// [`quantile`](super::quantile). Relative error below 1e-15 (largest found: 8.0e-16), including
/// the far lower tail. 0 below about −38.6, NaN for NaN.
///
/// Three quotients of polynomials: for `|z| ≤ 0.67448975`, up to `√32`, and beyond. (W. J. Cody,
/// *Rational Chebyshev approximations for the error function*, Mathematics of Computation 23
/// (1969), 631–637, with the coefficients for the normal distribution of his *Algorithm 715*, ACM
/// Transactions on Mathematical Software 19 (1993), 22–30.)
///
/// The order of evaluation defines the bits: Horner's rule, from the highest power down.
///
/// ```
/// use tdg_definition::math::normal;
///
/// assert_eq!(normal::cdf(0.0), 0.5);
/// assert!((normal::cdf(1.959963984540054) - 0.975).abs() < 1e-15);
/// ```
pub fn cdf(z: f64) -> f64 {
    let y = z.abs();
    if y <= CENTRAL_REACH {
        let square = if y > EPSILON { z * z } else { 0.0 };
        let [leading, rest @ ..] = &CENTRAL_NUMERATOR;
        let numerator = horner(leading * square, rest, square);
        let denominator = horner(square, &CENTRAL_DENOMINATOR, square);
        return 0.5 + z * numerator / denominator;
    }
    let beyond = if y <= NEAR_REACH {
        let [leading, rest @ ..] = &NEAR_NUMERATOR;
        density_part(y) * (horner(leading * y, rest, y) / horner(y, &NEAR_DENOMINATOR, y))
    } else if y < LAST {
        let square = 1.0 / (z * z);
        let [leading, rest @ ..] = &FAR_NUMERATOR;
        let numerator = horner(leading * square, rest, square);
        let denominator = horner(square, &FAR_DENOMINATOR, square);
        density_part(y) * ((ONE_BY_ROOT_2_PI - square * numerator / denominator) / y)
    } else if y.is_nan() {
        return z;
    } else {
        0.0
    };
    if z < 0.0 { beyond } else { 1.0 - beyond }
}

/// `exp(−y²/2)`: `y` is split at 1/16 so that the square of the first part is exact.
fn density_part(y: f64) -> f64 {
    let high = (y * 16.0) as i64 as f64 / 16.0;
    let rest = (y - high) * (y + high);
    exp(-(high * high * 0.5)) * exp(-(rest * 0.5))
}

/// Evaluates a polynomial from the term `first` of the highest power: `(first + c₀)·x + c₁ …`; the
/// last coefficient is only added.
fn horner(first: f64, coefficients: &[f64], x: f64) -> f64 {
    let mut sum = first;
    let last = coefficients.len() - 1;
    for &coefficient in &coefficients[..last] {
        sum = (sum + coefficient) * x;
    }
    sum + coefficients[last]
}

const EPSILON: f64 = 1.11e-16;
const CENTRAL_REACH: f64 = 0.67448975;
/// √32.
const NEAR_REACH: f64 = 5.656854249492381;
/// The limit past which the probability is below the smallest float.
const LAST: f64 = 38.6;
/// 1 / √(2π).
const ONE_BY_ROOT_2_PI: f64 = 0.3989422804014327;

// The coefficient of the highest power first, then the others down to the constant term.

const CENTRAL_NUMERATOR: [f64; 5] = [
    0.06568233791820745,
    2.2352520354606837,
    161.02823106855587,
    1067.6894854603709,
    18154.98125334356,
];

const CENTRAL_DENOMINATOR: [f64; 4] = [
    47.202581904688245,
    976.0985517377767,
    10260.932208618979,
    45507.78933502673,
];

const NEAR_NUMERATOR: [f64; 9] = [
    1.0765576773720192e-08,
    0.39894151208813466,
    8.883149794388377,
    93.50665613217785,
    597.2702763948002,
    2494.5375852903726,
    6848.190450536283,
    11602.65143764735,
    9842.714838383978,
];

const NEAR_DENOMINATOR: [f64; 8] = [
    22.266688044328117,
    235.387901782625,
    1519.3775994075547,
    6485.558298266761,
    18615.571640885097,
    34900.95272114598,
    38912.00328609327,
    19685.429676859992,
];

const FAR_NUMERATOR: [f64; 6] = [
    0.023073441764940174,
    0.215898534057957,
    0.12740116116024736,
    0.022235277870649807,
    0.0014216191932278934,
    2.9112874951168793e-05,
];

const FAR_DENOMINATOR: [f64; 5] = [
    1.284260096144911,
    0.4682382124808651,
    0.06598813786892856,
    0.0037823963320275824,
    7.297515550839662e-05,
];
