//! The rows to search, and the targets among them.

use super::super::{SIDES, Side, bits};
use super::{LogarithmTables, Target};

/// The maximum number of rows to search. All rows are used for polishing and testing.
const SEARCHED: usize = 2_000;

/// Returns the rows of each of the [`SIDES`] among `rows`.
pub(in super::super) fn targets<'a>(
    tables: &'a LogarithmTables,
    failing: &[Option<bool>],
    rows: &[u32],
) -> [Target<'a>; 2] {
    SIDES.map(|side| {
        let is_of_side = |row: u32| failing[row as usize] == Some(side == Side::Failing);
        let inside = rows.iter().zip(0..).filter(|(row, _)| is_of_side(**row));
        let inside = bits::from_rows(inside.map(|(_, at)| at), bits::words(rows.len()));
        Target::new(tables, inside, rows.len())
    })
}

/// Selects the rows to search. The rarer side matters most.
pub(in super::super) fn searched(rarer: &[u32], others: &[u32]) -> Vec<u32> {
    let rarer = sample(rarer, SEARCHED / 2);
    let others = sample(others, SEARCHED - rarer.len());
    [rarer, others].concat()
}

/// Samples rows independently of their order.
fn sample(rows: &[u32], count: usize) -> Vec<u32> {
    let mut rows = rows.to_vec();
    if rows.len() > count {
        rows.sort_by_key(|row| row.wrapping_mul(0x9E37_79B1));
        rows.truncate(count);
        rows.sort_unstable();
    }
    rows
}
