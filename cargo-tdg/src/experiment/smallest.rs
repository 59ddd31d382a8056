//! The smallest input that shows a part of a change.

use tdg_definition::json::Value;
use tdg_engine::compare::Part;
use tdg_report::simplify::simplify;

use super::Conditions;
use super::observed_rows::ObservedRows;
use crate::error::Result;

/// Returns the position of the smallest row that has changed in this part, starting from the
/// shortest one.
pub(super) fn smallest(
    conditions: &Conditions<'_>,
    observed: &mut ObservedRows<'_>,
    question: &Part,
) -> Result<usize> {
    let rows = question.cases.iter().copied();
    let shortest = rows.min_by_key(|it| observed.rows[*it].to_string().len());
    let from = shortest.unwrap_or_default();
    let values = observed.rows[from].as_array().unwrap_or_default().to_vec();
    let mut has_changed = |row: &[Value]| {
        if conditions.is_over() {
            return false;
        }
        let added = observed.add(vec![Value::Array(row.to_vec())]);
        let position = added.ok().and_then(|it| it.first().copied());
        position.is_some_and(|it| observed.has_changed(it, question))
    };
    let simplified = simplify(conditions.definition, values, &mut has_changed);
    let found = observed.add(vec![Value::Array(simplified.row)])?;
    Ok(found.first().copied().unwrap_or(from))
}
