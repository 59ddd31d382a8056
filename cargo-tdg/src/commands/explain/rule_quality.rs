//! The quality of the rules, measured on rows that weren't explained, if there are any.

use std::collections::HashSet;

use tdg_explain::{Rule, Wording};

use super::causes::FoundCauses;
use super::rows::RowsToExplain;

/// Rows of the described side that a rule covers, other rows that a rule covers, and rows of the
/// side that no rule covers. Tendencies don't count, as they don't predict single rows.
pub(super) struct RuleQuality {
    /// The number of measured rows.
    pub(super) rows: usize,
    pub(super) true_positive: usize,
    pub(super) false_positive: usize,
    pub(super) false_negative: usize,
    /// The harmonic mean of precision and recall; `None` without predictions or rows to find.
    pub(super) f1: Option<f64>,
}

impl RuleQuality {
    pub(super) fn measure(rows: &RowsToExplain, found: &FoundCauses) -> Self {
        let claims = found.explanation.rules.iter();
        let claims = claims.filter(|rule| rule.wording != Wording::Tendency);
        let has_claims = claims.clone().next().is_some();
        let covered: HashSet<usize> = claims.flat_map(Rule::covered).collect();
        let first = match rows.explained {
            all if all == rows.size() => 0,
            explained => explained,
        };
        let count = |is_described: bool, is_covered: bool| {
            let is_counted = |row: &usize| {
                found.is_described(rows.failing[*row]) == is_described
                    && covered.contains(row) == is_covered
            };
            (first..rows.size()).filter(is_counted).count()
        };
        let (hits, wrong, missed) = (count(true, true), count(false, true), count(true, false));
        let sum = 2 * hits + wrong + missed;
        Self {
            rows: rows.size() - first,
            true_positive: hits,
            false_positive: wrong,
            false_negative: missed,
            f1: (has_claims && sum > 0).then(|| 2.0 * hits as f64 / sum as f64),
        }
    }
}
