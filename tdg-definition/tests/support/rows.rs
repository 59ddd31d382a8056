//! Rows of definitions, as columns.

use tdg_definition::{Column, Definition};

/// The columns of some rows at the end of an ensemble.
pub fn columns(definition: &Definition, seed: u64, first_row: u64, rows: usize) -> Vec<Column> {
    let end = first_row + rows as u64;
    definition.columns(seed, end, first_row..end)
}

/// The first column of such rows.
pub fn column(definition: &Definition, seed: u64, first_row: u64, rows: usize) -> Column {
    columns(definition, seed, first_row, rows).swap_remove(0)
}
