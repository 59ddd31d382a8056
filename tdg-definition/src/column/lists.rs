//! Lists, whose elements are a column.

use std::ops::Range;
use std::sync::Arc;

use super::Column;

/// Lists, one for each row, as Arrow's list views: the elements of all of them are one column.
#[derive(Clone, Debug)]
pub struct ListCells {
    elements: Arc<Column>,
    /// Where the elements of each row begin and end.
    ranges: Vec<(u32, u32)>,
}

impl ListCells {
    /// Lists of these lengths, the elements of one after those of another.
    #[must_use]
    pub fn new(lengths: &[u32], elements: Column) -> Self {
        let mut start = 0;
        let range = |length: &u32| {
            let range = (start, start + length);
            start = range.1;
            range
        };
        let ranges = lengths.iter().map(range).collect();
        debug_assert_eq!(start as usize, elements.cells().len());
        Self {
            elements: Arc::new(elements),
            ranges,
        }
    }

    /// The elements of all lists. Those of a row are at its [`range`](Self::range).
    #[must_use]
    pub fn elements(&self) -> &Column {
        &self.elements
    }

    /// Where the elements of that row are.
    #[must_use]
    pub fn range(&self, row: usize) -> Range<usize> {
        let (start, end) = self.ranges[row];
        start as usize..end as usize
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    pub(super) fn gather(&self, rows: &[u32]) -> Self {
        let ranges = rows.iter().map(|row| self.ranges[*row as usize]);
        Self {
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
        lengths(self) == lengths(other) && elements(self) == elements(other)
    }
}
