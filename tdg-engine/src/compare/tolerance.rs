//! How far a number may be from the expected one.

use std::fmt;

use tdg_definition::json::Number;

use super::number::{difference, ulps};

/// How far a number may be from the expected one: `|actual − expected|` is at most the larger of
/// `abs` and `rel × max(|actual|, |expected|)`, or at most `ulp` floats lie from one to the other.
///
/// It applies where at least one of two numbers is a float; to two integers only if `integers` says
/// so. Displayed as it is written in the attribute: `tolerance(rel = 1e-9, abs = 0.01)`.
///
/// ```
/// use tdg_engine::compare::Tolerance;
///
/// let cents = Tolerance::abs(0.01);
/// let counts = Tolerance { integers: true, ..Tolerance::abs(1.0) };
/// let both = Tolerance { abs: 1e-12, ..Tolerance::rel(1e-9) };
/// assert_eq!(counts.to_string(), "tolerance(abs = 1.0, integers)");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// As a share of the larger magnitude: `0.01` is one percent.
    pub rel: f64,
    /// In the unit of the output.
    pub abs: f64,
    /// In units in the last place: how many floats further the actual one may be. Integers have none.
    pub ulp: u64,
    /// Whether `rel` and `abs` hold between two integers too.
    pub integers: bool,
}

impl Tolerance {
    /// None at all.
    pub const EXACT: Self = Self {
        rel: 0.0,
        abs: 0.0,
        ulp: 0,
        integers: false,
    };

    /// A share of the larger magnitude.
    pub fn rel(rel: f64) -> Self {
        Self { rel, ..Self::EXACT }
    }

    /// A distance in the unit of the output.
    pub fn abs(abs: f64) -> Self {
        Self { abs, ..Self::EXACT }
    }

    /// A number of floats.
    pub fn ulp(ulp: u64) -> Self {
        Self { ulp, ..Self::EXACT }
    }

    /// What is wrong with the tolerance and how to write it, if it is not usable.
    pub(super) fn check(self) -> Result<(), String> {
        for (name, limit) in [("rel", self.rel), ("abs", self.abs)] {
            if !limit.is_finite() {
                return Err(format!(
                    "{name} must be a finite number, but is {limit}; \
                     to leave a field out of the comparison, use ignore(\"/field\")"
                ));
            }
            if limit < 0.0 {
                return Err(format!(
                    "{name} must be 0 or greater, but is {limit:?}; write {name} = {:?}",
                    -limit
                ));
            }
        }
        if self.integers && self.rel == 0.0 && self.abs == 0.0 {
            return Err(
                "integers needs rel or abs, which say how far they may be apart, such as abs = 1"
                    .to_owned(),
            );
        }
        Ok(())
    }

    /// The share of the tolerance that two different numbers use, from 0 to 1; `None` where they
    /// exceed it.
    pub(super) fn share_used(self, expected: Number, actual: Number) -> Option<f64> {
        if self == Self::EXACT {
            return None;
        }
        let by_distance = self.share_of_distance(expected, actual);
        let by_ulps = self.share_of_ulps(expected, actual);
        match (by_distance, by_ulps) {
            (Some(left), Some(right)) => Some(left.min(right)),
            (one, other) => one.or(other),
        }
    }

    /// Whether no two numbers, one at most the lesser and one at least the greater of these, can be
    /// within the tolerance. In doubt it says no.
    pub(super) fn leaves_gap(self, lesser: Number, greater: Number) -> bool {
        // Beyond that, numbers of both signs can be within it, and those between them not.
        if self.rel >= 0.5 {
            return false;
        }
        // Integers that are no floats are rounded, by an ULP at most.
        let generous = Self {
            rel: self.rel * 2.0,
            abs: self.abs * 2.0,
            ulp: self.ulp.saturating_mul(2).saturating_add(2),
            integers: true,
        };
        let (lesser, greater) = (lesser.as_f64(), greater.as_f64());
        let (lesser, greater) = (Number::from(lesser), Number::from(greater));
        lesser != greater && generous.share_used(lesser, greater).is_none()
    }

    fn share_of_distance(self, expected: Number, actual: Number) -> Option<f64> {
        if !self.integers && !expected.is_float() && !actual.is_float() {
            return None;
        }
        let magnitude = expected.as_f64().abs().max(actual.as_f64().abs());
        // `max` passes a NaN over; the difference doesn't.
        let mut distance = difference(actual, expected).abs();
        if !magnitude.is_finite() || distance.is_nan() {
            return None;
        }
        let mut scale = 1.0;
        if distance.is_infinite() {
            scale = 0.25;
            distance = (actual.as_f64() * scale - expected.as_f64() * scale).abs();
        }
        let allowed = (self.abs * scale).max(self.rel * (magnitude * scale));
        (allowed > 0.0 && distance <= allowed).then(|| distance / allowed)
    }

    fn share_of_ulps(self, expected: Number, actual: Number) -> Option<f64> {
        if self.ulp == 0 {
            return None;
        }
        let ulps = ulps(expected, actual)?;
        (ulps <= self.ulp).then(|| ulps as f64 / self.ulp as f64)
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
        write!(f, "tolerance({})", parts.join(", "))
    }
}
