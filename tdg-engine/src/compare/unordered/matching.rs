//! Partners, by position among the sorted keys.

use std::cmp::Ordering;
use std::ops::Range;

use super::key::{ElementKey, ElementKeys};

/// The most comparisons of tolerated numbers that exchanging pairs may take in a group.
const EXCHANGES: usize = 10_000_000;

/// The elements of both arrays, and the partner of each.
pub(super) struct Matching<'v> {
    keys: ElementKeys<'v>,
    pub(super) expected: Vec<ElementKey>,
    pub(super) actual: Vec<ElementKey>,
    pub(super) of_expected: Vec<Option<usize>>,
    pub(super) of_actual: Vec<Option<usize>>,
}

impl<'v> Matching<'v> {
    pub(super) fn new(
        keys: ElementKeys<'v>,
        expected: Vec<ElementKey>,
        actual: Vec<ElementKey>,
    ) -> Self {
        Self {
            keys,
            of_expected: vec![None; expected.len()],
            of_actual: vec![None; actual.len()],
            expected,
            actual,
        }
    }

    /// Walks through both arrays once and pairs equal elements at the front of both.
    pub(super) fn sweep(&mut self) {
        let (mut left, mut right) = (0, 0);
        while let (Some(expected), Some(actual)) = (self.expected.get(left), self.actual.get(right))
        {
            if self.keys.is_same(expected, actual) {
                self.of_expected[left] = Some(right);
                self.of_actual[right] = Some(left);
                left += 1;
                right += 1;
            } else if self.keys.order(expected, actual) == Ordering::Less {
                left += 1;
            } else {
                right += 1;
            }
        }
    }

    /// Gives every element of a group a partner by exchanging pairs, or leaves the group unchanged.
    pub(super) fn exchange(&mut self) {
        let mut end = 0;
        while let Some(first) = self.expected.get(end) {
            let group_order =
                |key: &ElementKey, first: &ElementKey| self.keys.group_order(key, first);
            let start = end;
            end += self.expected[start..].partition_point(|key| group_order(key, first).is_le());
            let unpaired: Vec<usize> = (start..end)
                .filter(|place| self.of_expected[*place].is_none())
                .collect();
            if unpaired.is_empty() {
                continue;
            }
            let others = self
                .actual
                .partition_point(|key| group_order(key, first).is_lt())
                ..self
                    .actual
                    .partition_point(|key| group_order(key, first).is_le());
            let size = end - start;
            let work = unpaired.len().saturating_mul(size * size);
            if others.len() != size || work > EXCHANGES {
                continue;
            }
            let before = (self.of_expected.clone(), self.of_actual.clone());
            if !unpaired
                .iter()
                .all(|place| self.find_partner(*place, &others))
            {
                (self.of_expected, self.of_actual) = before;
            }
        }
    }

    /// Finds a free partner through partners that could take another one: the shortest augmenting
    /// path, breadth first.
    fn find_partner(&mut self, place: usize, others: &Range<usize>) -> bool {
        let mut reached_from: Vec<Option<usize>> = vec![None; others.len()];
        let mut waiting = vec![place];
        let mut next = 0;
        while let Some(&seeker) = waiting.get(next) {
            next += 1;
            for other in others.clone() {
                let from = &mut reached_from[other - others.start];
                let (expected, actual) = (&self.expected[seeker], &self.actual[other]);
                if from.is_some() || !self.keys.is_within(expected, actual) {
                    continue;
                }
                *from = Some(seeker);
                match self.of_actual[other] {
                    Some(partner) => waiting.push(partner),
                    None => {
                        self.exchange_along(&reached_from, others.start, other);
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Gives every element on the path the partner that it reached, replacing its own.
    fn exchange_along(&mut self, reached_from: &[Option<usize>], start: usize, end: usize) {
        let mut free = Some(end);
        while let Some(other) = free
            && let Some(seeker) = reached_from[other - start]
        {
            self.of_actual[other] = Some(seeker);
            free = self.of_expected[seeker].replace(other);
        }
    }
}
