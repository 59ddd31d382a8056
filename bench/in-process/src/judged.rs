//! Judges explanations on rows that were not seen.

use tdg_definition::json::Value;
use tdg_engine::Vectors;
use tdg_explain::{Vocabulary, Explanation, ExplainedRows, Rule, Side, Wording};

/// The claim of an explanation, extended to all rows.
pub struct Claim {
    pub explanation: Explanation,
    /// The rows that the rules cover, without tendencies. `None` if there are only tendencies.
    pub covered: Option<Vec<bool>>,
    /// Set if any of these rules is sure.
    pub is_sure: bool,
}

/// A judgement of a claim on the unseen rows, by the F1 of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// F1 is at least 0.999.
    Exact,
    /// F1 is at least 0.95.
    Near,
    /// F1 is at least 0.8.
    Fair,
    /// F1 is below 0.8.
    Misleading,
    /// Nothing is claimed.
    Silent,
}

/// Explains the first `seen` rows, and extends the explanation to all rows.
#[must_use]
pub fn claim(
    vectors: &Vectors,
    expected: Option<&[Value]>,
    failing: &[bool],
    seen: usize,
) -> Claim {
    let known = |row: usize| (row < seen).then_some(failing[row]);
    let known: Vec<Option<bool>> = (0..failing.len()).map(known).collect();
    let explanation = tdg_explain::rules(&ExplainedRows {
        vectors,
        expected,
        failing: &known, vocabulary: Vocabulary::Full, constants: &[],
    });
    let claims = explanation.rules.iter();
    let claims: Vec<&Rule> = claims
        .filter(|rule| rule.wording != Wording::Tendency)
        .collect();
    let covered = (!claims.is_empty()).then(|| {
        let mut covered = vec![false; failing.len()];
        for row in claims.iter().flat_map(|rule| rule.covered()) {
            covered[row] = true;
        }
        covered
    });
    Claim {
        is_sure: claims.iter().any(|rule| rule.wording == Wording::Sure),
        covered,
        explanation,
    }
}

/// Returns the side with fewer rows among the first `seen`.
#[must_use]
pub fn rarer_side(failing: &[bool], seen: usize) -> Side {
    let count = failing[..seen].iter().filter(|failing| **failing).count();
    if 2 * count > seen {
        Side::Passing
    } else {
        Side::Failing
    }
}

impl Claim {
    /// Judges the claim on the unseen rows of a side, given which rows really fail.
    #[must_use]
    pub fn verdict(&self, failing: &[bool], seen: usize, side: Side) -> Verdict {
        let Some(covered) = &self.covered else {
            return Verdict::Silent;
        };
        let (mut hits, mut wrong, mut missed) = (0, 0, 0);
        for row in seen..failing.len() {
            let is_of_side = failing[row] == (side == Side::Failing);
            let is_claimed = covered[row] == (side == self.explanation.side);
            match (is_of_side, is_claimed) {
                (true, true) => hits += 1,
                (false, true) => wrong += 1,
                (true, false) => missed += 1,
                (false, false) => {}
            }
        }
        match 2.0 * f64::from(hits) / f64::from(2 * hits + wrong + missed) {
            f1 if f1 >= 0.999 => Verdict::Exact,
            f1 if f1 >= 0.95 => Verdict::Near,
            f1 if f1 >= 0.8 => Verdict::Fair,
            // There was nothing to find, and nothing was found.
            f1 if f1.is_nan() => Verdict::Exact,
            _ => Verdict::Misleading,
        }
    }
}

/// Counts of verdicts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    sets: u64,
    exact: u64,
    near: u64,
    near_of_rarer: u64,
    misleading: u64,
    sure_and_misleading: u64,
    sure: u64,
    silent: u64,
}

impl Tally {
    /// Counts a claim, and returns the verdict on it.
    pub fn add(&mut self, claim: &Claim, failing: &[bool], seen: usize) -> Verdict {
        let verdict = claim.verdict(failing, seen, claim.explanation.side);
        let of_rarer = claim.verdict(failing, seen, rarer_side(failing, seen));
        let is_near = |verdict| matches!(verdict, Verdict::Exact | Verdict::Near);
        let is_misleading = verdict == Verdict::Misleading;
        self.sets += 1;
        self.exact += u64::from(verdict == Verdict::Exact);
        self.near += u64::from(is_near(verdict));
        self.near_of_rarer += u64::from(is_near(of_rarer));
        self.misleading += u64::from(is_misleading);
        self.sure_and_misleading += u64::from(is_misleading && claim.is_sure);
        self.sure += u64::from(claim.is_sure);
        self.silent += u64::from(verdict == Verdict::Silent);
        verdict
    }

    /// Returns the counts by name. `near` counts an F1 of at least 0.95, including exact ones, and
    /// `near_of_rarer` does so for the side with fewer rows instead of the described one.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let counts = [
            ("sets", self.sets),
            ("exact", self.exact),
            ("near", self.near),
            ("near_of_rarer", self.near_of_rarer),
            ("misleading", self.misleading),
            ("sure_and_misleading", self.sure_and_misleading),
            ("sure", self.sure),
            ("silent", self.silent),
        ];
        Value::object(counts.map(|(name, count)| (name, Value::from(count))))
    }
}
