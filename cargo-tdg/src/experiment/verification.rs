//! The test of a hypothesis on new rows.

use tdg_definition::json::{self, Value};
use tdg_engine::Vectors;
use tdg_engine::compare::Part;

use super::hypothesis::Hypothesis;
use super::observed_rows::{ObservedRows, rows_with};
use super::{Conditions, near};
use crate::error::Result;

/// The new rows of each kind: drawn, and near observed ones.
const NEW: usize = 3000;
/// The rows of each prediction that run.
const RUN: usize = 1000;

/// The result of a test.
pub(super) struct HypothesisTest {
    /// The new rows that ran and have the part of the output.
    pub(super) rows: usize,
    /// True if the hypothesis says that some of them have changed, and that others haven't.
    pub(super) is_on_both_sides: bool,
    /// The positions of the rows that the hypothesis is wrong about.
    pub(super) exceptions: Vec<usize>,
}

/// The rows of each value next to a threshold.
const AT_THRESHOLD: usize = 40;

/// Returns rows that haven't run: some at thresholds, then drawn ones and ones near both sides of
/// the change, in turns.
pub(super) fn new_rows(
    conditions: &Conditions<'_>,
    observed: &ObservedRows<'_>,
    states: &[Option<bool>],
    thresholds: &[(usize, Value)],
    seed: u64,
) -> Vec<Value> {
    let drawn = Vectors::generate(conditions.definition, seed, NEW).to_json();
    let drawn = json::parse(&drawn).unwrap_or_default();
    let mut chosen = rows_with(states, true, NEW / 6);
    chosen.extend(rows_with(states, false, NEW / 6));
    let near = near(&observed.rows, &chosen, NEW, seed);
    let drawn = drawn.as_array().unwrap_or_default();
    let mut rows = Vec::new();
    for (feature, value) in thresholds {
        let others = drawn.iter().chain(&near).step_by(2 * NEW / AT_THRESHOLD);
        rows.extend(others.filter_map(|row| {
            let mut row = row.as_array()?.to_vec();
            row.get_mut(*feature)?.clone_from(value);
            Some(Value::Array(row))
        }));
    }
    for (drawn, near) in drawn.iter().cloned().zip(near) {
        rows.extend([drawn, near]);
    }
    rows.retain(|it| !observed.has(it) && conditions.admit(it));
    rows
}

/// Runs new rows, half of them where the hypothesis says that they have changed.
pub(super) fn verify(
    observed: &mut ObservedRows<'_>,
    question: &Part,
    hypothesis: &Hypothesis,
    new: Vec<Value>,
) -> Result<HypothesisTest> {
    let mut left = [RUN; 2];
    let (mut rows, mut predictions) = (Vec::new(), Vec::new());
    for (row, prediction) in new.into_iter().zip(&hypothesis.predictions) {
        let left = &mut left[usize::from(*prediction)];
        if *left > 0 {
            *left -= 1;
            rows.push(row);
            predictions.push(*prediction);
        }
    }
    let positions = observed.add(rows)?;
    let states = observed.states(question);
    let mut tested = HypothesisTest {
        rows: 0,
        is_on_both_sides: false,
        exceptions: Vec::new(),
    };
    let mut are_predicted = [false; 2];
    for (position, prediction) in positions.into_iter().zip(predictions) {
        if let Some(state) = states[position] {
            are_predicted[usize::from(prediction)] = true;
            tested.rows += 1;
            tested
                .exceptions
                .extend((state != prediction).then_some(position));
        }
    }
    tested.is_on_both_sides = are_predicted == [true; 2];
    Ok(tested)
}
