//! The values of the features: thresholds, values, prefixes, lengths, nulls.

use super::super::attribute::{Family, Notation};
use super::super::table::ColumnKind;
use super::comparable::is_categorical;

pub(in super::super) fn attributes(family: &mut Family<'_, '_>) {
    for position in 0..family.table.columns.len() {
        let column = &family.table.columns[position];
        if !column.is_expected && column.list.is_none() {
            of_column(family, position);
        }
    }
}

/// Adds the value of a column, and its absence.
pub(super) fn of_column(family: &mut Family<'_, '_>, position: usize) {
    let table = family.table;
    let column = &table.columns[position];
    let here = [position];
    match column.kind {
        ColumnKind::Integer | ColumnKind::Float | ColumnKind::Date | ColumnKind::DateTime => {
            let notation = Notation::of(column.kind);
            family.number("{0}", notation, &here, |row| column.number(row));
        }
        ColumnKind::Boolean => {
            family.flag(("{0} = true", "{0} = false"), &here, |row| {
                column.boolean(row)
            });
        }
        ColumnKind::Text => {
            family.prefixed_text("{0}", &here, |row| column.text(row));
            // For categories, the value is more informative than the length.
            if !is_categorical(table, position) {
                let length = |row: usize| column.length(row);
                family.count("length of {0}", &here, length).rarer(0.7);
            }
        }
        ColumnKind::Bytes => {
            family.text("{0}", &here, |row| column.text(row));
            if !is_categorical(table, position) {
                let length = |row: usize| Some(column.bytes(row)?.len() as i128);
                family.count("length of {0}", &here, length).rarer(0.7);
            }
        }
        ColumnKind::Variant => {
            family.text("{0}", &here, |row| column.text(row));
        }
        ColumnKind::List => {
            family.flag(("{0} empty", "{0} not empty"), &here, |row| {
                Some(column.length(row)? == 0)
            });
            family.count("length of {0}", &here, |row| column.length(row));
        }
        ColumnKind::Mixed => {}
    }
    let mut rows = 0..table.size;
    if let Some(words) = column.absence
        && rows.clone().any(|row| column.is_null(row))
    {
        family.flag(words, &here, |row| Some(column.is_null(row)));
    }
    if rows.any(|row| column.is_nan(row)) {
        family.flag(("{0} = NaN", "{0} != NaN"), &here, |row| {
            Some(column.is_nan(row))
        });
    }
}
