//! Candidate distributions of a column, and their ranking.

use tdg_definition::math::ln;

use crate::document::Json;

/// A distribution with its best parameters.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) name: &'static str,
    /// The parameters as written in the definition.
    pub(crate) parameters: Vec<(&'static str, Json)>,
    /// The number of fitted parameters.
    pub(crate) fitted: usize,
    /// The cost of values that are listed individually, in nats.
    pub(crate) listing: f64,
    /// The log-likelihood of the values rounded to their step, so of probabilities, not densities.
    pub(crate) ln_likelihood: f64,
}

impl Candidate {
    /// Creates a candidate whose parameters are numbers, all of them fitted.
    pub(crate) fn new(
        name: &'static str,
        parameters: impl IntoIterator<Item = (&'static str, f64)>,
        ln_likelihood: f64,
    ) -> Self {
        let parameters: Vec<_> = parameters
            .into_iter()
            .map(|(key, value)| (key, Json::number(value)))
            .collect();
        Self {
            name,
            fitted: parameters.len(),
            parameters,
            listing: 0.0,
            ln_likelihood,
        }
    }

    /// Returns half of the Bayesian information criterion (G. Schwarz, *Estimating the dimension of
    /// a model*, 1978). Lower is better.
    pub(crate) fn cost(&self, count: f64) -> f64 {
        0.5 * self.fitted as f64 * ln(count.max(2.0)) + self.listing - self.ln_likelihood
    }

    /// Returns the distribution as written in the definition.
    pub(crate) fn json(&self) -> Json {
        let mut members = vec![("type", Json::string(self.name))];
        members.extend(self.parameters.iter().cloned());
        Json::Object(members)
    }
}

/// Sorts candidates from best to worst, and drops those without a finite likelihood.
pub(crate) fn ranked(mut candidates: Vec<Candidate>, count: f64) -> Vec<Candidate> {
    candidates.retain(|candidate| candidate.ln_likelihood.is_finite());
    candidates.sort_by(|one, other| one.cost(count).total_cmp(&other.cost(count)));
    candidates
}

/// The gain over simpler distributions that a mixture must reach, in nats per value. A mixture is
/// hard to edit and can't be correlated with other features.
const MIXTURE_GAIN: f64 = 0.02;

/// Returns the simple candidates, then the mixtures, unless the mixtures are much better.
pub(crate) fn prefer_simple(
    mut simple: Vec<Candidate>,
    mixtures: Vec<Candidate>,
    count: f64,
) -> Vec<Candidate> {
    let (Some(one), Some(other)) = (mixtures.first(), simple.first()) else {
        simple.extend(mixtures);
        return simple;
    };
    let at = if one.cost(count) + MIXTURE_GAIN * count < other.cost(count) {
        0
    } else {
        simple.len()
    };
    simple.splice(at..at, mixtures);
    simple
}

/// Returns a component of a mixture as written in the definition.
pub(crate) fn weighted(weight: f64, distribution: Json) -> Json {
    Json::Object(vec![
        ("weight", Json::number(rounded(weight))),
        ("distribution", distribution),
    ])
}

/// The significant digits of a parameter, more than the data determine.
const DIGITS: usize = 6;

/// Rounds a scale, a shape or a rate to six digits.
pub(crate) fn rounded(value: f64) -> f64 {
    format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value)
}

/// Rounds a location to the precision of six digits of its spread.
pub(crate) fn rounded_to_spread(value: f64, spread: f64) -> f64 {
    if value == 0.0 || spread <= 0.0 || !spread.is_finite() {
        return value;
    }
    let magnitude = |number: f64| ln(number.abs()) / ln(10.0);
    let digits = DIGITS as f64 + (magnitude(value) - magnitude(spread)).ceil();
    if digits < 1.0 {
        return 0.0;
    }
    let digits = digits.min(17.0) as usize;
    format!("{value:.*e}", digits - 1).parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_have_the_digits_that_matter() {
        assert_eq!(rounded(0.123_456_789), 0.123_457);
        assert_eq!(rounded(98_765_432.1), 98_765_400.0);
        assert_eq!(
            rounded_to_spread(1_000_000.123_456_789, 0.001),
            1_000_000.123_456_789
        );
        assert_eq!(rounded_to_spread(0.000_012_345, 100.0), 0.0);
        assert_eq!(rounded_to_spread(5.843_333_333_3, 0.828_1), 5.843_333);
    }

    #[test]
    fn a_parameter_has_to_be_worth_its_cost() {
        let simple = Candidate::new("exponential", [("scale", 1.0)], -1000.0);
        let flexible = Candidate::new("gamma", [("shape", 1.01), ("scale", 1.0)], -999.5);
        let best = |count| ranked(vec![flexible.clone(), simple.clone()], count)[0].name;
        assert_eq!(best(100.0), "exponential");
    }
}
