//! Counts the cases of each side that the conditions of an attribute cover, all in one pass.

use std::ops::Range;

use super::attribute::Attribute;
use super::cases::Cases;
use super::condition::Question;
use super::score::Counts;

/// The number of cases of each side below every rank.
pub(super) struct Counter {
    below: Vec<[u32; 2]>,
}

impl Counter {
    pub(super) fn new(attributes: &[Attribute]) -> Self {
        let distinct = attributes.iter().map(|attribute| attribute.distinct).max();
        // One for null, and one for the sum of all.
        let length = distinct.unwrap_or_default() as usize + 2;
        Self {
            below: vec![[0; 2]; length],
        }
    }

    pub(super) fn count(&mut self, attribute: &Attribute, cases: &Cases) {
        let below = &mut self.below[..attribute.distinct as usize + 2];
        below.fill([0; 2]);
        for (side, rows) in [&cases.inside, &cases.outside].into_iter().enumerate() {
            for &row in rows {
                below[attribute.ranks[row as usize] as usize + 1][side] += 1;
            }
        }
        let mut sum = [0; 2];
        for counts in below {
            sum[0] += counts[0];
            sum[1] += counts[1];
            *counts = sum;
        }
    }

    fn within(&self, ranks: &Range<u32>) -> Counts {
        counts_between(
            self.below[ranks.start as usize],
            self.below[ranks.end as usize],
        )
    }

    /// Calls `ask` with every question of the attribute and the number of cases that it covers.
    pub(super) fn each_question(&self, attribute: &Attribute, ask: &mut Ask<'_>) {
        let distinct = attribute.distinct;
        let all = self.within(&(0..distinct + 1));
        let null = attribute.has_null.then_some(distinct);
        let values = || attribute.repeated.iter().chain(&null);
        // Of two questions that cover the same cases the first wins: `=` before `!=`.
        for &rank in values() {
            let ranks = rank..rank + 1;
            ask(Question::Is, ranks.clone(), self.within(&ranks));
        }
        for &rank in values() {
            if !attribute.is_ordered || rank == distinct {
                let ranks = rank..rank + 1;
                let others = all.without(self.within(&ranks));
                ask(Question::IsNot, ranks, others);
            }
        }
        if attribute.is_ordered {
            self.each_threshold(distinct, ask);
        }
        for ranks in &attribute.prefixes {
            ask(Question::StartsWith, ranks.clone(), self.within(ranks));
        }
    }

    /// Thresholds between neighbouring values of the counted cases. A threshold between two values
    /// whose cases are all on one side can't be the best (U. M. Fayyad and K. B. Irani, "On the
    /// handling of continuous-valued attributes in decision tree generation", 1992).
    fn each_threshold(&self, distinct: u32, ask: &mut Ask<'_>) {
        let all = self.within(&(0..distinct));
        let mut below = [0; 2];
        let mut before: Option<(Counts, u32)> = None;
        for (rank, &until) in (0..distinct).zip(&self.below[1..]) {
            if until == below {
                continue;
            }
            let here = counts_between(below, until);
            if let Some((before, last)) = before
                && !are_of_one_side(before, here)
            {
                let covered = counts_between([0; 2], below);
                ask(Question::AtMost, 0..last + 1, covered);
                ask(Question::Above, last + 1..distinct, all.without(covered));
            }
            before = Some((here, rank));
            below = until;
        }
    }
}

/// Takes a question, its ranks, and the number of cases that it covers.
pub(super) type Ask<'a> = dyn FnMut(Question, Range<u32>, Counts) + 'a;

fn are_of_one_side(left: Counts, right: Counts) -> bool {
    (left.inside == 0 && right.inside == 0) || (left.outside == 0 && right.outside == 0)
}

fn counts_between(start: [u32; 2], end: [u32; 2]) -> Counts {
    Counts {
        inside: (end[0] - start[0]) as usize,
        outside: (end[1] - start[1]) as usize,
    }
}
