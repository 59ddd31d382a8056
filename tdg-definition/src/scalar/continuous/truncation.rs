//! The standard normal distribution between two bounds.

use crate::math::normal;

/// Values between the standard normal values `low` and `high`, by inversion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Truncation {
    /// The probabilities cut off on either side.
    below: f64,
    above: f64,
    /// The remaining probability.
    mass: f64,
}

/// The largest usable bound; past it, probabilities are too close to the smallest float.
pub(super) const REACH: f64 = 37.0;

impl Truncation {
    /// Requires `low <= high`, with at least one within ±[`REACH`] or one on either side of it.
    pub(super) fn new(low: f64, high: f64) -> Self {
        let (below, above) = (normal::cdf(low), normal::cdf(-high));
        // The difference of the two smaller probabilities.
        let mass = if high <= 0.0 {
            normal::cdf(high) - below
        } else if low >= 0.0 {
            normal::cdf(-low) - above
        } else {
            1.0 - below - above
        };
        Self { below, above, mass }
    }

    /// With `p = Φ(low) + u × mass` and `q = Φ(-high) + (1 - u) × mass`, it's `Φ⁻¹(p)`, or
    /// `-Φ⁻¹(q)` if `q` is smaller: in both tails, the smaller probability is the exact one.
    pub(super) fn quantile(self, u: f64) -> f64 {
        let p = self.below + u * self.mass;
        let q = self.above + (1.0 - u) * self.mass;
        if p <= q {
            normal::quantile(p)
        } else {
            -normal::quantile(q)
        }
    }
}
