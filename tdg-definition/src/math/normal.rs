//! The standard normal distribution. The quantile function is algorithm AS 241 (PPND16) of M. J.
//! Wichura, *The percentage points of the normal distribution*, Applied Statistics 37 (1988),
//! 477–484.
//!
//! Three quotients of polynomials of degree 7: one in the center, `|u − ½| ≤ 0.425`, and two in the
//! tails, in terms of `√(−ln p)` with the tail probability `p`.
//!
//! The order of evaluation defines the bits: each polynomial by Estrin's scheme, which waits less
//! for its intermediate results than Horner's rule and is as accurate, `((c₀ + c₁x) + (c₂ +
//! c₃x)·x²) + ((c₄ + c₅x) + (c₆ + c₇x)·x²)·x⁴` with `x⁴ = x²·x²`; then the quotient, in the center
//! `(q·numerator) / denominator` with `q = u − ½`.

mod cdf;
mod word;

pub use cdf::cdf;
pub use word::word;

use super::ln::{ln, ln_of_scaled};
use crate::random::uniform::unit_open;
use crate::simd::widest;

/// The largest distance from the median for the central quotient.
const CENTRAL_REACH: f64 = 0.425;
/// The largest radius for the quotient of the near tail.
const NEAR_REACH: f64 = 5.0;

/// Computes the number that a standard normal variable stays below with probability `u`.
///
/// Relative error below 1e-15 (largest found: 6.5e-16). `quantile(1 − u)` is exactly `−quantile(u)`
/// for the `u` of [`unit_open`]. It grows with `u`, although rounding may swap results for `u`
/// closer than 2⁻⁴⁷. −∞ for 0 and ∞ for 1; NaN outside.
///
/// ```
/// use tdg_definition::math::normal;
///
/// assert_eq!(normal::quantile(0.5), 0.0);
/// assert!((normal::quantile(0.975) - 1.959963984540054).abs() < 1e-15);
/// ```
pub fn quantile(u: f64) -> f64 {
    let q = u - 0.5;
    if q.abs() <= CENTRAL_REACH {
        return central(q);
    }
    let beyond = beyond(u);
    if beyond == 0.0 {
        return f64::INFINITY.copysign(q);
    }
    let radius = (-ln(beyond)).sqrt();
    let value = if radius > NEAR_REACH {
        far_tail(radius)
    } else {
        near_tail(radius)
    };
    value.copysign(q)
}

/// Computes standard normal values from words: `out[i]` has the bits of
/// `quantile(unit_open(words[i]))`, up to the length of the shorter slice.
///
/// ```
/// use tdg_definition::math::normal;
/// use tdg_definition::random::{Purpose, Stream};
///
/// let mut words = [0; 1000];
/// let mut values = [0.0; 1000];
/// Stream::new(7, "amount").fill(Purpose::Value, 0, 0, &mut words);
/// normal::fill(&words, &mut values);
/// assert!(values.iter().all(|value| value.abs() < 5.0));
/// ```
pub fn fill(words: &[u64], out: &mut [f64]) {
    Chunk::new().fill_all(words, out);
}

/// Fits on the stack and into the first-level cache.
const CHUNK: usize = 256;

/// The state of [`fill`] between its passes over a chunk. Creating one costs as much as some
/// values.
pub(crate) struct Chunk {
    /// The argument of the central polynomials, which is negative in the tails.
    centrality: [f64; CHUNK],
    /// The positions of values in a tail, which the fields below follow.
    tails: [u16; CHUNK],
    radii: [f64; CHUNK],
    values: [f64; CHUNK],
}

impl Chunk {
    pub(crate) fn new() -> Self {
        Self {
            centrality: [0.0; CHUNK],
            tails: [0; CHUNK],
            radii: [0.0; CHUNK],
            values: [0.0; CHUNK],
        }
    }

    /// Like [`fill`].
    pub(crate) fn fill_all(&mut self, words: &[u64], out: &mut [f64]) {
        widest(
            #[inline(always)]
            || {
                for (words, out) in words.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
                    let length = words.len().min(out.len());
                    self.fill(&words[..length], &mut out[..length]);
                }
            },
        );
    }

    /// Makes several branch-free passes, which the compiler can vectorize: first everything as if
    /// it were central, then the tails. A pass has one polynomial (a logarithm is one), whose
    /// coefficients fit into the registers. Loops are indexed, because iterators are slow in
    /// unoptimized builds.
    #[inline(always)]
    fn fill(&mut self, words: &[u64], out: &mut [f64]) {
        // Slices of the same length let the compiler remove bounds checks.
        let length = words.len().min(CHUNK);
        let (words, out) = (&words[..length], &mut out[..length]);
        let centrality = &mut self.centrality[..length];
        let mut i = 0;
        while i < length {
            let q = centred(words[i]);
            let x = central_argument(q);
            centrality[i] = x;
            out[i] = q * polynomial(&CENTRAL_NUMERATOR, x);
            i += 1;
        }
        let mut i = 0;
        while i < length {
            out[i] /= polynomial(&CENTRAL_DENOMINATOR, centrality[i]);
            i += 1;
        }

        let mut count = 0;
        let mut i = 0;
        while i < length {
            self.tails[count % CHUNK] = i as u16;
            count += centrality[i].is_sign_negative() as usize;
            i += 1;
        }

        self.fill_tails(words, out, count.min(CHUNK));
    }

    /// Computes the values in the tails.
    #[inline(always)]
    fn fill_tails(&mut self, words: &[u64], out: &mut [f64], count: usize) {
        let tails = &self.tails[..count];
        let (radii, values) = (&mut self.radii[..count], &mut self.values[..count]);
        let mut t = 0;
        while t < count {
            radii[t] = 0.5 - centred(words[tails[t] as usize]).abs();
            t += 1;
        }
        let mut t = 0;
        while t < count {
            // Same as `ln` for these floats, which are normal.
            radii[t] = (-ln_of_scaled(radii[t], 0.0)).sqrt();
            t += 1;
        }
        let mut t = 0;
        while t < count {
            values[t] = near_numerator(radii[t]);
            t += 1;
        }
        let mut t = 0;
        while t < count {
            values[t] /= near_denominator(radii[t]);
            t += 1;
        }
        let mut t = 0;
        while t < count {
            let i = tails[t] as usize;
            let value = if radii[t] > NEAR_REACH {
                far_tail(radii[t])
            } else {
                values[t]
            };
            out[i] = value.copysign(centred(words[i]));
            t += 1;
        }
    }
}

/// `u − ½` for a word's `u`
#[inline(always)]
fn centred(word: u64) -> f64 {
    unit_open(word) - 0.5
}

/// The probability of the smaller side, `½ − |u − ½|`; exact for the `u` of [`unit_open`].
#[inline(always)]
fn beyond(u: f64) -> f64 {
    if u < 0.5 { u } else { 1.0 - u }
}

fn central(q: f64) -> f64 {
    let x = central_argument(q);
    (q * polynomial(&CENTRAL_NUMERATOR, x)) / polynomial(&CENTRAL_DENOMINATOR, x)
}

/// Negative exactly if `|q|` exceeds [`CENTRAL_REACH`]: the squares of adjacent floats around it
/// round apart.
#[inline(always)]
fn central_argument(q: f64) -> f64 {
    CENTRAL_REACH * CENTRAL_REACH - q * q
}

fn near_tail(radius: f64) -> f64 {
    near_numerator(radius) / near_denominator(radius)
}

#[inline(always)]
fn near_numerator(radius: f64) -> f64 {
    polynomial(&NEAR_NUMERATOR, radius - 1.6)
}

#[inline(always)]
fn near_denominator(radius: f64) -> f64 {
    polynomial(&NEAR_DENOMINATOR, radius - 1.6)
}

#[inline(always)]
fn far_tail(radius: f64) -> f64 {
    let r = radius - NEAR_REACH;
    polynomial(&FAR_NUMERATOR, r) / polynomial(&FAR_DENOMINATOR, r)
}

/// Evaluates a polynomial by Estrin's scheme.
#[inline(always)]
fn polynomial(coefficients: &[f64; 8], x: f64) -> f64 {
    let &[c0, c1, c2, c3, c4, c5, c6, c7] = coefficients;
    let x2 = x * x;
    let x4 = x2 * x2;
    ((c0 + c1 * x) + (c2 + c3 * x) * x2) + ((c4 + c5 * x) + (c6 + c7 * x) * x2) * x4
}

// From the constant term up; the shortest decimals of the doubles nearest to the printed
// coefficients (a, b, c, d, e and f in the paper).

const CENTRAL_NUMERATOR: [f64; 8] = [
    3.3871328727963665,
    133.14166789178438,
    1971.5909503065513,
    13731.69376550946,
    45921.95393154987,
    67265.7709270087,
    33430.57558358813,
    2509.0809287301227,
];

const CENTRAL_DENOMINATOR: [f64; 8] = [
    1.0,
    42.31333070160091,
    687.1870074920579,
    5394.196021424751,
    21213.794301586597,
    39307.89580009271,
    28729.085735721943,
    5226.495278852854,
];

const NEAR_NUMERATOR: [f64; 8] = [
    1.4234371107496835,
    4.630337846156546,
    5.769497221460691,
    3.6478483247632045,
    1.2704582524523684,
    0.2417807251774506,
    0.022723844989269184,
    0.0007745450142783414,
];

const NEAR_DENOMINATOR: [f64; 8] = [
    1.0,
    2.053191626637759,
    1.6763848301838038,
    0.6897673349851,
    0.14810397642748008,
    0.015198666563616457,
    0.0005475938084995345,
    1.0507500716444169e-09,
];

const FAR_NUMERATOR: [f64; 8] = [
    6.657904643501103,
    5.463784911164114,
    1.7848265399172913,
    0.29656057182850487,
    0.026532189526576124,
    0.0012426609473880784,
    2.7115555687434876e-05,
    2.0103343992922881e-07,
];

const FAR_DENOMINATOR: [f64; 8] = [
    1.0,
    0.599832206555888,
    0.1369298809227358,
    0.014875361290850615,
    0.0007868691311456133,
    1.8463183175100548e-05,
    1.421511758316446e-07,
    2.0442631033899397e-15,
];
