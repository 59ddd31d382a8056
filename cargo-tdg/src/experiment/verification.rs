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
    /// The rows outside of the search, and those that contradict it, that ran and have the part of
    /// the output: those that the hypothesis says haven't changed, and those that it says have.
    sides: [TestedRows; 2],
    /// The number of new rows that have the part, and of all rows.
    new: usize,
    all: usize,
    /// Set if no row was left to draw.
    pub(super) is_exhaustive: bool,
    /// The number of rows that haven't got the part.
    pub(super) of_others: usize,
    /// The positions of the rows that the hypothesis is wrong about.
    pub(super) exceptions: Vec<usize>,
}

#[derive(Clone, Copy, Default)]
struct TestedRows {
    rows: usize,
    exceptions: usize,
}

impl HypothesisTest {
    /// Returns the number of new rows or, if nearly all possible rows ran before, of all.
    pub(super) fn rows(&self) -> usize {
        match self.is_of_all() {
            true => self.all,
            false => self.new,
        }
    }

    /// Returns true if nearly all possible rows ran before.
    pub(super) fn is_of_all(&self) -> bool {
        self.new + self.of_others < TESTED
    }

    pub(super) fn is_on_both_sides(&self) -> bool {
        self.sides.iter().all(|it| it.rows > 0)
    }

    /// Returns the share of exceptions on the side that has more of them.
    pub(super) fn share(&self) -> f64 {
        let share = |it: &TestedRows| it.exceptions as f64 / it.rows.max(1) as f64;
        self.sides.iter().map(share).fold(0.0, f64::max)
    }
}

/// The rows that a rule must have been tested on.
pub(super) const TESTED: usize = 100;
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

/// Runs new rows, half of them where the hypothesis says that they have changed. Rows that ran
/// before, but weren't searched, are part of the test.
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
    let is_exhaustive = rows.is_empty();
    let positions = observed.add(rows)?;
    let states = observed.states(question);
    let mut tested = HypothesisTest {
        sides: Default::default(),
        new: 0,
        all: observed.distinct(&states),
        is_exhaustive,
        of_others: 0,
        exceptions: Vec::new(),
    };
    let searched = hypothesis.searched.iter().copied();
    let contradicting = searched.filter(|(at, it)| states[*at] == Some(!it));
    let others = hypothesis.others.iter().copied().chain(contradicting);
    tested.new = positions.iter().filter(|it| states[**it].is_some()).count();
    let new = positions.into_iter().zip(predictions);
    for (position, prediction) in others.chain(new) {
        let Some(state) = states[position] else {
            tested.of_others += 1;
            continue;
        };
        let side = &mut tested.sides[usize::from(prediction)];
        side.rows += 1;
        if state != prediction {
            side.exceptions += 1;
            tested.exceptions.push(position);
        }
    }
    Ok(tested)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_new_rows_with_an_outcome_are_not_all_that_there_are() {
        let tested = |new, of_others| {
            let tested = HypothesisTest {
                sides: Default::default(),
                new,
                all: 500,
                is_exhaustive: false,
                of_others,
                exceptions: Vec::new(),
            };
            (tested.is_of_all(), tested.rows())
        };
        assert_eq!(tested(20, 900), (false, 20));
        assert_eq!(tested(20, 30), (true, 500));
        assert_eq!(tested(900, 30), (false, 900));
    }
}
