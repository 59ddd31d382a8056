//! One condition of a rule, on ranks.

use std::ops::Range;

use super::attribute::Attribute;

/// What a condition asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    Is,
    IsNot,
    AtMost,
    Above,
    StartsWith,
}

/// One condition of a rule.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    /// The position of the attribute.
    pub(super) attribute: usize,
    pub(super) question: Question,
    /// The ranks of the question: a row's must be one of them, or for [`Question::IsNot`] none of
    /// them.
    pub(super) ranks: Range<u32>,
}

impl Condition {
    pub(super) fn holds(&self, attribute: &Attribute, row: usize) -> bool {
        let rank = attribute.ranks[row];
        let is_one = rank >= self.ranks.start && rank < self.ranks.end;
        is_one != (self.question == Question::IsNot)
    }
}
