//! Exact thresholds, by bisection between two rows that differ in one feature.

use tdg_definition::json::Value;
use tdg_definition::{Feature, FeatureType, calendar};
use tdg_engine::compare::Part;

use super::Conditions;
use super::observed_rows::ObservedRows;
use super::relevance::Flip;
use crate::error::Result;

/// The bisections of each feature.
const BISECTIONS: usize = 12;
/// A float has 64 bits.
const STEPS: usize = 64;

/// A bisection between two rows, of which one has changed.
struct Bisection {
    feature: usize,
    rows: [usize; 2],
}

/// Adds the pairs of rows next to each threshold.
pub(super) fn add_boundaries(
    conditions: &Conditions<'_>,
    observed: &mut ObservedRows<'_>,
    question: &Part,
    flips: &[Flip],
) -> Result<()> {
    let mut open: Vec<Bisection> = Vec::new();
    for flip in flips {
        let same = open.iter().filter(|it| it.feature == flip.feature);
        if same.count() < BISECTIONS {
            let (feature, rows) = (flip.feature, flip.rows);
            open.push(Bisection { feature, rows });
        }
    }
    for _ in 0..STEPS {
        let mut middles = Vec::new();
        open.retain(|it| {
            let middle = it.middle(conditions, observed);
            middles.extend(middle.clone());
            middle.is_some()
        });
        if open.is_empty() || conditions.is_over() {
            break;
        }
        let positions = observed.add(middles)?;
        let states = observed.states(question);
        for (bisection, middle) in open.iter_mut().zip(positions) {
            let is_like_first = states[middle] == states[bisection.rows[0]];
            bisection.rows[usize::from(!is_like_first)] = middle;
        }
        open.retain(|it| it.rows.iter().all(|row| states[*row].is_some()));
    }
    Ok(())
}

impl Bisection {
    /// Returns the row between both, or `None` if there is none.
    fn middle(&self, conditions: &Conditions<'_>, observed: &ObservedRows<'_>) -> Option<Value> {
        let rows = self.rows.map(|it| observed.rows[it].as_array());
        let [one, other] = rows;
        let feature = &conditions.definition.features()[self.feature];
        let value = between(feature, &one?[self.feature], &other?[self.feature])?;
        let mut row = one?.to_vec();
        row[self.feature] = value;
        let row = Value::Array(row);
        conditions.admit(&row).then_some(row)
    }
}

/// Returns the value in the middle, unless the values are next to each other.
fn between(feature: &Feature, one: &Value, other: &Value) -> Option<Value> {
    match feature.feature_type() {
        FeatureType::Integer => {
            let [one, other] = [one, other].map(|it| it.as_number()?.as_i128());
            middle(one?, other?).map(Value::from)
        }
        FeatureType::Date => {
            let [one, other] = [one, other].map(|it| calendar::parse_date(it.as_str()?).ok());
            let days = middle(one?.into(), other?.into())?;
            let mut text = String::new();
            calendar::write_date(&mut text, days as i64);
            Some(text.into())
        }
        FeatureType::DateTime => {
            let [one, other] = [one, other].map(|it| calendar::parse_datetime(it.as_str()?).ok());
            let seconds = middle(one?.into(), other?.into())?;
            let mut text = String::new();
            calendar::write_datetime(&mut text, seconds as i64);
            Some(text.into())
        }
        FeatureType::Float => {
            let [one, other] = [one, other].map(Value::as_f64);
            float_between(feature.decimals(), one?, other?).map(Value::from)
        }
        _ => None,
    }
}

fn middle(one: i128, other: i128) -> Option<i128> {
    let middle = one + (other - one) / 2;
    (middle != one && middle != other).then_some(middle)
}

/// Returns the middle with as few digits as it can have.
fn float_between(decimals: Option<u8>, one: f64, other: f64) -> Option<f64> {
    let (low, high) = (one.min(other), one.max(other));
    let middle = low / 2.0 + high / 2.0;
    let most = decimals.map_or(9, usize::from);
    (0..=most)
        .filter_map(|decimals| format!("{middle:.decimals$}").parse::<f64>().ok())
        .find(|it| low < *it && *it < high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_between_both() {
        assert_eq!(middle(3, 10), Some(6));
        assert_eq!(middle(10, 3), Some(7));
        assert_eq!(middle(3, 4), None);
        assert_eq!(float_between(Some(2), 1.0, 2.0), Some(1.5));
        assert_eq!(float_between(Some(2), 1.01, 1.02), None);
        assert_eq!(float_between(None, 0.0, 1000.0), Some(500.0));
    }
}
