//! Exact thresholds, by bisection between two rows that differ in one feature.

use std::collections::BTreeMap;

use tdg_definition::json::Value;
use tdg_definition::{Feature, FeatureType, calendar};
use tdg_engine::compare::Part;

use super::Conditions;
use super::observed_rows::ObservedRows;
use super::relevance::Flip;
use crate::error::Result;

/// The bisections of a wave, for each feature and direction.
const BISECTIONS: usize = 4;
const WAVES: usize = 4;
/// A float has 64 bits.
const STEPS: usize = 64;

/// A bisection between a changed row and an unchanged one.
struct Bisection {
    feature: usize,
    rows: [usize; 2],
}

/// The rows around thresholds.
#[derive(Default)]
pub(super) struct Boundaries {
    /// Their positions.
    pub(super) rows: Vec<usize>,
    /// The values next to a threshold, each with the position of its feature.
    pub(super) values: Vec<(usize, Value)>,
}

/// Adds the pairs of rows next to each threshold.
pub(super) fn add_boundaries(
    conditions: &Conditions<'_>,
    observed: &mut ObservedRows<'_>,
    question: &Part,
    flips: &[Flip],
) -> Result<Boundaries> {
    let mut found = Boundaries::default();
    for _ in 0..WAVES {
        let bisections = chosen(observed, question, flips, &found);
        if bisections.is_empty() || conditions.is_over() {
            break;
        }
        found.bisect(conditions, observed, question, bisections)?;
    }
    Ok(found)
}

/// Returns bisections between rows without a known threshold between them, some for each feature
/// and each direction of the change.
fn chosen(
    observed: &ObservedRows<'_>,
    question: &Part,
    flips: &[Flip],
    found: &Boundaries,
) -> Vec<Bisection> {
    let mut counts: BTreeMap<(usize, bool), usize> = BTreeMap::new();
    let mut chosen = Vec::new();
    for Flip { feature, rows } in flips {
        let value = |row: usize| observed.rows[row].as_array()?.get(*feature);
        let [Some(one), Some(other)] = rows.map(value) else {
            continue;
        };
        let is_rising = is_less(one, other) == observed.has_changed(rows[1], question);
        let is_between = |it: &Value| {
            is_less(one, it) && is_less(it, other) || is_less(other, it) && is_less(it, one)
        };
        let mut known = found.values.iter().filter(|(at, _)| at == feature);
        let count = counts.entry((*feature, is_rising)).or_default();
        if *count < BISECTIONS && !known.any(|(_, it)| is_between(it)) {
            *count += 1;
            chosen.push(Bisection {
                feature: *feature,
                rows: *rows,
            });
        }
    }
    chosen
}

/// Compares numbers, or dates and times.
fn is_less(one: &Value, other: &Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => one < other,
        _ => one.as_str() < other.as_str(),
    }
}

impl Boundaries {
    fn bisect(
        &mut self,
        conditions: &Conditions<'_>,
        observed: &mut ObservedRows<'_>,
        question: &Part,
        mut open: Vec<Bisection>,
    ) -> Result<()> {
        for _ in 0..STEPS {
            let mut middles = Vec::new();
            open.retain(|it| {
                let middle = it.middle(conditions, observed);
                let is_open = middle.is_some();
                match middle {
                    Some(middle) => middles.push(middle),
                    None => self.add(it, observed),
                }
                is_open
            });
            if open.is_empty() || conditions.is_over() {
                break;
            }
            let positions = observed.add(middles)?;
            self.rows.extend(&positions);
            let states = observed.states(question);
            for (bisection, middle) in open.iter_mut().zip(positions) {
                let is_like_first = states[middle] == states[bisection.rows[0]];
                bisection.rows[usize::from(!is_like_first)] = middle;
            }
            open.retain(|it| it.rows.iter().all(|row| states[*row].is_some()));
        }
        Ok(())
    }

    fn add(&mut self, bisection: &Bisection, observed: &ObservedRows<'_>) {
        let feature = bisection.feature;
        for row in bisection.rows {
            let value = observed.rows[row].as_array().and_then(|it| it.get(feature));
            let value = value.map(|it| (feature, it.clone()));
            let is_new = |it: &(usize, Value)| !self.values.contains(it);
            self.values.extend(value.filter(is_new));
            self.rows.push(row);
        }
    }
}

impl Bisection {
    /// Returns the row between both, if any.
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
