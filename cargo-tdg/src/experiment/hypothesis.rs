//! A description of the changed rows, found by the search that tests use too.

use tdg_definition::json::Value;
use tdg_engine::{Takes, Vectors};
use tdg_explain::{ExplainedRows, Explanation, Side, Vocabulary};

use super::Conditions;
use super::observed_rows::{ObservedRows, rows_with};
use crate::error::Result;

/// The rows of each side to search. With more, the search would leave out some thresholds.
const ROWS: usize = 400;
/// The other observed rows to predict. The ensemble's rows are the first ones.
const OTHERS: usize = 6000;

/// A description of the changed rows.
pub(super) struct Hypothesis {
    pub(super) explanation: Explanation,
    /// For each new row: if the description says that it has changed.
    pub(super) predictions: Vec<bool>,
    /// The same for observed rows, by position: searched ones, and others.
    pub(super) searched: Vec<(usize, bool)>,
    pub(super) others: Vec<(usize, bool)>,
}

impl Hypothesis {
    /// Describes the observed rows, always including the `decisive` ones, and predicts new rows.
    /// `None` if nothing describes them.
    pub(super) fn new(
        conditions: &Conditions<'_>,
        observed: &ObservedRows<'_>,
        states: &[Option<bool>],
        (features, decisive): (&[usize], &[usize]),
        new: &[Value],
    ) -> Result<Option<Self>> {
        let mut known = [true, false]
            .map(|state| rows_with(states, state, ROWS))
            .concat();
        known.extend(decisive.iter().filter(|it| states[**it].is_some()));
        known.sort_unstable();
        known.dedup();
        let is_other = |at: &usize| states[*at].is_some() && known.binary_search(at).is_err();
        let others = (0..states.len()).filter(is_other).take(OTHERS);
        let others: Vec<usize> = others.collect();
        // Searched rows come again without their states: a rule may contradict them.
        let observed_rows = known.iter().chain(&known).chain(&others);
        let rows = observed_rows.map(|it| &observed.rows[*it]).chain(new);
        let rows = Value::Array(rows.cloned().collect());
        let vectors = Vectors::from_json(conditions.definition, &rows.to_string())?;
        let names = features.iter().map(|it| vectors.name(*it).to_owned());
        let takes = Takes::Named(names.collect());
        let mut failing: Vec<Option<bool>> = known.iter().map(|it| states[*it]).collect();
        failing.resize(vectors.size(), None);
        let explanation = tdg_explain::rules(&ExplainedRows {
            vectors: &vectors.taken(&takes),
            expected: None,
            failing: &failing,
            vocabulary: Vocabulary::Full,
            constants: conditions.constants,
        });
        if explanation.rules.is_empty() {
            return Ok(None);
        }
        let is_of_others = explanation.side == Side::Passing;
        let mut predictions = vec![is_of_others; known.len() + others.len() + new.len()];
        for row in explanation.rules.iter().flat_map(|it| &it.unknown) {
            if let Some(predicted) = row.checked_sub(known.len()) {
                predictions[predicted] = !is_of_others;
            }
        }
        let mut predictions = predictions.into_iter();
        let mut of = |positions: Vec<usize>| -> Vec<(usize, bool)> {
            positions.into_iter().zip(predictions.by_ref()).collect()
        };
        Ok(Some(Self {
            explanation,
            searched: of(known),
            others: of(others),
            predictions: predictions.collect(),
        }))
    }
}
