//! Distributions that might be a column's, and which of them is.

use tdg_definition::math::ln;

use super::document::Text;

/// A distribution with the parameters that fit best.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) name: &'static str,
    /// As the definition writes them.
    pub(super) parameters: Vec<(&'static str, Text)>,
    /// How many of them were chosen to fit.
    pub(super) chosen: usize,
    /// What the values that are written one by one cost, in nats: each, what telling it from all others takes.
    pub(super) written: f64,
    /// Of the values, as probabilities of what rounding to their step made of them.
    pub(super) ln_likelihood: f64,
}

impl Candidate {
    /// With numbers alone as parameters, all of them chosen.
    pub(super) fn new(
        name: &'static str,
        parameters: impl IntoIterator<Item = (&'static str, f64)>,
        ln_likelihood: f64,
    ) -> Self {
        let parameters: Vec<_> = parameters
            .into_iter()
            .map(|(key, value)| (key, Text::number(value)))
            .collect();
        Self {
            name,
            chosen: parameters.len(),
            parameters,
            written: 0.0,
            ln_likelihood,
        }
    }

    /// Half of the Bayesian information criterion (G. Schwarz, *Estimating the dimension of a model*, 1978): the less,
    /// the better.
    pub(super) fn cost(&self, count: f64) -> f64 {
        0.5 * self.chosen as f64 * ln(count.max(2.0)) + self.written - self.ln_likelihood
    }

    /// As the definition writes it.
    pub(super) fn text(&self) -> Text {
        let mut members = vec![("type", Text::string(self.name))];
        members.extend(self.parameters.iter().cloned());
        Text::Object(members)
    }
}

/// The best first; what has no likelihood is left out.
pub(super) fn ranked(mut candidates: Vec<Candidate>, count: f64) -> Vec<Candidate> {
    candidates.retain(|candidate| candidate.ln_likelihood.is_finite());
    candidates.sort_by(|one, other| one.cost(count).total_cmp(&other.cost(count)));
    candidates
}

/// So many significant digits say a parameter as well as any data do.
const DIGITS: usize = 6;

/// A scale, a shape or a rate, to six digits.
pub(super) fn rounded(value: f64) -> f64 {
    format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value)
}

/// A location, to what six digits of a spread are.
pub(super) fn rounded_beside(value: f64, spread: f64) -> f64 {
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
            rounded_beside(1_000_000.123_456_789, 0.001),
            1_000_000.123_456_789
        );
        assert_eq!(rounded_beside(0.000_012_345, 100.0), 0.0);
        assert_eq!(rounded_beside(5.843_333_333_3, 0.828_1), 5.843_333);
    }

    #[test]
    fn a_parameter_has_to_be_worth_its_cost() {
        let simple = Candidate::new("exponential", [("scale", 1.0)], -1000.0);
        let flexible = Candidate::new("gamma", [("shape", 1.01), ("scale", 1.0)], -999.5);
        let best = |count| ranked(vec![flexible.clone(), simple.clone()], count)[0].name;
        assert_eq!(best(100.0), "exponential");
    }
}
