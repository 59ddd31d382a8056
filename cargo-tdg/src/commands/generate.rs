//! `cargo tdg generate`: writes the rows of a definition.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tdg_definition::json::{self, Value};
use tdg_definition::limits::DATA_BYTES;
use tdg_definition::{Definition, SizeError};
use tdg_engine::Vectors;

use crate::definition;
use crate::error::{Context as _, Error, Result};
use crate::exit::Exit;
use crate::output::Output;

/// Generate the rows that a test with this seed and size gets from a definition
#[derive(Args, Debug)]
pub(crate) struct Generate {
    /// A definition file
    definition: PathBuf,
    /// Number of rows
    #[arg(long, default_value_t = 100)]
    size: usize,
    /// Seed (tests use 0 by default)
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Output format
    #[arg(long, value_enum, default_value_t = RowFormat::Json)]
    format: RowFormat,
    #[command(flatten)]
    output: Output,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RowFormat {
    /// An array of arrays, one row per line
    Json,
    /// One object per line, with the features' names
    Jsonl,
    /// A table with a header; null is an empty field
    Csv,
}

impl Generate {
    pub(crate) fn run(self) -> Result<Exit> {
        let definition = definition::read_valid(&self.definition)?;
        let vectors = self.draw(&definition).context(self.definition.display())?;
        self.output.write(&match self.format {
            RowFormat::Json => json(&vectors),
            RowFormat::Jsonl => jsonl(&vectors),
            RowFormat::Csv => csv(&vectors)?,
        })?;
        Ok(Exit::Fine)
    }

    /// Draws the rows. Fails if they exceed the limits of a test.
    fn draw(&self, definition: &Definition) -> Result<Vectors> {
        let size = self.size;
        definition.check_size(size).map_err(|error| match error {
            SizeError::Cells { most, .. } => {
                Error::new(format!("{error}; use --size {most} or less"))
            }
            _ => error.into(),
        })?;
        let vectors = Vectors::generate(definition, self.seed, size);
        if vectors.is_within(DATA_BYTES) {
            return Ok(vectors);
        }
        let megabytes = DATA_BYTES >> 20;
        Err(Error::new(format!(
            "{size} rows are more than {megabytes} MB of JSON, the maximum for an ensemble; use a \
             smaller --size or shorter strings"
        )))
    }
}

fn json(vectors: &Vectors) -> String {
    let mut text = "[".to_owned();
    for row in 0..vectors.size() {
        text.push_str(if row == 0 { "\n" } else { ",\n" });
        vectors.write_row(row, &mut text);
    }
    text.push_str("\n]\n");
    text
}

fn jsonl(vectors: &Vectors) -> String {
    let mut text = String::new();
    for row in 0..vectors.size() {
        for (position, name) in vectors.names().enumerate() {
            text.push(if position == 0 { '{' } else { ',' });
            json::write_str(&mut text, name);
            text.push(':');
            vectors.write_cell(row, position, &mut text);
        }
        text.push_str("}\n");
    }
    text
}

fn csv(vectors: &Vectors) -> Result<String> {
    let mut text = String::new();
    push_record(
        &mut text,
        vectors.names().map(|name| Some(name.to_owned())).collect(),
    );
    for row in 0..vectors.size() {
        let cells = (0..vectors.width()).map(|position| {
            let mut text = String::new();
            vectors.write_cell(row, position, &mut text);
            field(text)
        });
        push_record(&mut text, cells.collect::<Result<_>>()?);
    }
    Ok(text)
}

/// Writes null as an empty field, and quotes an empty text.
fn push_record(text: &mut String, fields: Vec<Option<String>>) {
    let is_alone = fields.len() == 1;
    let quoted = |field: Option<String>| match field {
        // An empty line would not be a row.
        None if is_alone => "\"\"".to_owned(),
        None => String::new(),
        Some(field) if field.is_empty() || field.contains(['"', ',', '\n', '\r']) => {
            format!("\"{}\"", field.replace('"', "\"\""))
        }
        Some(field) => field,
    };
    let fields: Vec<String> = fields.into_iter().map(quoted).collect();
    text.push_str(&fields.join(","));
    text.push('\n');
}

/// Converts a JSON cell to a CSV field: strings without quotes, `None` for `null`.
fn field(cell: String) -> Result<Option<String>> {
    if !cell.starts_with('"') {
        return Ok(Some(cell).filter(|cell| cell != "null"));
    }
    match json::parse(&cell)? {
        Value::String(text) => Ok(Some(text)),
        other => Ok(Some(other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use tdg_definition::table::{NullMarks, Table};

    use super::*;

    #[test]
    fn rows_are_the_same_after_they_were_read_from_csv() {
        let definition = Definition::parse(
            r#"{"features": [
            {"feature_name": "a,\"b\"", "type": "STRING", "null_probability": 0.3, "distribution": {"type": "categorical", "categories": [
                {"value": "", "probability": 0.4}, {"value": "null", "probability": 0.2},
                {"value": "x,\"y\"\n", "probability": 0.2}, {"value": "5'10\"", "probability": 0.2}]}},
            {"feature_name": "n", "type": "INTEGER", "null_probability": 0.3, "distribution": {"type": "any"}},
            {"feature_name": "list", "type": "LIST", "distribution": {"type": "list", "length": 2,
                "element": {"type": "STRING", "distribution": {"type": "any"}}}}]}"#,
        );
        let definition = definition.unwrap();
        let drawn = Vectors::generate(&definition, 7, 200);
        let text = csv(&drawn).unwrap();
        let table = Table::parse(&text, b',', 200).unwrap();
        let read = Vectors::of_file(&definition, &table, &NullMarks::default()).unwrap();
        assert_eq!(read.to_json(), drawn.to_json());
    }
}
