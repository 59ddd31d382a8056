//! Converts the values of a column to numbers.

use tdg_definition::{Cells, Column};

/// Returns one number per row, NaN for null, or `None` if the values aren't numeric.
pub(crate) fn numbers(column: &Column) -> Option<Vec<f64>> {
    let mut numbers: Vec<f64> = match column.cells() {
        Cells::Float(values) => values.clone(),
        Cells::Integer(values) | Cells::DateTime(values) | Cells::Date(values) => {
            values.iter().map(|&value| value as f64).collect()
        }
        Cells::Unsigned(values) => values.iter().map(|&value| value as f64).collect(),
        Cells::Text(_)
        | Cells::Bytes(_)
        | Cells::Boolean(_)
        | Cells::List(_)
        | Cells::Object(_)
        | Cells::Variant(_) => return None,
    };
    for (number, is_null) in numbers.iter_mut().zip(column.nulls().unwrap_or_default()) {
        if *is_null {
            *number = f64::NAN;
        }
    }
    Some(numbers)
}

/// Returns the non-null strings of a column, or `None` for other types.
pub(crate) fn strings(column: &Column) -> Option<Vec<&str>> {
    let Cells::Text(text) = column.cells() else {
        return None;
    };
    let present = |(row, string)| (!column.is_null(row)).then_some(string);
    Some(text.iter().enumerate().filter_map(present).collect())
}

/// Returns the share of nulls in a column.
pub(crate) fn null_share(column: &Column) -> f64 {
    let nulls = column.nulls().unwrap_or_default();
    let count = nulls.iter().filter(|&&is_null| is_null).count();
    count as f64 / column.cells().len().max(1) as f64
}
