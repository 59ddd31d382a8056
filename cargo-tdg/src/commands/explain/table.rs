//! A table as its file has it: columns of texts or of JSON values.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::Path;

use tdg_definition::json::{self, Number, Value};
use tdg_definition::table::{Table, TableCell, TableRow};

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
            Some("jsonl" | "ndjson") => of_json_lines(&fs::read(path)?),
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
            return Err(Error::new(format!(
                "two columns are named {header:?}; give each a name of its own"
            )));
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

fn of_json_lines(lines: &[u8]) -> Result<InputTable> {
    let table = Table::parse("rows.jsonl", lines, usize::MAX)?;
    if table.rows().is_empty() {
        return Err(Error::new("the table has no rows"));
    }
    let value = |position: usize| {
        move |row: &TableRow| match row.cell(position) {
            TableCell::Json(value) => value.clone(),
            TableCell::Text(_) | TableCell::Null => Value::Null,
        }
    };
    let names = table.names().iter().enumerate();
    let columns = names.map(|(position, name)| InputColumn {
        name: name.clone(),
        cells: InputCells::Values(table.rows().iter().map(value(position)).collect()),
    });
    Ok(InputTable {
        columns: columns.collect(),
        rows: table.rows().len(),
        notes: Vec::new(),
    })
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
