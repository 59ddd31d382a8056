//! Rows as JSON text.

use std::ops::Range;

use tdg_definition::json::{write_f64, write_i64, write_str, write_u64};
use tdg_definition::{Cells, Column, ObjectForm, Text, VariantCells, VariantForm, calendar};

use super::{Vectors, VectorsFeature};

impl Vectors {
    /// Returns all rows as a JSON array of arrays, the `vectors` of the HTTP API.
    #[must_use]
    pub fn to_json(&self) -> String {
        // The typical length of a cell.
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

    /// Returns true if [`to_json`](Self::to_json) has at most this many bytes.
    #[must_use]
    pub fn is_within(&self, bytes: usize) -> bool {
        // Only strings can be long, so most rows needn't be written.
        let mut longest = self.features().iter().map(VectorsFeature::longest);
        let longest = longest.try_fold(3, |sum: usize, longest| Some(sum.saturating_add(longest?)));
        let rows = longest.map(|longest| self.size().saturating_mul(longest).saturating_add(2));
        if rows.is_some_and(|rows| rows <= bytes) {
            return true;
        }
        let mut length = 2;
        let mut text = String::new();
        for row in 0..self.size() {
            length += 1 + usize::from(row > 0);
            for feature in self.features() {
                text.clear();
                write_cell(&feature.column, row, bytes, &mut text);
                length += 1 + text.len();
                if length > bytes {
                    return false;
                }
            }
        }
        true
    }

    /// Appends a row as a JSON array with one element for each feature.
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

    /// Returns a row as a JSON object by feature names, in the order of the features.
    #[must_use]
    pub fn object(&self, row: usize) -> String {
        let mut text = String::from("{");
        for (position, feature) in self.features().iter().enumerate() {
            if position > 0 {
                text.push(',');
            }
            write_str(&mut text, &feature.name);
            text.push(':');
            feature.write_cell(row, &mut text);
        }
        text.push('}');
        text
    }

    /// Returns the cells of a row, each as JSON.
    #[must_use]
    pub fn cells(&self, row: usize) -> Vec<String> {
        let cell = |feature: &VectorsFeature| {
            let mut text = String::new();
            feature.write_cell(row, &mut text);
            text
        };
        self.features().iter().map(cell).collect()
    }

    /// Appends a single value as JSON.
    pub fn write_cell(&self, row: usize, position: usize, text: &mut String) {
        self.features()[position].write_cell(row, text);
    }
}

impl VectorsFeature {
    /// Returns an upper bound for the bytes of a value as JSON with a comma, or `None` for
    /// recursive values.
    fn longest(&self) -> Option<usize> {
        longest(&self.column)
    }

    /// Appends the value of a row as JSON.
    pub fn write_cell(&self, row: usize, text: &mut String) {
        write_cell(&self.column, row, usize::MAX, text);
    }
}

/// The longest escape, `\u001f`.
const ESCAPE: usize = 6;

fn longest_text(text: &Text) -> usize {
    let longest = text.entries().map(str::len).max();
    longest.unwrap_or_default() * ESCAPE + "null,".len()
}

fn longest(column: &Column) -> Option<usize> {
    if column.cells().are_nodes() {
        return None;
    }
    Some(match column.cells() {
        Cells::Text(values) => longest_text(values),
        Cells::Bytes(values) => longest_text(values.escaped()),
        Cells::List(lists) => {
            let lengths = (0..lists.len()).map(|row| lists.range(row).len());
            let elements = lengths.max().unwrap_or_default();
            elements
                .saturating_mul(longest(lists.elements())?)
                .saturating_add("null,[]".len())
        }
        Cells::Object(objects) => {
            let member = |sum: usize, (name, member): (&str, &Column)| {
                let quoted = name.len() * ESCAPE + "\"\":,".len();
                Some(sum.saturating_add(quoted).saturating_add(longest(member)?))
            };
            objects.members().try_fold("null,{}".len(), member)?
        }
        Cells::Variant(variants) => {
            let quoted = |name: &str| name.len() * ESCAPE + "\"\":,".len();
            let members = match variants.form() {
                VariantForm::Internal { tag } => quoted(tag),
                VariantForm::Adjacent { tag, content } => quoted(tag) + quoted(content),
                _ => 0,
            };
            let variant = |(name, values): (&str, Option<&Column>)| {
                Some(
                    values
                        .map_or(Some(0), longest)?
                        .saturating_add(quoted(name)),
                )
            };
            let mut variants = variants.variants().map(variant);
            let largest = variants.try_fold(0, |largest, it| Some(it?.max(largest)));
            largest?.saturating_add("null,{}".len() + members)
        }
        // A float takes up to 24 bytes, a datetime 22.
        _ => 32,
    })
}

fn write_map(
    (keys, values): (&Column, &Column),
    entries: Range<usize>,
    most: usize,
    text: &mut String,
) {
    text.push('{');
    for entry in entries.clone() {
        if text.len() > most {
            break;
        }
        if entry > entries.start {
            text.push(',');
        }
        let is_quoted = matches!(
            keys.cells(),
            Cells::Text(_) | Cells::Date(_) | Cells::DateTime(_)
        );
        let quote = if is_quoted { "" } else { "\"" };
        text.push_str(quote);
        write_cell(keys, entry, most, text);
        text.push_str(quote);
        text.push(':');
        write_cell(values, entry, most, text);
    }
    text.push('}');
}

fn write_variant(variants: &VariantCells, row: usize, most: usize, text: &mut String) {
    let (name, value) = (variants.name(row), variants.value(row));
    let write_value = |text: &mut String| match value {
        Some((values, place)) => write_cell(values, place, most, text),
        None => text.push_str("null"),
    };
    let (tag, content) = match variants.form() {
        VariantForm::Untagged => return write_value(text),
        VariantForm::Internal { tag } => (Some(tag), None),
        VariantForm::Adjacent { tag, content } => (Some(tag), Some(content.as_str())),
        _ if value.is_none() => return write_str(text, name),
        _ => (None, Some(name)),
    };
    text.push('{');
    if let Some(tag) = tag {
        write_str(text, tag);
        text.push(':');
        write_str(text, name);
    }
    match (content, value) {
        (_, None) => {}
        (Some(content), Some(_)) => {
            if tag.is_some() {
                text.push(',');
            }
            write_str(text, content);
            text.push(':');
            write_value(text);
        }
        (None, Some((values, place))) => {
            if let Cells::Object(objects) = values.cells() {
                for (name, member) in objects.members() {
                    text.push(',');
                    write_str(text, name);
                    text.push(':');
                    write_cell(member, place, most, text);
                }
            }
        }
    }
    text.push('}');
}

/// Appends a value as JSON, but no more elements once the text has `most` bytes.
fn write_cell(column: &Column, row: usize, most: usize, text: &mut String) {
    if column.is_null(row) {
        text.push_str("null");
        return;
    }
    match column.cells() {
        Cells::Float(values) => write_f64(text, values[row]),
        Cells::Integer(values) => write_i64(text, values[row]),
        Cells::Unsigned(values) => write_u64(text, values[row]),
        Cells::Text(values) => write_str(text, values.get(row)),
        Cells::Bytes(values) => write_str(text, values.escaped().get(row)),
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
        Cells::List(lists) => {
            let range = lists.range(row);
            if let Some(entries) = lists.entries() {
                return write_map(entries, range, most, text);
            }
            text.push('[');
            for element in range.clone() {
                if text.len() > most {
                    break;
                }
                if element > range.start {
                    text.push(',');
                }
                write_cell(lists.elements(), element, most, text);
            }
            text.push(']');
        }
        Cells::Variant(variants) => write_variant(variants, row, most, text),
        Cells::Object(objects) => {
            let is_array = objects.form() == ObjectForm::Array;
            text.push(if is_array { '[' } else { '{' });
            for (position, (name, member)) in objects.members().enumerate() {
                if position > 0 {
                    text.push(',');
                }
                if !is_array {
                    write_str(text, name);
                    text.push(':');
                }
                write_cell(member, row, most, text);
            }
            text.push(if is_array { ']' } else { '}' });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tdg_definition::Definition;

    #[test]
    fn rows_are_measured_to_the_byte() {
        for feature in [
            r#""type": "STRING", "distribution": {"type": "constant", "value": "\u0001\u0001\"é"}"#,
            r#""type": "STRING", "null_probability": 0.9, "distribution": {"type": "constant", "value": ""}"#,
            r#""type": "FLOAT", "distribution": {"type": "constant", "value": -2.2250738585072014e-308}"#,
            r#""type": "INTEGER", "distribution": {"type": "constant", "value": 18446744073709551615}"#,
            r#""type": "DATETIME", "distribution": {"type": "constant", "value": "2024-02-29T12:00:00Z"}"#,
            r#""type": "BOOLEAN", "distribution": {"type": "constant", "value": false}"#,
            r#""type": "LIST", "distribution": {"type": "list", "element": {
                "type": "LIST", "distribution": {"type": "list", "element": {
                    "type": "FLOAT", "distribution": {"type": "any"}}}}}"#,
            r#""type": "LIST", "distribution": {"type": "list", "form": "map", "element": {
                "type": "OBJECT", "distribution": {"type": "object", "features": [
                    {"feature_name": "key", "type": "INTEGER", "unique": true,
                     "distribution": {"type": "uniform", "min": 0, "max": 999}},
                    {"feature_name": "value", "type": "BYTES", "distribution": {"type": "any"}}]}}}"#,
            r#""type": "OBJECT", "distribution": {"type": "object", "features": [
                {"feature_name": "\\", "type": "VARIANT", "distribution": {"type": "variant",
                    "variants": [{"variant": "a"}, {"variant": "b", "type": "DATE",
                                  "distribution": {"type": "any"}}]}}]}"#,
        ] {
            for features in [1, 3] {
                let features = vec![format!("{{{feature}}}"); features].join(",");
                let definition = Definition::parse(&format!(r#"{{"features": [{features}]}}"#));
                let vectors = Vectors::generate(&definition.unwrap(), 0, 50);
                let length = vectors.to_json().len();
                assert!(vectors.is_within(length), "{features}");
                assert!(!vectors.is_within(length - 1), "{features}");
            }
        }
    }
}
