//! How far a float may be from the expected one.

use std::fmt;

use tdg_definition::json::Number;

use super::number::difference;

/// How far a float may be from the expected one: `|actual − expected|` is at most the larger of
/// `abs` and `rel × max(|actual|, |expected|)`.
///
/// It applies where at least one of two numbers is a float; integers have to be equal. Displayed
/// as it is written in the attribute: `tolerance(rel = 1e-9, abs = 0.01)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// As a share of the larger magnitude: `0.01` is one percent.
    pub rel: f64,
    /// In the unit of the output.
    pub abs: f64,
}

impl Tolerance {
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
        Ok(())
    }

    /// The share of the tolerance that two different numbers use, from 0 to 1; `None` where they
    /// exceed it.
    pub(super) fn share_used(self, expected: Number, actual: Number) -> Option<f64> {
        if !expected.is_float() && !actual.is_float() {
            return None;
        }
        let magnitude = expected.as_f64().abs().max(actual.as_f64().abs());
        // `max` passes a NaN over; the difference doesn't.
        let mut distance = difference(actual, expected).abs();
        if self == Self::default() || !magnitude.is_finite() || distance.is_nan() {
            return None;
        }
        let mut scale = 1.0;
        if distance.is_infinite() {
            scale = 0.25;
            distance = (actual.as_f64() * scale - expected.as_f64() * scale).abs();
        }
        let allowed = (self.abs * scale).max(self.rel * (magnitude * scale));
        (distance <= allowed).then(|| distance / allowed)
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.rel, self.abs) {
            (rel, 0.0) => write!(f, "tolerance(rel = {rel:?})"),
            (0.0, abs) => write!(f, "tolerance(abs = {abs:?})"),
            (rel, abs) => write!(f, "tolerance(rel = {rel:?}, abs = {abs:?})"),
        }
    }
}
