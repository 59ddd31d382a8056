//! The check that two numbers are within a tolerance.

use tdg_definition::Tolerance;
use tdg_definition::json::Number;

use super::number::{difference, ulps};

/// Returns the share of the tolerance that two different numbers use, from 0 to 1, or `None` if
/// they exceed it.
pub(super) fn share_used(tolerance: Tolerance, expected: Number, actual: Number) -> Option<f64> {
    if tolerance.is_exact() {
        return None;
    }
    let by_distance = share_of_distance(tolerance, expected, actual);
    let by_ulps = share_of_ulps(tolerance, expected, actual);
    match (by_distance, by_ulps) {
        (Some(left), Some(right)) => Some(left.min(right)),
        (one, other) => one.or(other),
    }
}

/// Returns true if no number up to `lesser` is within tolerance of any number from `greater` up.
/// Returns false in doubt.
pub(super) fn leaves_gap(tolerance: Tolerance, lesser: Number, greater: Number) -> bool {
    // Larger tolerances can include numbers of opposite sign but exclude numbers between them.
    if tolerance.relative() >= 0.5 {
        return false;
    }
    // Integers that no float equals are rounded, by at most one ULP.
    let generous = Tolerance::rel(tolerance.relative() * 2.0)
        .or_abs(tolerance.absolute() * 2.0)
        .or_ulp(tolerance.ulps().saturating_mul(2).saturating_add(2))
        .with_integers();
    // Between two `f64`s there may be `f32`s, which are further apart.
    let has_f32 = lesser.as_f32().or(greater.as_f32()).is_some();
    let [lesser, greater] = [lesser.as_f64(), greater.as_f64()].map(|it| match has_f32 {
        true => Number::from(it as f32),
        false => Number::from(it),
    });
    lesser != greater && share_used(generous, lesser, greater).is_none()
}

fn share_of_distance(tolerance: Tolerance, expected: Number, actual: Number) -> Option<f64> {
    if !tolerance.includes_integers() && !expected.is_float() && !actual.is_float() {
        return None;
    }
    let magnitude = expected.as_f64().abs().max(actual.as_f64().abs());
    // `max` ignores a NaN, but the difference doesn't.
    let mut distance = difference(actual, expected).abs();
    if !magnitude.is_finite() || distance.is_nan() {
        return None;
    }
    let mut scale = 1.0;
    if distance.is_infinite() {
        scale = 0.25;
        distance = (actual.as_f64() * scale - expected.as_f64() * scale).abs();
    }
    let (rel, abs) = (tolerance.relative(), tolerance.absolute());
    let allowed = (abs * scale).max(rel * (magnitude * scale));
    (allowed > 0.0 && distance <= allowed).then(|| distance / allowed)
}

fn share_of_ulps(tolerance: Tolerance, expected: Number, actual: Number) -> Option<f64> {
    if tolerance.ulps() == 0 {
        return None;
    }
    let ulps = ulps(expected, actual)?;
    (ulps <= tolerance.ulps()).then(|| ulps as f64 / tolerance.ulps() as f64)
}
