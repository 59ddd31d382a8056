//! The values of one feature as a column.

mod bytes;
mod lists;
mod objects;
mod scope;
mod text;
mod variants;

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use crate::calendar;
use crate::feature_type::FeatureType;

pub use self::bytes::ByteCells;
pub use self::lists::{ListCells, ListForm};
pub use self::objects::{ObjectCells, ObjectForm};
pub(crate) use self::scope::{Referred, ValueScope};
pub use self::text::Text;
pub use self::variants::VariantCells;

/// The values of one feature, one for each row. Some can be `null`.
#[derive(Clone, Debug)]
pub struct Column {
    cells: Cells,
    nulls: Option<Vec<bool>>,
    /// The concatenated texts of dates or times, created on first use.
    calendar_text: OnceLock<String>,
}

/// The values of a column, by type. A `null` row also has a value, which is ignored.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// `FLOAT`, always finite
    Float(Vec<f64>),
    /// `INTEGER`
    Integer(Vec<i64>),
    /// `INTEGER`, if a value that isn't `null` is above `i64::MAX`
    Unsigned(Vec<u64>),
    /// `STRING`
    Text(Text),
    /// `BOOLEAN`
    Boolean(Vec<bool>),
    /// `DATETIME`, in seconds since 1970-01-01T00:00:00Z
    DateTime(Vec<i64>),
    /// `DATE`, in days since 1970-01-01
    Date(Vec<i64>),
    /// `BYTES`
    Bytes(ByteCells),
    /// `LIST`
    List(ListCells),
    /// `OBJECT`
    Object(ObjectCells),
    /// `VARIANT`
    Variant(VariantCells),
}

impl Column {
    /// Creates a column of these cells; `nulls` has an element for each row, `true` if it's `null`.
    #[must_use]
    pub fn new(cells: Cells, nulls: Option<Vec<bool>>) -> Self {
        debug_assert!(
            nulls
                .as_ref()
                .is_none_or(|nulls| nulls.len() == cells.len())
        );
        let nulls = nulls.filter(|nulls| nulls.contains(&true));
        let cells = cells.narrowed(nulls.as_deref());
        Self {
            cells,
            nulls,
            calendar_text: OnceLock::new(),
        }
    }

    /// Collects the values of these rows, in order.
    #[must_use]
    pub fn gather(&self, rows: &[usize]) -> Self {
        let nulls = self.nulls.as_ref();
        let nulls = nulls.map(|nulls| rows.iter().map(|row| nulls[*row]).collect());
        // A column has at most 10,000 rows.
        let rows: Vec<u32> = rows.iter().map(|row| *row as u32).collect();
        Self::new(self.cells.gather(&rows), nulls)
    }

    /// Returns the values.
    #[must_use]
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Returns the text of a date or a time; empty for other types.
    #[must_use]
    pub fn calendar_text(&self, row: usize) -> &str {
        let text = self.calendar_text.get_or_init(|| {
            let mut text = String::new();
            match &self.cells {
                Cells::DateTime(values) => {
                    for &seconds in values {
                        calendar::write_datetime(&mut text, seconds);
                    }
                }
                Cells::Date(values) => {
                    for &days in values {
                        calendar::write_date(&mut text, days);
                    }
                }
                _ => {}
            }
            text
        });
        // All texts of a column have the same length.
        let length = text.len() / self.cells.len();
        &text[row * length..(row + 1) * length]
    }

    /// Returns a mark for each row, `true` if it's `null`; `None` if no row is.
    #[must_use]
    pub fn nulls(&self) -> Option<&[bool]> {
        self.nulls.as_deref()
    }

    /// Returns true if the row is `null`.
    #[must_use]
    pub fn is_null(&self, row: usize) -> bool {
        match &self.nulls {
            Some(nulls) => nulls[row],
            None => false,
        }
    }
}

impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        (&self.cells, &self.nulls) == (&other.cells, &other.nulls)
    }
}

impl Cells {
    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Float(values) => values.len(),
            Self::Integer(values) | Self::DateTime(values) | Self::Date(values) => values.len(),
            Self::Unsigned(values) => values.len(),
            Self::Text(text) => text.len(),
            Self::Boolean(values) => values.len(),
            Self::Bytes(bytes) => bytes.len(),
            Self::List(lists) => lists.len(),
            Self::Object(objects) => objects.len(),
            Self::Variant(variants) => variants.len(),
        }
    }

    /// Returns true if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Creates placeholder values for `rows` rows.
    pub(crate) fn blank(feature_type: FeatureType, rows: usize) -> Self {
        match feature_type {
            FeatureType::Float => Self::Float(vec![0.0; rows]),
            FeatureType::Integer => Self::Integer(vec![0; rows]),
            FeatureType::DateTime => Self::DateTime(vec![0; rows]),
            FeatureType::Date => Self::Date(vec![0; rows]),
            FeatureType::String => Self::Text(vec![""; rows].into_iter().collect()),
            FeatureType::Bytes => Self::Bytes(vec![&[][..]; rows].into_iter().collect()),
            _ => Self::Boolean(vec![false; rows]),
        }
    }

    /// Stores integers, which must all fit into `i64` or all into `u64`.
    pub(crate) fn from_integers(values: &[i128]) -> Self {
        let narrow: Result<Vec<i64>, _> = values.iter().map(|&value| value.try_into()).collect();
        match narrow {
            Ok(values) => Self::Integer(values),
            Err(_) => Self::Unsigned(values.iter().map(|&value| value as u64).collect()),
        }
    }

    /// Returns the values of `INTEGER`; 0 for other types.
    pub(crate) fn integers(&self) -> Vec<i128> {
        match self {
            Self::Integer(values) => values.iter().map(|&value| value.into()).collect(),
            Self::Unsigned(values) => values.iter().map(|&value| value.into()).collect(),
            other => vec![0; other.len()],
        }
    }

    /// Collects the values of these rows, in order.
    pub(crate) fn gather(&self, rows: &[u32]) -> Self {
        // Indexed, because iterators are slow in unoptimized builds.
        fn each<T: Copy + Default>(values: &[T], rows: &[u32]) -> Vec<T> {
            let mut gathered = vec![T::default(); rows.len()];
            let mut i = 0;
            while i < rows.len() {
                gathered[i] = values[rows[i] as usize];
                i += 1;
            }
            gathered
        }
        match self {
            Self::Float(values) => Self::Float(each(values, rows)),
            Self::Integer(values) => Self::Integer(each(values, rows)),
            Self::Unsigned(values) => Self::Unsigned(each(values, rows)),
            Self::Boolean(values) => Self::Boolean(each(values, rows)),
            Self::DateTime(values) => Self::DateTime(each(values, rows)),
            Self::Date(values) => Self::Date(each(values, rows)),
            Self::Text(text) => Self::Text(text.with_rows(each(text.rows(), rows))),
            Self::Bytes(bytes) => Self::Bytes(bytes.gather(rows)),
            Self::List(lists) => Self::List(lists.gather(rows)),
            Self::Object(objects) => Self::Object(objects.gather(rows)),
            Self::Variant(variants) => Self::Variant(variants.gather(rows)),
        }
    }

    /// Like [`gather`](Self::gather), but reuses the texts if each row has a separate entry.
    pub(crate) fn into_gathered(self, rows: Vec<u32>) -> Self {
        match self {
            Self::Text(text) if text.rows().iter().copied().eq(0..text.len() as u32) => {
                Self::Text(text.into_rows(rows))
            }
            other => other.gather(&rows),
        }
    }

    /// Replaces the values of some rows with values of `others`. Types and signs must allow one
    /// column to hold all of them.
    pub(crate) fn replace(&mut self, rows: &[(usize, usize)], others: &Self) {
        fn each<T: Copy>(values: &mut [T], rows: &[(usize, usize)], others: &[T]) {
            for &(row, other) in rows {
                values[row] = others[other];
            }
        }
        match (self, others) {
            (Self::Float(values), Self::Float(others)) => each(values, rows, others),
            (Self::Boolean(values), Self::Boolean(others)) => each(values, rows, others),
            (Self::Unsigned(values), Self::Unsigned(others)) => each(values, rows, others),
            (Self::Integer(values), Self::Integer(others))
            | (Self::DateTime(values), Self::DateTime(others))
            | (Self::Date(values), Self::Date(others)) => each(values, rows, others),
            (Self::Text(values), Self::Text(others)) => values.replace(rows, others),
            (Self::Bytes(values), Self::Bytes(others)) => values.replace(rows, others),
            (Self::Unsigned(values), Self::Integer(others)) => {
                for &(row, other) in rows {
                    values[row] = others[other] as u64;
                }
            }
            (cells, Self::Unsigned(others)) => {
                if let Self::Integer(values) = cells {
                    let mut wide: Vec<u64> = values.iter().map(|&value| value as u64).collect();
                    each(&mut wide, rows, others);
                    *cells = Self::Unsigned(wide);
                }
            }
            _ => {}
        }
    }

    /// Returns true if one column can hold all of these integers.
    pub(crate) fn can_hold(integers: &RangeInclusive<i128>) -> bool {
        *integers.start() >= 0 || *integers.end() <= i64::MAX.into()
    }

    /// Marks values nested in others of the same shape. A column of nulls drops its structure then,
    /// which would otherwise nest endlessly.
    #[must_use]
    pub fn of_nodes(mut self) -> Self {
        match &mut self {
            Self::Object(objects) => objects.is_node = true,
            Self::Variant(variants) => variants.is_node = true,
            _ => {}
        }
        self
    }

    /// Returns true if the values are nested in others of the same shape.
    #[must_use]
    pub fn are_nodes(&self) -> bool {
        match self {
            Self::Object(objects) => objects.is_node,
            Self::Variant(variants) => variants.is_node,
            _ => false,
        }
    }

    /// Stores integers as `i64` if all that aren't `null` fit.
    fn narrowed(self, nulls: Option<&[bool]>) -> Self {
        let null = |row: usize| nulls.is_some_and(|nulls| nulls[row]);
        if self.are_nodes() && (0..self.len()).all(null) {
            return Self::Boolean(vec![false; self.len()]);
        }
        let Self::Unsigned(values) = self else {
            return self;
        };
        let beyond = |(row, &value): (usize, &u64)| value > i64::MAX as u64 && !null(row);
        if values.iter().enumerate().any(beyond) {
            return Self::Unsigned(values);
        }
        Self::Integer(values.into_iter().map(|value| value as i64).collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Texts whose rows are the entries in order, and other texts.
        #[test]
        fn cells_without_another_use_are_gathered_like_others(
            entries in prop::collection::vec("[a-c]{0,2}", 1..6),
            first in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
            second in prop::collection::vec(any::<prop::sample::Index>(), 0..9),
            in_order: bool,
        ) {
            let text: Text = entries.iter().map(String::as_str).collect();
            let rows = |indices: &[prop::sample::Index], length| -> Vec<u32> {
                indices.iter().map(|index| index.index(length) as u32).collect()
            };
            let mut cells = Cells::Text(text);
            if !in_order {
                cells = cells.gather(&rows(&first, cells.len()));
            }
            let rows = rows(&second, cells.len());
            prop_assert_eq!(cells.clone().into_gathered(rows.clone()), cells.gather(&rows));
        }
    }
}
