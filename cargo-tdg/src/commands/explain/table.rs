//! A table as its file has it: columns of texts or of JSON values.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::Path;

use tdg_definition::json::{self, Number, Reader, Value};

use crate::error::{Error, Result};

/// The columns of a table, in order, with different names.
pub(super) struct InputTable {
    pub(super) columns: Vec<InputColumn>,
    pub(super) rows: usize,
    /// About names that were changed.
    pub(super) notes: Vec<String>,
}

pub(super) struct InputColumn {
    pub(super) name: String,
    pub(super) cells: InputCells,
}

/// One cell for each row.
pub(super) enum InputCells {
    /// Fields of CSV; an empty one is null.
    Texts(Vec<String>),
    /// Values of JSON lines; one that a line lacks is null.
    Values(Vec<Value>),
}

impl InputTable {
    pub(super) fn read(path: &Path) -> Result<Self> {
        let extension = path.extension().map(OsStr::to_ascii_lowercase);
        match extension.as_deref().and_then(OsStr::to_str) {
            Some("csv") => of_csv(&tdg_fit::TextTable::read(File::open(path)?, b',')?),
            Some("jsonl" | "ndjson") => of_json_lines(&fs::read_to_string(path)?),
            _ => Err(Error::new(
                "the name of a table ends in .csv or .jsonl; convert or rename the file",
            )),
        }
    }

    /// Removes and returns the column of that name.
    pub(super) fn take(&mut self, name: &str) -> Result<InputColumn> {
        let mut columns = self.columns.iter();
        match columns.position(|column| column.name == name) {
            Some(position) => Ok(self.columns.remove(position)),
            None => Err(Error::new(format!(
                "there is no column `{name}`, only {}",
                self.names()
            ))),
        }
    }

    /// The names of the first columns, to choose from.
    fn names(&self) -> String {
        const NAMED: usize = 12;
        let names = self.columns.iter().take(NAMED);
        let names: Vec<String> = names.map(|column| format!("`{}`", column.name)).collect();
        match self.columns.len().saturating_sub(NAMED) {
            0 => names.join(", "),
            rest => format!("{} and {rest} more", names.join(", ")),
        }
    }
}

fn of_csv(table: &tdg_fit::TextTable) -> Result<InputTable> {
    let mut headers = HashSet::new();
    for column in table.columns() {
        let header = column.header().trim();
        if !header.is_empty() && !headers.insert(header) {
            return Err(repeated(header));
        }
    }
    let column = |column: &tdg_fit::TextColumn| InputColumn {
        name: column.name().to_owned(),
        cells: InputCells::Texts(column.iter().map(str::to_owned).collect()),
    };
    Ok(InputTable {
        columns: table.columns().iter().map(column).collect(),
        rows: table.rows(),
        notes: table.notes().to_vec(),
    })
}

fn repeated(name: &str) -> Error {
    Error::new(format!(
        "two columns are named {name:?}; give each a name of its own"
    ))
}

/// Objects, one per line. A column is a key of any of them, in the order of their appearance.
fn of_json_lines(text: &str) -> Result<InputTable> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut columns: Vec<(String, Vec<Value>)> = Vec::new();
    let mut positions: HashMap<String, usize> = HashMap::new();
    let mut rows = 0;
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let members = members(line, index + 1)?;
        for (name, value) in members {
            let position = *positions.entry(name).or_insert_with_key(|name| {
                columns.push((name.clone(), Vec::new()));
                columns.len() - 1
            });
            let values = &mut columns[position].1;
            values.resize(rows, Value::Null);
            values.push(value);
        }
        rows += 1;
    }
    if rows == 0 {
        return Err(Error::new("the table has no rows"));
    }
    let columns = columns.into_iter().map(|(name, mut values)| {
        values.resize(rows, Value::Null);
        InputColumn {
            name,
            cells: InputCells::Values(values),
        }
    });
    Ok(InputTable {
        columns: columns.collect(),
        rows,
        notes: Vec::new(),
    })
}

/// The members of an object in the order of the text.
fn members(line: &str, number: usize) -> Result<Vec<(String, Value)>> {
    let fault = |error: json::Error| {
        let (column, message) = (error.column(), error.message());
        Error::new(format!("line {number}, column {column}: {message}"))
    };
    let mut reader = Reader::new(line);
    reader.begin_object().map_err(fault)?;
    let (mut members, mut names) = (Vec::new(), HashSet::new());
    while let Some(name) = reader.next_key().map_err(fault)? {
        let name = name.into_owned();
        if !names.insert(name.clone()) {
            return Err(repeated(&name).context(format_args!("line {number}")));
        }
        members.push((name, reader.value().map_err(fault)?));
    }
    reader.finish().map_err(fault)?;
    Ok(members)
}

impl InputColumn {
    /// Whether each row fails.
    pub(super) fn into_flags(self) -> Result<Vec<bool>> {
        let fault = |row| self.fault(row, "must be true, false, 1 or 0");
        let flag = |row| self.cells.flag(row).ok_or_else(|| fault(row));
        (0..self.cells.len()).map(flag).collect()
    }

    /// The cells as outputs: JSON, or the text itself.
    pub(super) fn into_outputs(self) -> Vec<Value> {
        let output = |text: String| match text.as_str() {
            "" => Value::Null,
            text => json::parse(text).unwrap_or_else(|_| text.into()),
        };
        match self.cells {
            InputCells::Texts(texts) => texts.into_iter().map(output).collect(),
            InputCells::Values(values) => values,
        }
    }

    /// An error about a cell.
    pub(super) fn fault(&self, row: usize, fault: impl std::fmt::Display) -> Error {
        let value = match &self.cells {
            InputCells::Texts(texts) => format!("{:?}", texts[row]),
            InputCells::Values(values) => values[row].to_string(),
        };
        let name = &self.name;
        Error::new(format!(
            "row {row}, counted from 0: `{name}` is {value}, but {fault}"
        ))
    }
}

impl InputCells {
    fn len(&self) -> usize {
        match self {
            Self::Texts(texts) => texts.len(),
            Self::Values(values) => values.len(),
        }
    }

    fn flag(&self, row: usize) -> Option<bool> {
        match self {
            Self::Texts(texts) => match texts[row].trim() {
                "1" => Some(true),
                "0" => Some(false),
                text if text.eq_ignore_ascii_case("true") => Some(true),
                text if text.eq_ignore_ascii_case("false") => Some(false),
                _ => None,
            },
            Self::Values(values) => match &values[row] {
                Value::Bool(flag) => Some(*flag),
                Value::Number(number) if *number == Number::from(1) => Some(true),
                Value::Number(number) if *number == Number::from(0) => Some(false),
                _ => None,
            },
        }
    }
}
