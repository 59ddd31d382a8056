//! The columns of a table to explain.

use tdg_definition::Definition;
use tdg_definition::json::{self, Number, Value};
use tdg_definition::table::{FileColumn, Table, TableCell};

use crate::error::{Error, Result};

/// The columns that no option has claimed yet.
pub(super) struct InputTable<'t> {
    pub(super) table: &'t Table<'t>,
    pub(super) columns: Vec<InputColumn<'t>>,
}

#[derive(Clone, Copy)]
pub(super) struct InputColumn<'t> {
    pub(super) table: &'t Table<'t>,
    pub(super) name: &'t str,
    pub(super) cells: &'t [TableCell<'t>],
}

impl<'t> InputTable<'t> {
    pub(super) fn new(table: &'t Table<'t>) -> Self {
        let column = |column: &'t FileColumn<'t>| InputColumn {
            table,
            name: column.name(),
            cells: column.cells(),
        };
        Self {
            table,
            columns: table.columns().iter().map(column).collect(),
        }
    }

    /// Removes and returns a column.
    pub(super) fn take(&mut self, name: &str) -> Result<InputColumn<'t>> {
        let mut columns = self.columns.iter();
        match columns.position(|column| column.name == name) {
            Some(position) => Ok(self.columns.remove(position)),
            None => Err(Error::new(format!(
                "no column `{name}`; the columns are {}",
                self.names()
            ))),
        }
    }

    /// Returns the names of the columns that aren't in the definition.
    pub(super) fn others(&self, definition: &Definition) -> Vec<&'t str> {
        let is_feature = |name: &str| definition.features().iter().any(|it| it.name() == name);
        let names = self.columns.iter().map(|column| column.name);
        names.filter(|name| !is_feature(name)).collect()
    }

    /// Lists the names of the first columns.
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

impl InputColumn<'_> {
    /// Parses each cell as true if the row fails.
    pub(super) fn flags(self) -> Result<Vec<bool>> {
        let fault = |row| self.fault(row, "must be true, false, 1 or 0");
        let flag = |(row, cell)| flag(cell).ok_or_else(|| fault(row));
        self.cells.iter().enumerate().map(flag).collect()
    }

    /// Parses the cells as outputs: JSON, or else text.
    pub(super) fn outputs(self) -> Vec<Value> {
        let output = |cell: &TableCell<'_>| match cell {
            TableCell::Json(value) => value.clone(),
            TableCell::Null => Value::Null,
            TableCell::Text(text) if text.is_empty() => Value::Null,
            TableCell::Text(text) => json::parse(text).unwrap_or_else(|_| (&**text).into()),
        };
        self.cells.iter().map(output).collect()
    }

    /// Returns a column without cells, for errors about nested values.
    pub(super) fn within(self) -> Self {
        Self { cells: &[], ..self }
    }

    /// Returns an error about a cell or a nested value.
    pub(super) fn fault(&self, row: usize, fault: &str) -> Error {
        let name = self.name;
        let value = match self.cells.get(row) {
            Some(TableCell::Text(text)) => format!("{text:?}"),
            Some(TableCell::Json(value)) => value.to_string(),
            Some(TableCell::Null) => "null".to_owned(),
            None => return Error::new(format!("a value within `{name}`: {fault}")),
        };
        let problem = format!("`{name}` is {value}, but {fault}");
        self.table.error_in_row(row, problem).into()
    }
}

fn flag(cell: &TableCell<'_>) -> Option<bool> {
    match cell {
        TableCell::Text(text) => match text.trim() {
            "1" => Some(true),
            "0" => Some(false),
            text if text.eq_ignore_ascii_case("true") => Some(true),
            text if text.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        },
        TableCell::Json(Value::Bool(flag)) => Some(*flag),
        TableCell::Json(Value::Number(number)) if *number == Number::from(1) => Some(true),
        TableCell::Json(Value::Number(number)) if *number == Number::from(0) => Some(false),
        TableCell::Json(_) | TableCell::Null => None,
    }
}
