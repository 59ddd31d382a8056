//! The values of a distribution by number.

use crate::column::Cells;

/// The values of a distribution, if each of them can be drawn once.
pub enum Domain<'a> {
    /// The values number 0 to `last`, all equally likely.
    Numbered {
        /// The number of the last one.
        last: u64,
        /// The values with these numbers.
        values: ValuesByNumber<'a>,
    },
    /// So many at least, of which one that another element has can be drawn again.
    Many {
        /// How many values there are at least.
        least: f64,
        /// Why no rows of an ensemble can be unique, if there is a more specific reason.
        of_rows: Option<&'static str>,
    },
    /// No two rows have the same value anyway.
    Distinct,
    /// The values are not equally likely, or can't be counted. The text says why, if there is a
    /// more specific reason.
    Other(Option<&'static str>),
}

/// From the numbers of values to the values.
pub type ValuesByNumber<'a> = Box<dyn Fn(&[u64]) -> Cells + 'a>;

impl<'a> Domain<'a> {
    /// Values by number.
    pub(super) fn numbered(last: u64, values: impl Fn(&[u64]) -> Cells + 'a) -> Self {
        Self::Numbered {
            last,
            values: Box::new(values),
        }
    }
}
