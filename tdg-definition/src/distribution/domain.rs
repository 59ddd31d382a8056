//! The values of a distribution, where they can be told apart by number.

use crate::column::Cells;

/// Which values a distribution has, as far as each of them can be drawn once.
pub enum Domain<'a> {
    /// The values number 0 to `last`, none likelier than another.
    Numbered {
        /// The number of the last one.
        last: u64,
        /// The values with these numbers.
        values: ValuesByNumber<'a>,
    },
    /// No two rows have the same value anyway.
    Distinct,
    /// Some values are likelier than others, or they can't be counted; the text says what is wrong, if there is more
    /// to say than that.
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
