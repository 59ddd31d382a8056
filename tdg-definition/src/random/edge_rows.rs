//! Which rows are edge rows.

use super::{Permutation, Purpose, Stream, StreamRows, Threshold, uniform};

/// The rows of a block, in which the number of edge rows is fixed and their places are drawn.
const BLOCK: u64 = 64;

/// A share of rows by their positions, each with the number of one of so many edge values, at least
/// one.
///
/// The edge rows, counted from row 0, take the edge values in cycles. Each cycle has its own order.
/// So no value repeats before all have occurred. Of elements, the words of each decide, so that a
/// longer list begins with a shorter one.
pub(crate) fn edge_rows(rows: &StreamRows<'_>, share: f64, values: usize) -> Vec<(usize, usize)> {
    let share = Threshold::of(share);
    match rows.are_elements() {
        true => in_lists(rows, share, values as u64),
        false => in_blocks(rows, share, values as u64),
    }
}

/// One of so many edge values for the row at a position.
pub(crate) fn edge_value(rows: &StreamRows<'_>, position: usize, values: usize) -> usize {
    let word = rows.word(Purpose::EdgeValue, position, 0);
    uniform::up_to(word, values as u64 - 1) as usize
}

fn in_lists(rows: &StreamRows<'_>, share: Threshold, values: u64) -> Vec<(usize, usize)> {
    let words = rows.words(Purpose::EdgeRow, 0).into_iter().enumerate();
    let is_edge = |(_, word): &(usize, u64)| share.is_above(*word);
    let placed = words.filter(is_edge);
    let placed = placed.map(|(element, _)| (element, edge_value(rows, element, values as usize)));
    placed.collect()
}

fn in_blocks(rows: &StreamRows<'_>, share: Threshold, values: u64) -> Vec<(usize, usize)> {
    let stream = rows.stream();
    let mut placed = Vec::new();
    let Some(last) = rows.len().checked_sub(1) else {
        return placed;
    };
    let first_row = rows.number(0);
    let last_row = match rows.number(last) {
        last if last >= first_row => last,
        // Rows beyond the largest ensemble wrap around.
        _ => u64::MAX,
    };
    let mut cycle = Cycle::new(stream, 0, values);
    for block in first_row / BLOCK..=last_row / BLOCK {
        let block_row = block * BLOCK;
        let before = share.of_rows(u128::from(block_row));
        let with = share.of_rows(u128::from(block_row) + u128::from(BLOCK));
        let places = places(stream, block, (with - before) as u64);
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

/// This number of places in a block, as bits.
fn places(stream: &Stream, block: u64, count: u64) -> u64 {
    let mut places = 0;
    if count > 0 {
        let order = Permutation::new(stream, Purpose::EdgeRow, block, BLOCK - 1);
        for place in 0..count {
            places |= 1 << order.of(place);
        }
    }
    places
}

/// The order of the edge values in one cycle.
struct Cycle {
    number: u64,
    values: u64,
    order: Permutation,
}

impl Cycle {
    fn new(stream: &Stream, number: u64, values: u64) -> Self {
        let order = Permutation::new(stream, Purpose::EdgeValue, number, values - 1);
        Self {
            number,
            values,
            order,
        }
    }

    /// The number of the value of an edge row; moves on to its cycle.
    fn value(&mut self, stream: &Stream, edge_row: u64) -> usize {
        let number = edge_row / self.values;
        if number != self.number {
            *self = Self::new(stream, number, self.values);
        }
        self.order.of(edge_row % self.values) as usize
    }
}
