//! The side of a `Result` that the expected output is: an `Ok` or an `Err`.

use super::super::attribute::Family;

pub(in super::super) fn attributes(family: &mut Family<'_, '_>) {
    let table = family.table;
    for (position, column) in table.columns.iter().enumerate() {
        if let Some(words) = column.absence.filter(|_| column.is_result()) {
            family.flag(words, &[position], |row| Some(column.is_null(row)));
        }
    }
}
