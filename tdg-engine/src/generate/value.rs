//! Cells as JSON values.

use tdg_definition::json::Value;
use tdg_definition::{Cells, Column, ListForm, ObjectForm, calendar};

/// Returns the value of a row in the form of a function's output.
pub fn cell_value(column: &Column, row: usize) -> Value {
    if column.is_null(row) {
        return Value::Null;
    }
    match column.cells() {
        Cells::Float(values) => values[row].into(),
        Cells::Integer(values) => values[row].into(),
        Cells::Unsigned(values) => values[row].into(),
        Cells::Text(values) => values.get(row).into(),
        Cells::Bytes(values) => values.escaped().get(row).into(),
        Cells::Boolean(values) => values[row].into(),
        Cells::DateTime(values) => {
            let mut text = String::new();
            calendar::write_datetime(&mut text, values[row]);
            text.into()
        }
        Cells::Date(values) => {
            let mut text = String::new();
            calendar::write_date(&mut text, values[row]);
            text.into()
        }
        Cells::Variant(variants) => {
            let value = variants.value(row);
            let value = value.map(|(values, place)| cell_value(values, place));
            variants.form().join(variants.name(row), value)
        }
        Cells::List(lists) if lists.form() == ListForm::Map => {
            let entry = |it: usize| {
                let (keys, values) = lists.entries()?;
                let key = match cell_value(keys, it) {
                    Value::String(key) => key,
                    other => other.to_string(),
                };
                Some((key, cell_value(values, it)))
            };
            Value::object(lists.range(row).filter_map(entry))
        }
        Cells::List(lists) => {
            let elements = lists.range(row).map(|it| cell_value(lists.elements(), it));
            elements.collect::<Vec<_>>().into()
        }
        Cells::Object(objects) => {
            let members = objects.members();
            let members = members.map(|(name, member)| (name, cell_value(member, row)));
            match objects.form() {
                ObjectForm::Array => members.map(|(_, value)| value).collect::<Vec<_>>().into(),
                _ => Value::object(members),
            }
        }
    }
}
