//! One condition of a rule, on ranks.

use std::ops::Range;

use super::attribute::Attribute;

/// What is asked of an attribute.
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
    /// The ranks that the question is about: a row's must be one of them; with [`Question::IsNot`], none.
    pub(super) ranks: Range<u32>,
}

impl Condition {
    pub(super) fn holds(&self, attribute: &Attribute, row: usize) -> bool {
        let rank = attribute.ranks[row];
        let is_one = rank >= self.ranks.start && rank < self.ranks.end;
        is_one != (self.question == Question::IsNot)
    }
}
