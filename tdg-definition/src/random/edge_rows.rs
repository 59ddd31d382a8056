//! The choice of edge rows.

use super::{Permutation, Purpose, Stream, StreamRows, Threshold, uniform};

/// The number of rows in a block, which has a fixed number of edge rows at random places.
const BLOCK: u64 = 64;

/// The positions of rows, each with the number of a value.
pub(crate) type PlacedValues = Vec<(usize, usize)>;

/// The words that decide which rows take edge values, and which value each takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgePurposes {
    rows: Purpose,
    values: Purpose,
}

impl EdgePurposes {
    /// For values that often break code.
    pub(crate) const USUAL: Self = Self {
        rows: Purpose::EdgeRow,
        values: Purpose::EdgeValue,
    };
    /// For values listed in a definition.
    pub(crate) const LISTED: Self = Self {
        rows: Purpose::ListedRow,
        values: Purpose::ListedValue,
    };

    /// Places a share of edge rows: their positions, each with the number of one of `values` edge
    /// values. There must be at least one value.
    ///
    /// The edge rows, counted from row 0, take the edge values in cycles, each with its own order,
    /// so no value repeats before all have occurred. For elements of lists, only their own words
    /// decide, so a longer list begins with a shorter one.
    pub(crate) fn place(self, rows: &StreamRows<'_>, share: f64, values: usize) -> PlacedValues {
        let share = Threshold::of(share);
        match rows.are_elements() {
            true => self.in_lists(rows, share, values),
            false => self.in_blocks(rows, share, values as u64),
        }
    }

    /// Picks one of `values` values for the row at a position.
    pub(crate) fn value(self, rows: &StreamRows<'_>, position: usize, values: usize) -> usize {
        let word = rows.word(self.values, position, 0);
        uniform::up_to(word, values as u64 - 1) as usize
    }

    fn in_lists(self, rows: &StreamRows<'_>, share: Threshold, values: usize) -> PlacedValues {
        let words = rows.words(self.rows, 0).into_iter().enumerate();
        let placed = words.filter(|(_, word)| share.is_above(*word));
        let placed = placed.map(|(element, _)| (element, self.value(rows, element, values)));
        placed.collect()
    }

    fn in_blocks(self, rows: &StreamRows<'_>, share: Threshold, values: u64) -> PlacedValues {
        let stream = rows.stream();
        let mut placed = Vec::new();
        let Some(last) = rows.len().checked_sub(1) else {
            return placed;
        };
        let first_row = rows.number(0);
        let last_row = match rows.number(last) {
            last if last >= first_row => last,
            // Rows past the largest ensemble wrap around.
            _ => u64::MAX,
        };
        let mut cycle = Cycle::new(stream, self.values, 0, values);
        for block in first_row / BLOCK..=last_row / BLOCK {
            let block_row = block * BLOCK;
            let before = share.of_rows(u128::from(block_row));
            let with = share.of_rows(u128::from(block_row) + u128::from(BLOCK));
            let places = places(stream, self.rows, block, (with - before) as u64);
            let mut edge_row = before as u64;
            for offset in 0..BLOCK {
                if places >> offset & 1 == 0 {
                    continue;
                }
                if let Some(position) = rows.find(block_row + offset) {
                    placed.push((position, cycle.value(stream, edge_row)));
                }
                edge_row = edge_row.wrapping_add(1);
            }
        }
        placed
    }
}

/// Picks `count` places in a block, as bits.
fn places(stream: &Stream, purpose: Purpose, block: u64, count: u64) -> u64 {
    let mut places = 0;
    if count > 0 {
        let order = Permutation::new(stream, purpose, block, BLOCK - 1);
        for place in 0..count {
            places |= 1 << order.of(place);
        }
    }
    places
}

/// The order of the edge values in one cycle.
struct Cycle {
    purpose: Purpose,
    number: u64,
    values: u64,
    order: Permutation,
}

impl Cycle {
    fn new(stream: &Stream, purpose: Purpose, number: u64, values: u64) -> Self {
        let order = Permutation::new(stream, purpose, number, values - 1);
        Self {
            purpose,
            number,
            values,
            order,
        }
    }

    /// The value number of an edge row; advances to its cycle.
    fn value(&mut self, stream: &Stream, edge_row: u64) -> usize {
        let number = edge_row / self.values;
        if number != self.number {
            *self = Self::new(stream, self.purpose, number, self.values);
        }
        self.order.of(edge_row % self.values) as usize
    }
}
