//! The rows that ran on both versions, with the outputs.

use std::collections::BTreeMap;

use tdg_definition::Policy;
use tdg_definition::json::Value;
use tdg_engine::compare::{DifferingCase, Part, parts};
use tdg_engine::output;
use tdg_explain::unknown_cases;

use super::BothVersions;
use crate::error::Result;

/// The rows that ran on both versions, with the outputs.
pub(crate) struct ObservedRows<'o> {
    versions: &'o mut dyn BothVersions,
    policy: &'o Policy,
    pub(crate) rows: Vec<Value>,
    /// The outputs of the earlier version.
    pub(crate) before: Vec<Value>,
    /// The rows whose outputs differ, in order.
    pub(crate) differing: Vec<DifferingCase>,
    /// The rows without outputs, in order.
    unknown: Vec<usize>,
    positions: BTreeMap<String, usize>,
}

impl<'o> ObservedRows<'o> {
    /// Runs these rows, which may contain a row more than once.
    pub(crate) fn new(
        versions: &'o mut dyn BothVersions,
        policy: &'o Policy,
        rows: Vec<Value>,
    ) -> Result<Self> {
        let positions = rows.iter().zip(0..);
        let mut observed = Self {
            versions,
            policy,
            positions: positions.map(|(row, at)| (row.to_string(), at)).collect(),
            rows,
            before: Vec::new(),
            differing: Vec::new(),
            unknown: Vec::new(),
        };
        observed.run_from(0)?;
        Ok(observed)
    }

    /// Runs the rows that are new, and returns the positions of all of them.
    pub(crate) fn add(&mut self, rows: Vec<Value>) -> Result<Vec<usize>> {
        let first = self.rows.len();
        let mut positions = Vec::with_capacity(rows.len());
        for row in rows {
            let next = self.rows.len();
            let position = *self.positions.entry(row.to_string()).or_insert(next);
            if position == next {
                self.rows.push(row);
            }
            positions.push(position);
        }
        self.run_from(first)?;
        Ok(positions)
    }

    fn run_from(&mut self, first: usize) -> Result<()> {
        if first == self.rows.len() {
            return Ok(());
        }
        for outputs in self.versions.outputs(&self.rows[first..])? {
            let case = self.before.len();
            let Some([before, after]) = outputs else {
                self.unknown.push(case);
                self.before.push(Value::Null);
                continue;
            };
            if before != after {
                let compared = DifferingCase::of_outputs(self.policy, case, &before, &after)?;
                let is_same = compared.comparison.is_same();
                self.differing.extend((!is_same).then_some(compared));
            }
            self.before.push(output::read(&before)?);
        }
        Ok(())
    }

    /// Returns true if the row ran.
    pub(crate) fn has(&self, row: &Value) -> bool {
        self.positions.contains_key(&row.to_string())
    }

    /// Returns for each row if it has changed as in this part of the change. `None` if the row
    /// hasn't got the part. If all rows with the part have changed, having it may be the cause.
    pub(crate) fn states(&self, question: &Part) -> Vec<Option<bool>> {
        let mut states = self.states_with_part(question);
        if !states.contains(&Some(false)) {
            for state in states.iter_mut().filter(|it| it.is_none()) {
                *state = Some(false);
            }
            self.unknown.iter().for_each(|it| states[*it] = None);
        }
        states
    }

    /// Returns the number of rows with the part, if all of them have changed.
    pub(super) fn all_changed(&self, question: &Part) -> Option<usize> {
        let states = self.states_with_part(question);
        let is_of_all = !states.contains(&Some(false)) && states.contains(&None);
        is_of_all.then(|| states.iter().flatten().count())
    }

    fn states_with_part(&self, question: &Part) -> Vec<Option<bool>> {
        let part = self.same_part(question);
        let before = Some(self.before.as_slice());
        let unknown = unknown_cases(&part, &self.unknown, before, &self.differing);
        let mut states = vec![Some(false); self.rows.len()];
        unknown.iter().for_each(|it| states[*it] = None);
        part.cases.iter().for_each(|it| states[*it] = Some(true));
        states
    }

    /// Returns the number of different rows that have a state.
    pub(super) fn distinct(&self, states: &[Option<bool>]) -> usize {
        let different = self.positions.values();
        different.filter(|it| states[**it].is_some()).count()
    }

    /// Returns true if the row at a position has changed as in this part of the change.
    pub(super) fn has_changed(&self, position: usize, question: &Part) -> bool {
        let found = self.differing.binary_search_by_key(&position, |it| it.case);
        found.is_ok_and(|at| {
            let of_row = parts(&self.differing[at..=at]);
            of_row.iter().any(|part| part.is_like(question))
        })
    }

    /// Returns the part of the observed change that the question is about.
    fn same_part(&self, question: &Part) -> Part {
        let mut found = Part {
            cases: Vec::new(),
            ..question.clone()
        };
        for part in parts(&self.differing) {
            if part.is_like(question) {
                found.cases.extend(part.cases);
            }
        }
        found.cases.sort_unstable();
        found.cases.dedup();
        found
    }
}

/// Returns the positions of rows with a state, at most `most` of them, spread over all.
pub(super) fn rows_with(states: &[Option<bool>], state: bool, most: usize) -> Vec<usize> {
    let all = (0..states.len()).filter(|it| states[*it] == Some(state));
    let all: Vec<usize> = all.collect();
    let step = all.len().div_ceil(most.max(1)).max(1);
    all.into_iter().step_by(step).collect()
}
