//! Mixtures of gaussians, and mixtures of zeros with positive numbers.

use tdg_definition::math::{exp, ln};

use super::simple;
use crate::candidate::{Candidate, ranked, rounded, rounded_to_spread, weighted};
use crate::document::Json;
use crate::math::shares;
use crate::sample::Sample;

const HALF_LN_2_PI: f64 = 0.918_938_533_204_672_8;

/// The minimum number of values that can distinguish two components from one.
const MIN_COUNT: f64 = 50.0;
/// The maximum number of values that the search uses.
const SEARCHED: usize = 1_000;
/// The smallest share of zeros that gets its own component.
const ZEROS: f64 = 0.05;

/// Returns the mixtures that fit, in no particular order.
pub(super) fn candidates(sample: &Sample) -> Vec<Candidate> {
    if sample.count < MIN_COUNT {
        return Vec::new();
    }
    let mut found = vec![gaussians(sample, 2), gaussians(sample, 3)];
    found.extend(with_zeros(sample));
    found
}

/// A weighted gaussian.
#[derive(Clone, Copy, Debug)]
struct Component {
    weight: f64,
    mu: f64,
    sigma: f64,
}

impl Component {
    fn density(&self, value: f64) -> f64 {
        let z = (value - self.mu) / self.sigma;
        self.weight * exp(-0.5 * z * z - HALF_LN_2_PI) / self.sigma
    }
}

/// Fits by expectation maximisation, starting from equal parts of the sorted values.
fn gaussians(sample: &Sample, number: usize) -> Candidate {
    let values = sample.thinned(SEARCHED);
    let narrowest = (sample.deviation * 0.02).max(sample.step);
    let mut components: Vec<Component> = (0..number)
        .map(|index| Component {
            weight: 1.0 / number as f64,
            mu: sample.quantile((index as f64 + 0.5) / number as f64),
            sigma: sample.deviation / number as f64,
        })
        .collect();
    let mut before = f64::NEG_INFINITY;
    for _ in 0..200 {
        let mut sums = vec![(0.0, 0.0, 0.0); number];
        let mut likelihood = 0.0;
        for &value in &values {
            let total: f64 = components.iter().map(|it| it.density(value)).sum();
            let total = total.max(f64::MIN_POSITIVE);
            likelihood += ln(total);
            for (component, sum) in components.iter().zip(&mut sums) {
                let part = component.density(value) / total;
                let distance = value - component.mu;
                sum.0 += part;
                sum.1 += part * distance;
                sum.2 += part * distance * distance;
            }
        }
        for (component, (weight, first, second)) in components.iter_mut().zip(sums) {
            let weight = f64::max(weight, 1e-9);
            let shift = first / weight;
            component.weight = weight / values.len() as f64;
            component.mu += shift;
            component.sigma = (second / weight - shift * shift)
                .max(0.0)
                .sqrt()
                .max(narrowest);
        }
        if likelihood - before < 1e-7 * values.len() as f64 {
            break;
        }
        before = likelihood;
    }
    let density = |value| components.iter().map(|it| it.density(value)).sum::<f64>();
    let ln_likelihood = sample.sum(|value| ln(density(value).max(f64::MIN_POSITIVE)));
    candidate(sample, &components, ln_likelihood)
}

fn candidate(sample: &Sample, components: &[Component], ln_likelihood: f64) -> Candidate {
    let bound = match (sample.min >= 0.0, sample.max <= 0.0) {
        (true, _) => Some("min"),
        (_, true) => Some("max"),
        _ => None,
    };
    let component = |it: &Component| {
        let parameters = [
            ("mu", rounded_to_spread(it.mu, it.sigma)),
            ("sigma", rounded(it.sigma)),
        ];
        let parameters = parameters
            .into_iter()
            .chain(bound.map(|bound| (bound, 0.0)));
        weighted(
            it.weight,
            Candidate::new("gaussian", parameters, 0.0).json(),
        )
    };
    Candidate {
        name: "mixture",
        parameters: vec![(
            "components",
            Json::Array(components.iter().map(component).collect()),
        )],
        fitted: 3 * components.len() - 1,
        listing: 0.0,
        ln_likelihood: ln_likelihood + sample.count * sample.ln_step(),
    }
}

/// Fits a constant zero, along with the best distribution for the other values.
fn with_zeros(sample: &Sample) -> Option<Candidate> {
    let zeros = sample.values.iter().filter(|&&value| value == 0.0).count();
    let share = zeros as f64 / sample.values.len() as f64;
    if sample.min < 0.0 || share < ZEROS {
        return None;
    }
    let mut rest = Sample::new(sample.values[zeros..].to_vec(), Some(sample.step))?;
    rest.count = sample.count * (1.0 - share);
    let inner = ranked(simple::candidates(&rest), rest.count)
        .into_iter()
        .next()?;
    let weights = shares(&[share, 1.0 - share]);
    let ln_likelihood = sample.count * share * ln(share) + rest.count * ln(1.0 - share);
    let zero = Candidate::new("constant", [("value", 0.0)], 0.0);
    Some(Candidate {
        name: "mixture",
        fitted: 1 + inner.fitted,
        listing: 0.0,
        ln_likelihood: ln_likelihood + inner.ln_likelihood,
        parameters: vec![(
            "components",
            Json::Array(vec![
                weighted(weights[0], zero.json()),
                weighted(weights[1], inner.json()),
            ]),
        )],
    })
}
