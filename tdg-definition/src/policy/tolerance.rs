//! The allowed distance between a number and the expected one.

use std::fmt;

/// The allowed distance between a number and the expected one.
///
/// A number passes if any limit accepts it: the distance is at most `abs`, or at most `rel` times
/// the larger magnitude, or at most `ulp` floats. Tolerances apply if at least one of the two
/// numbers is a float; [`with_integers`](Self::with_integers) extends `rel` and `abs` to pairs of
/// integers. Displayed in the attribute's syntax.
///
/// ```
/// use tdg_definition::Tolerance;
///
/// let cents = Tolerance::abs(0.01);
/// let sums = Tolerance::rel(1e-9).or_ulp(4);
/// let counts = Tolerance::abs(1.0).with_integers();
/// assert_eq!(counts.to_string(), "tolerance(abs = 1.0, integers)");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    rel: f64,
    abs: f64,
    ulp: u64,
    integers: bool,
}

impl Tolerance {
    /// Allows a share of the larger magnitude: `0.01` is one percent.
    pub fn rel(rel: f64) -> Self {
        Self::default().or_rel(rel)
    }

    /// Allows a distance in the output's unit; `0.0` is exact.
    pub fn abs(abs: f64) -> Self {
        Self::default().or_abs(abs)
    }

    /// Allows a number of floats, i.e. units in the last place. Integers have no ULP.
    pub fn ulp(ulp: u64) -> Self {
        Self::default().or_ulp(ulp)
    }

    /// Also accepts numbers within this share of the larger magnitude.
    #[must_use]
    pub fn or_rel(self, rel: f64) -> Self {
        Self { rel, ..self }
    }

    /// Also accepts numbers within this distance.
    #[must_use]
    pub fn or_abs(self, abs: f64) -> Self {
        Self { abs, ..self }
    }

    /// Also accepts numbers that are at most this many floats away.
    #[must_use]
    pub fn or_ulp(self, ulp: u64) -> Self {
        Self { ulp, ..self }
    }

    /// Applies `rel` and `abs` to pairs of integers too, which must otherwise be equal.
    #[must_use]
    pub fn with_integers(self) -> Self {
        Self {
            integers: true,
            ..self
        }
    }

    /// Returns the limit as a share of the larger magnitude; 0 if unset.
    pub fn relative(self) -> f64 {
        self.rel
    }

    /// Returns the limit as a distance; 0 if unset.
    pub fn absolute(self) -> f64 {
        self.abs
    }

    /// Returns the limit as a number of floats; 0 if unset.
    pub fn ulps(self) -> u64 {
        self.ulp
    }

    /// Returns true if `rel` and `abs` apply to pairs of integers too.
    pub fn includes_integers(self) -> bool {
        self.integers
    }

    /// Returns true if only equal numbers pass.
    pub fn is_exact(self) -> bool {
        self == Self::default()
    }

    /// Checks that the tolerance is usable; the error is the faulty member and its problem.
    pub(super) fn check(self) -> Result<(), (&'static str, String)> {
        for (name, limit) in [("rel", self.rel), ("abs", self.abs)] {
            if !limit.is_finite() {
                let problem = format!(
                    "must be a finite number, but is {limit}; \
                     to leave a field out of the comparison, use ignore(\"/field\")"
                );
                return Err((name, problem));
            }
            if limit < 0.0 {
                let problem = format!(
                    "must be 0 or greater, but is {limit:?}; write {name} = {:?}",
                    -limit
                );
                return Err((name, problem));
            }
        }
        if self.integers && self.rel == 0.0 && self.abs == 0.0 {
            let problem = "needs `rel` or `abs`, which say how far apart integers may be, \
                           such as abs = 1";
            return Err(("integers", problem.to_owned()));
        }
        Ok(())
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        for (name, limit) in [("rel", self.rel), ("abs", self.abs)] {
            if limit != 0.0 {
                parts.push(format!("{name} = {limit:?}"));
            }
        }
        if self.ulp != 0 {
            parts.push(format!("ulp = {}", self.ulp));
        }
        if self.integers {
            parts.push("integers".to_owned());
        }
        if parts.is_empty() {
            parts.push("abs = 0.0".to_owned());
        }
        write!(formatter, "tolerance({})", parts.join(", "))
    }
}
