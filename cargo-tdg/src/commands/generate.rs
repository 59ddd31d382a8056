//! `cargo tdg generate`: the rows of a definition.

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

    /// The rows, if a test can have them.
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
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(vectors.names())?;
    for row in 0..vectors.size() {
        let cells = (0..vectors.width()).map(|position| {
            let mut text = String::new();
            vectors.write_cell(row, position, &mut text);
            field(text)
        });
        writer.write_record(cells.collect::<Result<Vec<_>>>()?)?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// A JSON cell as a CSV field: strings without their quotes, `null` as an empty field.
fn field(cell: String) -> Result<String> {
    if cell == "null" {
        return Ok(String::new());
    }
    if !cell.starts_with('"') {
        return Ok(cell);
    }
    match json::parse(&cell)? {
        Value::String(text) => Ok(text),
        other => Ok(other.to_string()),
    }
}
