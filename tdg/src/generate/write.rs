//! Rows as JSON text.

use tdg_definition::json::{write_f64, write_i64, write_str, write_u64};
use tdg_definition::{Cells, calendar};

use super::{Vectors, VectorsFeature};

impl Vectors {
    /// All rows as JSON: an array of arrays, as the interface's `vectors`.
    #[must_use]
    pub fn to_json(&self) -> String {
        // About what a cell takes.
        let mut text = String::with_capacity(self.size() * self.width() * 14 + 2);
        text.push('[');
        for row in 0..self.size() {
            if row > 0 {
                text.push(',');
            }
            self.write_row(row, &mut text);
        }
        text.push(']');
        text
    }

    /// Appends a row as a JSON array, one element a feature.
    pub fn write_row(&self, row: usize, text: &mut String) {
        text.push('[');
        for (position, feature) in self.features().iter().enumerate() {
            if position > 0 {
                text.push(',');
            }
            feature.write_cell(row, text);
        }
        text.push(']');
    }

    /// Appends a single value as JSON.
    pub fn write_cell(&self, row: usize, position: usize, text: &mut String) {
        self.features()[position].write_cell(row, text);
    }
}

impl VectorsFeature {
    /// Appends the value of a row as JSON.
    pub(crate) fn write_cell(&self, row: usize, text: &mut String) {
        let column = &self.column;
        if column.is_null(row) {
            text.push_str("null");
            return;
        }
        match column.cells() {
            Cells::Float(values) => write_f64(text, values[row]),
            Cells::Integer(values) => write_i64(text, values[row]),
            Cells::Unsigned(values) => write_u64(text, values[row]),
            Cells::Text(values) => write_str(text, values.get(row)),
            Cells::Boolean(values) => text.push_str(if values[row] { "true" } else { "false" }),
            Cells::DateTime(values) => {
                text.push('"');
                calendar::write_datetime(text, values[row]);
                text.push('"');
            }
            Cells::Date(values) => {
                text.push('"');
                calendar::write_date(text, values[row]);
                text.push('"');
            }
        }
    }
}
