//! Explanations, judged on rows that were not seen.

use tdg_definition::json::Value;
use tdg_engine::Vectors;
use tdg_engine::explain::{self, Explanation, Rows, Rule, Side, Wording};

/// What an explanation claims of all rows, seen or not.
pub struct Claim {
    pub explanation: Explanation,
    /// Whether each row is covered by a rule that is more than a tendency; `None` without any.
    pub covered: Option<Vec<bool>>,
    /// Whether one of them is sure.
    pub is_sure: bool,
}

/// How the claim fares on the rows beyond `seen`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// F1 of the described side is at least 0.999.
    Exact,
    /// At least 0.95.
    Near,
    /// At least 0.8.
    Fair,
    /// Less.
    Misleading,
    /// Nothing is claimed.
    Silent,
}

/// The claim about rows of which the first `seen` are known to fail or not.
#[must_use]
pub fn claim(
    vectors: &Vectors,
    expected: Option<&[Value]>,
    failing: &[bool],
    seen: usize,
) -> Claim {
    let known = |row: usize| (row < seen).then_some(failing[row]);
    let known: Vec<Option<bool>> = (0..failing.len()).map(known).collect();
    let explanation = explain::rules(&Rows {
        vectors,
        expected,
        failing: &known,
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

impl Claim {
    /// Judges it by the rows beyond `seen`, given which rows really fail.
    #[must_use]
    pub fn verdict(&self, failing: &[bool], seen: usize) -> Verdict {
        let Some(covered) = &self.covered else {
            return Verdict::Silent;
        };
        let is_described = |row: usize| failing[row] == (self.explanation.side == Side::Failing);
        let (mut hits, mut wrong, mut missed) = (0, 0, 0);
        for row in seen..failing.len() {
            match (is_described(row), covered[row]) {
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
            // Nothing to find, and nothing found.
            f1 if f1.is_nan() => Verdict::Exact,
            _ => Verdict::Misleading,
        }
    }
}

/// Counts of verdicts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub sets: u32,
    pub exact: u32,
    /// F1 of at least 0.95, exact ones included.
    pub near: u32,
    /// F1 below 0.8, of any claim.
    pub misleading: u32,
    /// Of these, the sure ones.
    pub sure_and_misleading: u32,
    pub sure: u32,
    pub silent: u32,
}

impl Tally {
    pub fn add(&mut self, verdict: Verdict, is_sure: bool) {
        let is = |verdicts: &[Verdict]| u32::from(verdicts.contains(&verdict));
        self.sets += 1;
        self.exact += is(&[Verdict::Exact]);
        self.near += is(&[Verdict::Exact, Verdict::Near]);
        self.misleading += is(&[Verdict::Misleading]);
        self.sure_and_misleading += u32::from(is_sure) * is(&[Verdict::Misleading]);
        self.sure += u32::from(is_sure);
        self.silent += is(&[Verdict::Silent]);
    }

    /// The counts by name.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let counts = [
            ("sets", self.sets),
            ("exact", self.exact),
            ("near", self.near),
            ("misleading", self.misleading),
            ("sure_and_misleading", self.sure_and_misleading),
            ("sure", self.sure),
            ("silent", self.silent),
        ];
        Value::object(counts.map(|(name, count)| (name, Value::from(u64::from(count)))))
    }
}
