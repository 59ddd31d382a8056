//! Conditions: a question about an attribute, with a constant.

use tdg_definition::json::Number;

use super::attribute::{Attribute, Measure};
use super::value::AttributeValue;

/// A condition on an attribute.
#[derive(Clone, Debug)]
pub(super) struct AttributeCondition<'t> {
    /// The position of the attribute.
    pub(super) attribute: usize,
    pub(super) question: Question<'t>,
    /// True if it can be negated: for rows without a value, neither "above" nor "at most" is true.
    pub(super) has_negation: bool,
    /// The cost of naming it, in nats.
    pub(super) cost: f64,
}

/// The question of a condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Question<'t> {
    /// The flag is set.
    Holds,
    /// The flag is unset, in a row that has one.
    Fails,
    Is(AttributeValue<'t>),
    AtMost(Number),
    Above(Number),
    Below(Number),
    From(Number),
    StartsWith(&'t str),
    EndsWith(&'t str),
    /// One of these values, in order.
    OneOf(Vec<AttributeValue<'t>>),
}

/// The form of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConditionForm {
    /// It compares a feature, or its length, with a constant: `quantity > 10`.
    Constant,
    /// It compares two features: `start < end`.
    Comparison,
    /// It tests anything else: `due on a weekend`, `a + b > 30`.
    Property,
}

impl Question<'_> {
    /// Returns a plainer question that is equivalent for these numbers, if this one is a limit: the
    /// one value past the limit, or a strict limit if no number is 0. `has_few` if only few numbers
    /// are possible at all.
    pub(super) fn plainly(
        &self,
        is_negated: bool,
        has_few: bool,
        numbers: impl Iterator<Item = Number>,
    ) -> Option<Self> {
        let (limit, is_upper) = match self {
            Self::AtMost(limit) | Self::Below(limit) => (*limit, is_negated),
            Self::Above(limit) | Self::From(limit) => (*limit, !is_negated),
            _ => return None,
        };
        let (mut beyond, mut has_limit): (Vec<Number>, bool) = (Vec::new(), false);
        for number in numbers {
            has_limit |= number == limit;
            if self.is_true_of_number(number) != is_negated && !beyond.contains(&number) {
                beyond.push(number);
                beyond.truncate(2);
            }
        }
        match beyond[..] {
            [only] if has_few || (only == limit && !is_upper) => {
                Some(Self::Is(AttributeValue::Number(only)))
            }
            _ if has_limit || limit != Number::from(0) => None,
            _ if is_upper => Some(Self::Above(limit)),
            _ => Some(Self::Below(limit)),
        }
    }

    /// Returns the limit without the outermost number that it includes, and that number. For strict
    /// limits, it is known among integers.
    pub(super) fn strictly(&self, is_negated: bool) -> Option<(Self, Number)> {
        let next = |limit: &Number, step: i128| {
            let integer = limit.as_i128().filter(|_| !limit.is_float())?;
            integer.checked_add(step).map(Number::from)
        };
        match (self, is_negated) {
            (Self::Above(limit), false) | (Self::AtMost(limit), true) => {
                next(limit, 1).map(|next| (Self::Above(next), next))
            }
            (Self::Below(limit), false) | (Self::From(limit), true) => {
                next(limit, -1).map(|next| (Self::Below(next), next))
            }
            (Self::AtMost(limit), false) | (Self::Above(limit), true) => {
                Some((Self::Below(*limit), *limit))
            }
            (Self::From(limit), false) | (Self::Below(limit), true) => {
                Some((Self::Above(*limit), *limit))
            }
            _ => None,
        }
    }

    /// Returns true if it asks for a value, or for a part of a text.
    pub(super) fn is_value(&self) -> bool {
        let parts = matches!(self, Self::StartsWith(_) | Self::EndsWith(_));
        parts || matches!(self, Self::Is(_) | Self::OneOf(_))
    }

    /// Returns the number that is the limit, if it asks for one.
    pub(super) fn limit(&self) -> Option<Number> {
        match self {
            Self::AtMost(limit) | Self::Above(limit) | Self::Below(limit) | Self::From(limit) => {
                Some(*limit)
            }
            _ => None,
        }
    }

    fn is_true_of_number(&self, number: Number) -> bool {
        match self {
            Self::AtMost(limit) => number <= *limit,
            Self::Above(limit) => number > *limit,
            Self::Below(limit) => number < *limit,
            Self::From(limit) => number >= *limit,
            _ => self.is_true_of(AttributeValue::Number(number)),
        }
    }

    fn is_true_of_text(&self, text: &str) -> bool {
        match self {
            Self::StartsWith(prefix) => text.starts_with(prefix),
            Self::EndsWith(suffix) => text.ends_with(suffix),
            _ => self.is_true_of(AttributeValue::Text(text)),
        }
    }

    fn is_true_of(&self, value: AttributeValue<'_>) -> bool {
        match self {
            Self::Is(other) => value == *other,
            Self::OneOf(values) => values.binary_search(&value).is_ok(),
            _ => false,
        }
    }
}

impl<'t> AttributeCondition<'t> {
    /// Returns true if the condition, or its negation, holds for a row. A row without a value is
    /// only unequal to any value, even if it wasn't known when negatability was decided.
    pub(super) fn holds(&self, attribute: &Attribute<'t>, row: usize, is_negated: bool) -> bool {
        match &attribute.measure {
            Measure::Flag(of) => of(row)
                .is_some_and(|flag| (flag == (self.question == Question::Holds)) != is_negated),
            Measure::Number(_, of) => match of(row) {
                Some(number) => self.question.is_true_of_number(number) != is_negated,
                None => is_negated && matches!(self.question, Question::Is(_) | Question::OneOf(_)),
            },
            Measure::Text(_, of) => {
                of(row).is_some_and(|text| self.question.is_true_of_text(text)) != is_negated
            }
            Measure::Texts(of) => {
                let mut texts = of(row).into_iter();
                texts.any(|text| self.question.is_true_of_text(text)) != is_negated
            }
        }
    }
}

/// A condition of a catalogue, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Literal {
    pub(super) condition: u32,
    pub(super) is_negated: bool,
}

impl Literal {
    pub(super) fn negated(self) -> Self {
        Self {
            is_negated: !self.is_negated,
            ..self
        }
    }
}
