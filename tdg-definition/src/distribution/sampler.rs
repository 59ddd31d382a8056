//! How values come from random words.

use crate::column::Cells;
use crate::random::{Purpose, StreamRows};

/// How the values of a distribution come from random words.
pub enum Sampler<'a> {
    /// By inversion: each from one word and nothing else.
    Inversion(Inversion<'a>),
    /// Each from as many words of its row as it takes.
    Rows(ValuesOfRows<'a>),
    /// Each from the number of its row, with nothing left to chance.
    Fixed(ValuesOfRows<'a>),
}

/// From rows to their values.
pub type ValuesOfRows<'a> = Box<dyn Fn(&StreamRows<'_>) -> Cells + 'a>;

impl<'a> Sampler<'a> {
    /// By inversion, a larger word never giving a smaller value.
    pub(super) fn rising(values: impl Fn(&Words<'_>) -> Cells + 'a) -> Self {
        Self::inversion(Some(Monotonicity::Rising), values)
    }

    /// By inversion.
    pub(super) fn inversion(
        direction: Option<Monotonicity>,
        values: impl Fn(&Words<'_>) -> Cells + 'a,
    ) -> Self {
        Self::Inversion(Inversion::new(direction, values))
    }

    /// From as many words as it takes.
    pub(super) fn rows(values: impl Fn(&StreamRows<'_>) -> Cells + 'a) -> Self {
        Self::Rows(Box::new(values))
    }

    /// Without randomness.
    pub(super) fn fixed(values: impl Fn(&StreamRows<'_>) -> Cells + 'a) -> Self {
        Self::Fixed(Box::new(values))
    }

    /// The values of these rows.
    pub(crate) fn draw(&self, rows: &StreamRows<'_>) -> Cells {
        match self {
            Self::Inversion(inversion) => inversion.values(&Words::own(*rows, Purpose::Value)),
            Self::Rows(values) | Self::Fixed(values) => values(rows),
        }
    }
}

/// Values of one word each. If all words are equally likely, the values have the distribution.
pub struct Inversion<'a> {
    direction: Option<Monotonicity>,
    values: Box<dyn Fn(&Words<'_>) -> Cells + 'a>,
}

/// Which way values go as words rise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Monotonicity {
    /// A larger word never gives a smaller value.
    Rising,
    /// A larger word never gives a larger value.
    Falling,
}

impl<'a> Inversion<'a> {
    pub(super) fn new(
        direction: Option<Monotonicity>,
        values: impl Fn(&Words<'_>) -> Cells + 'a,
    ) -> Self {
        Self {
            direction,
            values: Box::new(values),
        }
    }

    /// Which way values go; `None` if they rise and fall.
    #[must_use]
    pub fn direction(&self) -> Option<Monotonicity> {
        self.direction
    }

    /// The values of these words.
    #[must_use]
    pub fn values(&self, words: &Words<'_>) -> Cells {
        (self.values)(words)
    }
}

/// One random word for each row.
#[derive(Clone, Copy, Debug)]
pub enum Words<'a> {
    /// The rows' own words, of draw 0, generated when they are needed.
    Own {
        /// The rows, one for each word.
        rows: StreamRows<'a>,
        /// What the words are for.
        purpose: Purpose,
    },
    /// Words in place of these rows' own.
    Supplied {
        /// The rows, one for each word.
        rows: StreamRows<'a>,
        /// The words.
        words: &'a [u64],
    },
    /// Words of no rows.
    Given(&'a [u64]),
}

impl<'a> Words<'a> {
    /// The rows' own words, of draw 0.
    #[must_use]
    pub fn own(rows: StreamRows<'a>, purpose: Purpose) -> Self {
        Self::Own { rows, purpose }
    }

    /// How many words there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Own { rows, .. } => rows.len(),
            Self::Supplied { words, .. } | Self::Given(words) => words.len(),
        }
    }

    /// Whether there are no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows that they are of, if any.
    #[must_use]
    pub fn rows(&self) -> Option<StreamRows<'a>> {
        match self {
            Self::Own { rows, .. } | Self::Supplied { rows, .. } => Some(*rows),
            Self::Given(_) => None,
        }
    }

    /// Those from number `from` on, as many as the slice holds.
    pub fn read(&self, from: usize, into: &mut [u64]) {
        match self {
            Self::Own { rows, purpose } => rows.fill(*purpose, 0, from, into),
            Self::Supplied { words, .. } | Self::Given(words) => {
                into.copy_from_slice(&words[from..from + into.len()]);
            }
        }
    }
}
