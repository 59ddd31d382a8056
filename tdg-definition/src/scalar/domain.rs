//! Numbered values of a distribution.

use crate::column::Cells;

/// The values of a distribution, as required for drawing each of them once.
pub enum Domain<'a> {
    /// The values number 0 to `last`, all equally likely.
    Numbered {
        /// The number of the last value.
        last: u64,
        /// The values with these numbers.
        values: ValuesByNumber<'a>,
    },
    /// At least this many values; one that another element already has can be drawn again.
    Many {
        /// The least number of values.
        least: f64,
        /// A more specific reason why the rows of an ensemble can't be unique, if any.
        of_rows: Option<&'static str>,
    },
    /// Values that already differ between all rows.
    Distinct,
    /// Values that aren't equally likely, or can't be counted, with a more specific reason if any.
    Other(Option<&'static str>),
}

/// Maps the numbers of values to the values.
pub type ValuesByNumber<'a> = Box<dyn Fn(&[u64]) -> Cells + 'a>;

impl<'a> Domain<'a> {
    /// Creates a numbered domain.
    pub(super) fn numbered(last: u64, values: impl Fn(&[u64]) -> Cells + 'a) -> Self {
        Self::Numbered {
            last,
            values: Box::new(values),
        }
    }
}
