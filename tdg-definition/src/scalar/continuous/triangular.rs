//! The triangular distribution.

use std::sync::Arc;

use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::scalar::by_inversion::by_quantile;
use crate::scalar::{CatalogueEntry, Distribution, FLOAT};

pub(crate) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("triangular", &["min", "mode", "max"], FLOAT, read);

/// From `min` to `max`, likeliest at `mode`, with a density that rises and falls linearly. The
/// value is the quantile: with `w = max - min` and `c = (mode - min) / w`, it is `min + w × √(u ×
/// c)` up to `u = c` and `max - w × √((1 - u) × (max - mode) / w)` above (Johnson, Kotz and
/// Balakrishnan, *Continuous Univariate Distributions* 2, 1995, section 26.9).
fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let [min, mode, max] = ["min", "mode", "max"].map(|name| fields.number(name));
    let (min, mode, max) = (min?, mode?, max?);
    if !(max - min).is_finite() {
        fields.fault_here("the range is so wide that max − min is infinite");
        return None;
    }
    if !(min <= mode && mode <= max) {
        fields.fault_here(format!(
            "must be min ≤ mode ≤ max, but are {min}, {mode} and {max}"
        ));
        return None;
    }
    let parameters = [
        ("min", min.into()),
        ("mode", mode.into()),
        ("max", max.into()),
    ];
    let quantile = move |u| quantile(u, [min, mode, max]);
    Some(by_quantile(ENTRY.name, parameters, quantile).shared())
}

fn quantile(u: f64, [min, mode, max]: [f64; 3]) -> f64 {
    let width = max - min;
    if width == 0.0 {
        return min;
    }
    let rising = (mode - min) / width;
    if u <= rising {
        at_most(min + width * (u * rising).sqrt(), mode)
    } else {
        let falling = (max - mode) / width;
        at_least(max - width * ((1.0 - u) * falling).sqrt(), mode)
    }
}

// Rounding must not cross the mode or leave the range.

fn at_most(value: f64, limit: f64) -> f64 {
    if value > limit { limit } else { value }
}

fn at_least(value: f64, limit: f64) -> f64 {
    if value < limit { limit } else { value }
}
