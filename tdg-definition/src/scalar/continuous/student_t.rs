//! Student's t distribution.

use std::sync::Arc;

use super::location_scale::LocationScale;
use super::log_concave::LOG_CONCAVE;
use super::standard_beta::standard_beta;
use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::math::{cos_pi, exp, exp_m1, ln};
use crate::random::Purpose;
use crate::random::uniform::unit_open;
use crate::scalar::batches::draw_quantiles;
use crate::scalar::{
    Canonical, CatalogueEntry, Distribution, FLOAT, Inversion, Monotonicity, Sampler, Work,
};

pub(crate) const ENTRY: CatalogueEntry =
    <CatalogueEntry>::new("student_t", &["nu", "mu", "sigma"], FLOAT, read).with_aliases(&["t"]);

/// `nu` degrees of freedom, shifted by `mu` (default 0) and scaled by `sigma` (default 1). The
/// value is `mu + sigma × √(nu × (u^(-2 / nu) - 1)) × cos 2πv`, with `u` and `v` from the row's
/// draws 0 and 1 (R. W. Bailey, *Polar generation of random variates with the t-distribution*,
/// Mathematics of Computation 62, 1994).
///
/// By inversion it's `mu ± sigma × √(x / (1 - x)) × √nu`, where `x` is a [standard beta
/// variable](standard_beta) with shapes ½ and `nu / 2`.
struct StudentT {
    nu: f64,
    place: LocationScale,
}

const LARGEST_NU: f64 = 1e9;

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let nu = fields.positive("nu");
    // A fault of `nu` is reported below, not as a fault of `sigma`.
    let largest = nu.map(|nu| radius(nu, f64::EPSILON / 2.0));
    let bound = largest.filter(|largest| largest.is_finite()).unwrap_or(1.0);
    let place = LocationScale::read_optional(fields, bound);
    let nu = nu?;
    if nu > LARGEST_NU {
        let message = format!("must be at most {LARGEST_NU}, but is {nu}; use a gaussian");
        fields.fault("nu", message);
        return None;
    }
    if largest.is_some_and(f64::is_infinite) {
        let message = format!("must be at least 0.104, but is {nu}; values would be infinite");
        fields.fault("nu", message);
        return None;
    }
    let place = place?;
    Some(Arc::new(StudentT { nu, place }))
}

/// `√(nu × (u^(-2 / nu) - 1))`: with a random direction, the length of a vector whose coordinates
/// have the distribution.
fn radius(nu: f64, u: f64) -> f64 {
    (nu * exp_m1(-2.0 / nu * ln(u))).sqrt()
}

impl Distribution for StudentT {
    fn canonical(&self) -> Canonical {
        let mut parameters = self.place.parameters().to_vec();
        parameters.push(("nu", Value::from(self.nu)));
        (ENTRY.name, parameters)
    }

    fn inversion(&self) -> Option<Inversion<'_>> {
        Some(Inversion::new(Some(Monotonicity::Rising), |words| {
            let density = standard_beta(0.5, self.nu / 2.0);
            draw_quantiles(words, |u| {
                let q = u - 0.5;
                let beyond = if q < 0.0 { u } else { 1.0 - u };
                let square = density.quantile(2.0 * q.abs(), 2.0 * beyond);
                self.place.value(exp(square / 2.0).copysign(q))
            })
        }))
    }

    fn inverted_work(&self) -> Work {
        LOG_CONCAVE
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(|rows| {
            let words = |draw| rows.words(Purpose::Value, draw);
            let (lengths, directions) = (words(0), words(1));
            let mut values = Vec::with_capacity(rows.len());
            for row in 0..rows.len() {
                let direction = cos_pi(2.0 * unit_open(directions[row]));
                let t = radius(self.nu, unit_open(lengths[row])) * direction;
                values.push(self.place.value(t));
            }
            Cells::Float(values)
        })
    }
}
