//! The cause of a change, found by experiment: both versions run on the rows that decide.
//!
//! `observed_rows → near_misses → relevance → boundaries → hypothesis → verification → cause`: each
//! step adds rows to the observed ones, and the hypothesis about them is tested on new rows until
//! it has no exception.

mod boundaries;
mod cause;
mod explained_part;
mod hypothesis;
mod near_misses;
mod nearby_rows;
mod observed_rows;
mod relevance;
mod smallest;
#[cfg(test)]
mod tests;
mod verification;

use std::time::Instant;

use tdg_definition::Definition;
use tdg_definition::json::Value;
use tdg_engine::Takes;

use crate::error::Result;

pub(crate) use self::cause::CauseRule;
pub(crate) use self::explained_part::{ExplainedPart, explained_parts};
pub(crate) use self::nearby_rows::make_alike;
use self::nearby_rows::near;
pub(crate) use self::observed_rows::ObservedRows;

/// Both versions of a function.
pub(crate) trait BothVersions {
    /// Returns the outputs of both versions for these rows; `None` for a row without any, about
    /// which nothing is known.
    fn outputs(&mut self, rows: &[Value]) -> Result<Vec<Option<[String; 2]>>>;
}

/// The conditions of an experiment.
pub(crate) struct Conditions<'e> {
    pub(crate) definition: &'e Definition,
    pub(crate) takes: &'e Takes,
    /// The numbers and texts in the code, in order, which are preferred as thresholds.
    pub(crate) constants: &'e [Value],
    /// The time after which no more rows run.
    pub(crate) until: Instant,
}

impl Conditions<'_> {
    fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }

    /// Returns true if the definition can draw the row.
    fn admit(&self, row: &Value) -> bool {
        let values = row.as_array().unwrap_or_default();
        let features = self.definition.features();
        let mut cells = features.iter().zip(values);
        values.len() == features.len()
            && cells.all(|(feature, value)| feature.admits(value))
            && tdg_definition::is_ordered(self.definition, values)
    }
}
