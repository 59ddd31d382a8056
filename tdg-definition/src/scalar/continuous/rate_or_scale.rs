//! The scale of a distribution of positive values, given as `rate` or `scale`.

use crate::fields::Fields;
use crate::json::Value;
use crate::math::ln;

/// Values are standard values times `scale`, or divided by `rate`.
#[derive(Clone, Copy, Debug)]
pub(super) enum RateOrScale {
    Rate(f64),
    Scale(f64),
}

impl RateOrScale {
    /// Reads exactly one of the two; `missing` is the fault if both are absent.
    pub(super) fn read(fields: &mut Fields<'_>, missing: &str) -> Option<Self> {
        match (fields.has("rate"), fields.has("scale")) {
            (true, false) => Some(Self::Rate(fields.positive("rate")?)),
            (false, true) => Some(Self::Scale(fields.positive("scale")?)),
            (both, _) => {
                fields.ignore(&["rate", "scale"]);
                let problem = if both {
                    "`rate` and `scale` mean the same (scale = 1 / rate); keep one"
                } else {
                    missing
                };
                fields.fault_here(problem);
                None
            }
        }
    }

    /// Converts a standard value to a value.
    pub(super) fn apply(self, standard: f64) -> f64 {
        match self {
            Self::Rate(rate) => standard / rate,
            Self::Scale(scale) => standard * scale,
        }
    }

    /// The logarithm of the scale.
    pub(super) fn ln(self) -> f64 {
        match self {
            Self::Rate(rate) => -ln(rate),
            Self::Scale(scale) => ln(scale),
        }
    }

    /// Returns the parameter as stated.
    pub(super) fn parameter(self) -> (&'static str, Value) {
        match self {
            Self::Rate(rate) => ("rate", Value::from(rate)),
            Self::Scale(scale) => ("scale", Value::from(scale)),
        }
    }
}
