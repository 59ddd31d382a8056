//! The ways that values come from random words.

use crate::column::Cells;
use crate::random::{Purpose, StreamRows};

/// The way that a distribution's values come from random words.
pub enum Sampler<'a> {
    /// By inversion: each from one word and nothing else.
    Inversion(Inversion<'a>),
    /// Each value from as many words of its row as it takes.
    Rows(ValuesOfRows<'a>),
    /// Each value from the number of its row, without randomness.
    Fixed(ValuesOfRows<'a>),
}

/// Maps rows to their values.
pub type ValuesOfRows<'a> = Box<dyn Fn(&StreamRows<'_>) -> Cells + 'a>;

impl<'a> Sampler<'a> {
    /// Samples by inversion, where a larger word never gives a smaller value.
    pub(crate) fn rising(values: impl Fn(&Words<'_>) -> Cells + 'a) -> Self {
        Self::inversion(Some(Monotonicity::Rising), values)
    }

    /// Samples by inversion.
    pub(crate) fn inversion(
        direction: Option<Monotonicity>,
        values: impl Fn(&Words<'_>) -> Cells + 'a,
    ) -> Self {
        Self::Inversion(Inversion::new(direction, values))
    }

    /// Samples from as many words as it takes.
    pub(crate) fn rows(values: impl Fn(&StreamRows<'_>) -> Cells + 'a) -> Self {
        Self::Rows(Box::new(values))
    }

    /// Computes values without randomness.
    pub(crate) fn fixed(values: impl Fn(&StreamRows<'_>) -> Cells + 'a) -> Self {
        Self::Fixed(Box::new(values))
    }

    /// Draws the values of these rows.
    pub(crate) fn draw(&self, rows: &StreamRows<'_>) -> Cells {
        match self {
            Self::Inversion(inversion) => inversion.values(&Words::own(*rows, Purpose::Value)),
            Self::Rows(values) | Self::Fixed(values) => values(rows),
        }
    }
}

/// Maps single words to values. If all words are equally likely, the values have the distribution.
pub struct Inversion<'a> {
    direction: Option<Monotonicity>,
    values: Box<dyn Fn(&Words<'_>) -> Cells + 'a>,
}

/// The direction of values as words rise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Monotonicity {
    /// A larger word never gives a smaller value.
    Rising,
    /// A larger word never gives a larger value.
    Falling,
}

impl<'a> Inversion<'a> {
    pub(crate) fn new(
        direction: Option<Monotonicity>,
        values: impl Fn(&Words<'_>) -> Cells + 'a,
    ) -> Self {
        Self {
            direction,
            values: Box::new(values),
        }
    }

    /// Returns the direction of the values; `None` if they rise and fall.
    #[must_use]
    pub fn direction(&self) -> Option<Monotonicity> {
        self.direction
    }

    /// Returns the values of these words.
    #[must_use]
    pub fn values(&self, words: &Words<'_>) -> Cells {
        (self.values)(words)
    }
}

/// One random word for each row.
#[derive(Clone, Copy, Debug)]
pub enum Words<'a> {
    /// The rows' own words, of draw 0, generated on demand.
    Own {
        /// The rows, one for each word.
        rows: StreamRows<'a>,
        /// The purpose of the words.
        purpose: Purpose,
    },
    /// Words that replace the rows' own.
    Supplied {
        /// The rows, one for each word.
        rows: StreamRows<'a>,
        /// The words.
        words: &'a [u64],
    },
    /// Words without rows.
    Given(&'a [u64]),
}

impl<'a> Words<'a> {
    /// Creates the rows' own words, of draw 0.
    #[must_use]
    pub fn own(rows: StreamRows<'a>, purpose: Purpose) -> Self {
        Self::Own { rows, purpose }
    }

    /// Returns the number of words.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Own { rows, .. } => rows.len(),
            Self::Supplied { words, .. } | Self::Given(words) => words.len(),
        }
    }

    /// Returns true if there are no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the rows of the words, if any.
    #[must_use]
    pub fn rows(&self) -> Option<StreamRows<'a>> {
        match self {
            Self::Own { rows, .. } | Self::Supplied { rows, .. } => Some(*rows),
            Self::Given(_) => None,
        }
    }

    /// Copies words into the slice, from number `from` on.
    pub fn read(&self, from: usize, into: &mut [u64]) {
        match self {
            Self::Own { rows, purpose } => rows.fill(*purpose, 0, from, into),
            Self::Supplied { words, .. } | Self::Given(words) => {
                into.copy_from_slice(&words[from..from + into.len()]);
            }
        }
    }
}
