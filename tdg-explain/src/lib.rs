//! Finds common properties of failing cases and their outputs.
//!
//! [`rules`] searches for a description of the failing rows: `coupon = "HALF" and quantity > 10`. A
//! rule is true for the rows, simpler than a list of them, and unlikely to be chance. Often there
//! isn't such a rule. docs/explanation/explanations.md has the details.
//!
//! ```
//! use tdg_definition::Definition;
//! use tdg_engine::Vectors;
//!
//! let definition = Definition::parse(r#"{"features": [
//!     {"feature_name": "a", "type": "INTEGER",
//!      "distribution": {"type": "uniform", "min": 1, "max": 90}},
//!     {"feature_name": "b", "type": "INTEGER",
//!      "distribution": {"type": "uniform", "min": 1, "max": 90}}
//! ]}"#)?;
//! let vectors = Vectors::generate(&definition, 0, 500);
//! let (a, b) = (vectors.column(0), vectors.column(1));
//! # let number = |column: &tdg_definition::Column, row: usize| match column.cells() {
//! #     tdg_definition::Cells::Integer(values) => values[row],
//! #     _ => 0,
//! # };
//! let failing: Vec<_> = (0..500).map(|row| Some(number(a, row) > number(b, row))).collect();
//!
//! let explanation = tdg_explain::rules(&tdg_explain::ExplainedRows {
//!     vectors: &vectors,
//!     expected: None,
//!     failing: &failing,
//!     vocabulary: tdg_explain::Vocabulary::Everyday,
//!     constants: &[],
//! });
//! assert_eq!(explanation.rules[0].to_string(), "a > b");
//! # Ok::<(), tdg_definition::Faults>(())
//! ```

mod attribute;
mod bits;
mod catalogue;
mod changes;
mod common_text;
mod condition;
mod condition_text;
mod families;
mod findings;
mod inputs;
mod order;
mod prior;
mod quoted_text;
mod review_parts;
mod rule;
mod rule_search;
mod score;
mod search;
mod table;
mod threshold;
mod value;
mod verb;
mod wrapped_outputs;

#[cfg(test)]
mod tests;

use tdg_definition::json::Value;
use tdg_definition::sort;

pub use changes::{CauseChange, ChangePattern, FieldChange, Unit, changes, changes_by_cause};
pub use condition::ConditionForm;
pub use findings::{
    ChangeFindings, KnownFindings, OutputFinding, explanation_of_part, findings_of_changes,
    findings_of_explained, findings_of_failures, findings_of_outputs, findings_of_panics,
    findings_of_requirement, findings_of_rows, unknown_cases,
};
pub use review_parts::{OfferedPart, offered_parts};
pub use rule::{Rule, RuleCondition, Wording};
pub use verb::Verb;

use rule_search::RuleSearch;
use table::ExplanationTable;

use tdg_engine::Vectors;

/// The conditions that rules may consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Vocabulary {
    /// Values, thresholds, lengths, contents and comparisons of features. At most two terms of
    /// three conditions each.
    Everyday,
    /// Digits, aggregates, differences, parts of dates and texts, and expected outputs as well, if
    /// they describe the rows clearly better.
    #[cfg(feature = "full")]
    Full,
}

impl Vocabulary {
    /// Returns the maximum number of terms of a description.
    fn terms(self, side: Side) -> usize {
        match (self, side) {
            (_, Side::Passing) => 1,
            (Self::Everyday, Side::Failing) => 2,
            #[cfg(feature = "full")]
            (Self::Full, Side::Failing) => 4,
        }
    }
}

/// The rows to explain.
#[derive(Clone, Copy, Debug)]
pub struct ExplainedRows<'a> {
    /// The features of the rows.
    pub vectors: &'a Vectors,
    /// The expected output of each row, if known. An explanation may refer to it.
    pub expected: Option<&'a [Value]>,
    /// True for each failing row; rows with `None` are ignored. `vectors` may have more rows, which
    /// are ignored as well.
    pub failing: &'a [Option<bool>],
    /// The conditions to search.
    pub vocabulary: Vocabulary,
    /// The numbers and texts in the code, in order. Conditions prefer them.
    pub constants: &'a [Value],
}

/// The common properties of the failing rows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The number of rows that are known to fail or pass.
    pub rows: usize,
    /// The number of failing rows.
    pub failing: usize,
    /// The side that the rules describe: the one with the simpler description. Without a rule, it
    /// is the failing one.
    pub side: Side,
    /// Conditions joined by `or`: each row of the side meets at least one of them, subject to their
    /// wording. The one with most rows is first. Empty if nothing better than chance is found.
    pub rules: Vec<Rule>,
    /// If no rule can be trusted: a condition that all failing rows meet and other rows seldom do.
    /// It is necessary but not sufficient.
    pub shared: Option<Rule>,
}

/// One of the two kinds of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The failing rows.
    Failing,
    /// The passing rows.
    Passing,
}

const SIDES: [Side; 2] = [Side::Failing, Side::Passing];

impl Explanation {
    /// Creates the explanation of a side without rules.
    pub fn without_rules(rows: usize, failing: usize, side: Side) -> Self {
        Self {
            rows,
            failing,
            side,
            rules: Vec::new(),
            shared: None,
        }
    }

    /// Returns true if the rules cover exactly the failing rows.
    fn is_exact(&self) -> bool {
        let covered = self.covered();
        let is_failing = self.side == Side::Failing && covered > 0;
        let has_exception = self.rules.iter().any(|it| !it.exceptions.is_empty());
        is_failing && !has_exception && covered == self.failing
    }

    /// Returns the number of rows that the rules cover.
    fn covered(&self) -> usize {
        let rows = self.rules.iter().flat_map(|it| it.rows.clone());
        sort::distinct(rows.collect()).len()
    }

    /// Returns the number of rows on the explained side.
    pub fn explained(&self) -> usize {
        match self.side {
            Side::Failing => self.failing,
            Side::Passing => self.rows - self.failing,
        }
    }
}

/// Finds properties that the failing rows have and the others lack.
///
/// If all rows fail, or none, there is nothing to explain.
pub fn rules(rows: &ExplainedRows<'_>) -> Explanation {
    let failing = &rows.failing[..rows.failing.len().min(rows.vectors.size())];
    let of = |side: bool| -> Vec<u32> {
        let rows = failing.iter().zip(0..);
        let rows = rows.filter(|(failing, _)| **failing == Some(side));
        rows.map(|(_, row)| row).collect()
    };
    let (failed, passed) = (of(true), of(false));
    let (rarer, others) = match failed.len() <= passed.len() {
        true => (&failed, &passed),
        false => (&passed, &failed),
    };
    let rows_of_both = failed.len() + passed.len();
    let side = match passed.is_empty() {
        true => Side::Passing,
        false => Side::Failing,
    };
    let mut explanation = Explanation::without_rules(rows_of_both, failed.len(), side);
    if !rarer.is_empty() {
        let mut table = ExplanationTable::new(rows.vectors, rows.expected, failing.len());
        table.constants = rows.constants;
        let search = RuleSearch {
            table: &table,
            failing,
            rarer,
            others,
        };
        let found = search.run(rows.vocabulary);
        explanation.side = found.side;
        explanation.rules = found.rules;
        explanation.shared = found.shared;
    }
    explanation
}

/// Returns everything that conditions can test, as columns with a value for each row: a boolean, a
/// number, a text, or null. Substring tests have a column for each text that occurs.
///
/// This allows other searches to be compared with [`rules`] on the same data.
pub fn attributes(rows: &ExplainedRows<'_>) -> Vec<Vec<Value>> {
    let size = rows.failing.len().min(rows.vectors.size());
    let table = ExplanationTable::new(rows.vectors, rows.expected, size);
    let mut columns = Vec::new();
    for attribute in families::attributes(&table, rows.failing, rows.vocabulary) {
        columns.extend(attribute.values(size));
    }
    columns
}
