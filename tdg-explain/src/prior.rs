//! The prior probability that a condition tests an attribute.

use tdg_definition::math::ln;

use super::attribute::Attribute;

/// The prior probability that a condition tests the value of a feature.
const BASE: f64 = 0.5;
/// How many times likelier a scalar is the cause than the contents of a list.
const SCALAR: f64 = 6.0;
/// The minimum total weight of the attributes of another family.
const LEAST: f64 = 4.0;

/// Returns the cost of naming each attribute, in nats. The features' values have half of the prior
/// probability, the other families share the rest.
pub(super) fn costs(attributes: &[Attribute<'_>]) -> Vec<f64> {
    let last = attributes.iter().map(|it| it.family).max();
    let mut weights = vec![0.0; last.map_or(0, |last| last + 1)];
    for attribute in attributes {
        weights[attribute.family] += attribute.weight;
    }
    let others = weights.iter().skip(1).filter(|weight| **weight > 0.0);
    let others = others.count().max(1);
    let cost = |attribute: &Attribute<'_>| {
        let family = match attribute.family {
            0 => BASE,
            _ if attribute.is_of_list => (1.0 - BASE) / others as f64 / SCALAR,
            _ => (1.0 - BASE) / others as f64,
        };
        // A few unlikely attributes don't become likely because their family has no others.
        let least = if attribute.family == 0 { 0.0 } else { LEAST };
        -ln(family) + ln(weights[attribute.family].max(least)) - ln(attribute.weight)
    };
    attributes.iter().map(cost).collect()
}
