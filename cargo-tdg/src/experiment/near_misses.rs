//! Rows on both sides of the change, near rows that changed.

use tdg_engine::compare::Part;

use super::observed_rows::{ObservedRows, rows_with};
use super::{Conditions, near};
use crate::error::Result;

/// The rows of each side to look for.
const ROWS: usize = 600;
/// The rows of each side that others are near to.
const CHOSEN: usize = 60;
const ROUNDS: u64 = 10;

/// Adds rows near the rarer side until both sides have enough.
pub(super) fn add_near_misses(
    conditions: &Conditions<'_>,
    observed: &mut ObservedRows<'_>,
    question: &Part,
) -> Result<()> {
    for round in 0..ROUNDS {
        let states = observed.states(question);
        let count = |state: bool| states.iter().filter(|it| **it == Some(state)).count();
        if conditions.is_over() || round > 1 && count(true).min(count(false)) >= ROWS {
            break;
        }
        let rarer = count(true) <= count(false);
        let mut chosen = rows_with(&states, rarer, CHOSEN);
        if round % 2 == 1 {
            chosen.extend(rows_with(&states, !rarer, CHOSEN / 4));
        }
        if chosen.is_empty() {
            break;
        }
        let mut rows = near(&observed.rows, &chosen, ROWS, round);
        rows.retain(|row| conditions.admit(row));
        observed.add(rows)?;
    }
    Ok(())
}
