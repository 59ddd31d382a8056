//! The beta distribution.

use std::sync::Arc;

use super::log_concave::LOG_CONCAVE;
use super::standard_beta::standard_beta;
use super::standard_gamma::{Draws, StandardGamma};
use crate::column::Cells;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::math::exp;
use crate::scalar::batches::draw_quantiles;
use crate::scalar::{
    Canonical, CatalogueEntry, Distribution, FLOAT, Inversion, Monotonicity, Sampler, Work,
};

pub(crate) const ENTRY: CatalogueEntry =
    CatalogueEntry::new("beta", &["alpha", "beta"], FLOAT, read);

/// Between 0 and 1 with mean `alpha / (alpha + beta)`: `x / (x + y)` for two [standard gamma
/// variables](StandardGamma) of these shapes, `x` from the row's even draws and `y` from the odd
/// ones (L. Devroye, *Non-Uniform Random Variate Generation*, 1986, section IX.3).
///
/// Their factors for shapes below 1 enter as `x / (x + y × exp(ln f_y - ln f_x))`, so the ratio is
/// right even for tiny shapes, where both variables are below the smallest float. Values round to
/// exactly 0 or 1 where that is nearest: almost all do if both shapes are 0.001.
///
/// By inversion it is the [standard beta variable](standard_beta).
struct Beta {
    alpha: f64,
    beta: f64,
}

fn read(fields: &mut Fields<'_>, _: FeatureType) -> Option<Arc<dyn Distribution>> {
    let [alpha, beta] = ["alpha", "beta"].map(|name| StandardGamma::read_shape(fields, name));
    Some(Arc::new(Beta {
        alpha: alpha?,
        beta: beta?,
    }))
}

impl Beta {
    /// Returns the `x` with `ln (x / (1 - x)) - ln (alpha / beta) = s`.
    fn of_logit(&self, s: f64) -> f64 {
        if s < 0.0 {
            let odds = self.alpha / self.beta * exp(s);
            odds / (1.0 + odds)
        } else {
            1.0 / (1.0 + self.beta / self.alpha * exp(-s))
        }
    }
}

impl Distribution for Beta {
    fn canonical(&self) -> Canonical {
        let parameters = vec![("alpha", self.alpha.into()), ("beta", self.beta.into())];
        (ENTRY.name, parameters)
    }

    fn bounds(&self) -> (Option<Value>, Option<Value>) {
        (Some(Value::from(0)), Some(Value::from(1)))
    }

    fn inversion(&self) -> Option<Inversion<'_>> {
        Some(Inversion::new(Some(Monotonicity::Rising), |words| {
            let density = standard_beta(self.alpha, self.beta);
            draw_quantiles(words, |u| self.of_logit(density.quantile(u, 1.0 - u)))
        }))
    }

    fn work(&self) -> Work {
        Work::each(200)
    }

    fn inverted_work(&self) -> Work {
        LOG_CONCAVE
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(|rows| {
            let x = StandardGamma::new(self.alpha, Draws { first: 0, step: 2 });
            let y = StandardGamma::new(self.beta, Draws { first: 1, step: 2 });
            let (mut values, mut others) = (vec![0.0; rows.len()], vec![0.0; rows.len()]);
            x.fill(rows, &mut values);
            y.fill(rows, &mut others);
            if x.has_factor() || y.has_factor() {
                let x_factors = x.log_factors(rows);
                let y_factors = y.log_factors(rows);
                for row in 0..rows.len() {
                    others[row] *= exp(y_factors[row] - x_factors[row]);
                }
            }
            for row in 0..rows.len() {
                values[row] /= values[row] + others[row];
            }
            Cells::Float(values)
        })
    }
}
