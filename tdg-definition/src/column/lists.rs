//! Lists whose elements form a column.

use std::ops::Range;
use std::sync::Arc;

use super::{Cells, Column};

/// The written form of lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListForm {
    /// `[1, 2]`
    #[default]
    Array,
    /// `{"a": 1, "b": 2}`, where the elements are objects with a key and a value
    Map,
}

/// Lists, one for each row, like Arrow's list views: the elements of all lists form one column.
#[derive(Clone, Debug)]
pub struct ListCells {
    form: ListForm,
    elements: Arc<Column>,
    /// The start and the end of each row's elements.
    ranges: Vec<(u32, u32)>,
}

impl ListCells {
    /// Creates lists of these lengths with consecutive elements.
    #[must_use]
    pub fn new(form: ListForm, lengths: &[u32], elements: Column) -> Self {
        let mut start = 0;
        let range = |length: &u32| {
            let range = (start, start + length);
            start = range.1;
            range
        };
        let ranges = lengths.iter().map(range).collect();
        debug_assert_eq!(start as usize, elements.cells().len());
        Self {
            form,
            elements: Arc::new(elements),
            ranges,
        }
    }

    /// Replaces the elements of the lists one by one.
    pub(crate) fn with(&self, elements: Column) -> Self {
        debug_assert_eq!(elements.cells().len(), self.elements.cells().len());
        Self {
            form: self.form,
            elements: Arc::new(elements),
            ranges: self.ranges.clone(),
        }
    }

    /// Returns the form in which the lists are written.
    #[must_use]
    pub fn form(&self) -> ListForm {
        self.form
    }

    /// Returns the columns of the keys and the values of all lists, if they are maps.
    #[must_use]
    pub fn entries(&self) -> Option<(&Column, &Column)> {
        let Cells::Object(objects) = self.elements.cells() else {
            return None;
        };
        let mut members = objects.members().map(|(_, column)| column);
        match (self.form, members.next(), members.next()) {
            (ListForm::Map, Some(keys), Some(values)) => Some((keys, values)),
            _ => None,
        }
    }

    /// Returns the elements of all lists; a row's are at its [`range`](Self::range).
    #[must_use]
    pub fn elements(&self) -> &Column {
        &self.elements
    }

    /// Returns the range of a row's elements.
    #[must_use]
    pub fn range(&self, row: usize) -> Range<usize> {
        let (start, end) = self.ranges[row];
        start as usize..end as usize
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Returns true if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    pub(super) fn gather(&self, rows: &[u32]) -> Self {
        let ranges = rows.iter().map(|row| self.ranges[*row as usize]);
        Self {
            form: self.form,
            elements: Arc::clone(&self.elements),
            ranges: ranges.collect(),
        }
    }
}

impl PartialEq for ListCells {
    fn eq(&self, other: &Self) -> bool {
        let elements = |lists: &Self| {
            let positions: Vec<usize> = (0..lists.len()).flat_map(|row| lists.range(row)).collect();
            lists.elements.gather(&positions)
        };
        let lengths = |lists: &Self| -> Vec<usize> {
            let lengths = (0..lists.len()).map(|row| lists.range(row).len());
            lengths.collect()
        };
        self.form == other.form
            && lengths(self) == lengths(other)
            && elements(self) == elements(other)
    }
}
