//! Rows as JSON objects, either consecutive or in an array.

use std::collections::HashMap;

use super::{FileColumn, Table, TableCell, TableError};
use crate::json::{self, Kind, Reader, Value};

impl Table<'_> {
    pub(super) fn read_objects(mut self, most: usize) -> Result<Self, TableError> {
        let text = self.text;
        let fault = |error: json::Error| {
            let problem = format!("not JSON: {}", error.message());
            TableError::in_text(text, error.offset(), problem)
        };
        let mut reader = Reader::new(text);
        let is_array = text.trim_start().starts_with('[');
        if is_array {
            reader.begin_array().map_err(fault)?;
        }
        let mut positions = HashMap::new();
        while self.rows() < most {
            if is_array && !reader.next_element().map_err(fault)? {
                reader.finish().map_err(fault)?;
                break;
            }
            match reader.peek() {
                Ok(Kind::Object) => {}
                Ok(_) => {
                    let problem = "each row is an object: {\"amount\": 9.5, \"coupon\": null}";
                    return Err(TableError::in_text(text, reader.offset(), problem));
                }
                Err(_) if reader.offset() == text.len() && !is_array => break,
                Err(error) => return Err(fault(error)),
            }
            self.starts.push(reader.offset());
            reader.begin_object().map_err(fault)?;
            while let Some(name) = reader.next_key().map_err(fault)? {
                let offset = reader.key_offset();
                let value = reader.value().map_err(fault)?;
                if !self.push_member(&mut positions, &name, value) {
                    let problem = format!("two members are named `{name}`; rename one of them");
                    return Err(TableError::in_text(text, offset, problem));
                }
            }
            let rows = self.rows();
            for column in &mut self.columns {
                column.cells.resize(rows, TableCell::Null);
            }
        }
        Ok(self)
    }

    /// Adds a cell to the last row, or returns false if the row already has one of this name.
    fn push_member(
        &mut self,
        positions: &mut HashMap<String, usize>,
        name: &str,
        value: Value,
    ) -> bool {
        let before = self.rows() - 1;
        let position = positions.get(name).copied().unwrap_or_else(|| {
            positions.insert(name.to_owned(), self.columns.len());
            self.columns.push(FileColumn {
                name: name.to_owned(),
                cells: vec![TableCell::Null; before],
            });
            self.columns.len() - 1
        });
        let cells = &mut self.columns[position].cells;
        let is_first = cells.len() == before;
        cells.push(match value {
            Value::Null => TableCell::Null,
            value => TableCell::Json(value),
        });
        is_first
    }
}
