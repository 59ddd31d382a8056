//! Files of rows: CSV with a header, or a JSON object in each line.

mod csv;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::Path;

use crate::json::{self, Reader, Value};

/// The rows of a file by their columns' names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    names: Vec<String>,
    rows: Vec<TableRow>,
}

/// A row and the line where it begins.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRow {
    /// The line, from 1.
    pub line: usize,
    cells: Vec<TableCell>,
}

/// A cell as the file has it.
#[derive(Clone, Debug, PartialEq)]
pub enum TableCell {
    /// An empty field without quotes, `null`, or a member that the object doesn't have.
    Null,
    /// A field of CSV.
    Text(String),
    /// A member of an object.
    Json(Value),
}

/// What is wrong with a file of rows, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    line: Option<usize>,
    message: String,
    cause: Option<json::Error>,
}

impl TableError {
    /// In that line.
    pub fn at(line: usize, message: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            ..Self::of_file(message)
        }
    }

    /// In the file as a whole.
    pub fn of_file(message: impl Into<String>) -> Self {
        Self {
            line: None,
            message: message.into(),
            cause: None,
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(formatter, "line {line}: ")?;
        }
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for TableError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_ref().map(|cause| cause as _)
    }
}

impl Table {
    /// Reads the first `most` rows of the file with that path, which tells its format.
    ///
    /// ```
    /// use tdg_definition::table::Table;
    ///
    /// let table = Table::parse("cases.csv", b"amount,coupon\n9.5,\n3,HALF\n", 10)?;
    /// assert_eq!(table.names(), ["amount", "coupon"]);
    /// assert_eq!(table.rows().len(), 2);
    /// # Ok::<(), tdg_definition::table::TableError>(())
    /// ```
    ///
    /// # Errors
    /// What is not of the format, with its line.
    pub fn parse(path: &str, bytes: &[u8], most: usize) -> Result<Self, TableError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
            TableError::at(line, "the text is not UTF-8; save the file as UTF-8")
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let extension = Path::new(path).extension().and_then(|it| it.to_str());
        match extension {
            Some("csv") => Self::of_csv(text, most),
            Some("jsonl" | "ndjson") => Self::of_json_lines(text, most),
            _ => Err(TableError::of_file(
                "rows are read from `.csv`, `.jsonl` and `.ndjson` files; rename the file by its format",
            )),
        }
    }

    /// The names of the columns alone.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn names_in(path: &str, bytes: &[u8]) -> Result<Vec<String>, TableError> {
        let most = if path.ends_with(".csv") {
            0
        } else {
            usize::MAX
        };
        Ok(Self::parse(path, bytes, most)?.names)
    }

    /// The names of the columns, in the order of the file.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &[TableRow] {
        &self.rows
    }

    fn of_csv(text: &str, most: usize) -> Result<Self, TableError> {
        let mut records = csv::CsvRecords::of(text);
        let Some((line, header)) = records.next()? else {
            return Err(TableError::of_file(
                "the file is empty; its first line names the columns",
            ));
        };
        let names: Vec<String> = header.into_iter().map(|field| field.text).collect();
        for (position, name) in names.iter().enumerate() {
            if !name.is_empty() && names[..position].contains(name) {
                let problem = format!("two columns are named `{name}`; rename one of them");
                return Err(TableError::at(line, problem));
            }
        }
        let mut rows = Vec::new();
        while rows.len() < most
            && let Some((line, fields)) = records.next()?
        {
            if fields.len() != names.len() {
                let (fields, columns) = (fields.len(), names.len());
                let problem = format!(
                    "the header has {columns} columns, and this row has {fields}; \
                     a comma in a text needs quotes around the text"
                );
                return Err(TableError::at(line, problem));
            }
            let cell = |field: csv::Field| match field.text.is_empty() && !field.is_quoted {
                true => TableCell::Null,
                false => TableCell::Text(field.text),
            };
            rows.push(TableRow {
                line,
                cells: fields.into_iter().map(cell).collect(),
            });
        }
        Ok(Self { names, rows })
    }

    fn of_json_lines(text: &str, most: usize) -> Result<Self, TableError> {
        let mut table = Self::default();
        let mut positions: HashMap<String, usize> = HashMap::new();
        let lines = text.lines().enumerate();
        for (index, text) in lines.filter(|(_, text)| !text.trim().is_empty()).take(most) {
            let line = index + 1;
            let mut cells = vec![TableCell::Null; table.names.len()];
            for (name, value) in members(text, line)? {
                let cell = match value {
                    Value::Null => TableCell::Null,
                    value => TableCell::Json(value),
                };
                match positions.get(&name) {
                    Some(position) => cells[*position] = cell,
                    None => {
                        positions.insert(name.clone(), cells.len());
                        table.names.push(name);
                        cells.push(cell);
                    }
                }
            }
            table.rows.push(TableRow { line, cells });
        }
        Ok(table)
    }
}

/// The members of an object, in the order of the text.
fn members(text: &str, line: usize) -> Result<Vec<(String, Value)>, TableError> {
    let fault = |error: json::Error| {
        let (message, column) = (error.message(), error.column());
        TableError {
            cause: Some(error.clone()),
            ..TableError::at(line, format!("not JSON: {message} (column {column})"))
        }
    };
    let mut reader = Reader::new(text);
    if reader.begin_object().is_err() {
        json::parse(text).map_err(fault)?;
        let problem = "each line is one object: {\"amount\": 9.5, \"coupon\": null}";
        return Err(TableError::at(line, problem));
    }
    let (mut members, mut names) = (Vec::new(), HashSet::new());
    while let Some(name) = reader.next_key().map_err(fault)? {
        let name = name.into_owned();
        if !names.insert(name.clone()) {
            let problem = format!("two members are named `{name}`; rename one of them");
            return Err(TableError::at(line, problem));
        }
        members.push((name, reader.value().map_err(fault)?));
    }
    reader.finish().map_err(fault)?;
    Ok(members)
}

impl TableRow {
    /// The cell of the column at that position. Objects may lack members.
    #[must_use]
    pub fn cell(&self, position: usize) -> &TableCell {
        self.cells.get(position).unwrap_or(&TableCell::Null)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(path: &str, text: &[u8]) -> String {
        Table::parse(path, text, 10).unwrap_err().to_string()
    }

    #[test]
    fn an_empty_field_is_null_and_an_empty_text_is_quoted() {
        let table = Table::parse("a.csv", b"\xef\xbb\xbfx,y\r\n,\"\"\r\n", 10).unwrap();
        assert_eq!(table.names(), ["x", "y"]);
        assert_eq!(*table.rows()[0].cell(0), TableCell::Null);
        assert_eq!(*table.rows()[0].cell(1), TableCell::Text(String::new()));
    }

    #[test]
    fn objects_may_lack_members() {
        let text = b"{\"x\": 1}\n\n{\"y\": null, \"x\": 2, \"a\": 3}\n";
        let table = Table::parse("a.jsonl", text, 10).unwrap();
        assert_eq!(table.names(), ["x", "y", "a"]);
        let [first, second] = table.rows() else {
            panic!("{table:?}")
        };
        assert_eq!((first.line, second.line), (1, 3));
        assert_eq!(*first.cell(1), TableCell::Null);
        assert_eq!(*second.cell(0), TableCell::Json(Value::from(2)));
    }

    #[test]
    fn a_mistake_has_its_line() {
        let messages = [
            wrong("a.csv", b""),
            wrong("a.csv", b"x,x\n"),
            wrong("a.csv", b"x,y\n1,2\n3\n"),
            wrong("a.csv", b"x,y\n1,\"2\n3\n"),
            wrong("a.csv", b"x,y\n1,\"2\"3\n"),
            wrong("a.csv", b"x\n1\n\xff\n"),
            wrong("a.jsonl", b"{\"x\": 1}\n[1]\n"),
            wrong("a.jsonl", b"{\"x\": 1}\n{\"x\": }\n"),
            wrong("a.jsonl", b"{\"x\": 1} 2\n"),
            wrong("a.jsonl", b"{\"x\": 1, \"x\": 2}\n"),
            wrong("a.xlsx", b""),
        ];
        insta::assert_snapshot!(messages.join("\n"), @r#"
        the file is empty; its first line names the columns
        line 1: two columns are named `x`; rename one of them
        line 3: the header has 2 columns, and this row has 1; a comma in a text needs quotes around the text
        line 2: a quote is opened and never closed
        line 2: text follows a closing quote; a quote within quotes is written twice
        line 3: the text is not UTF-8; save the file as UTF-8
        line 2: each line is one object: {"amount": 9.5, "coupon": null}
        line 2: not JSON: expected a value, found `}` (column 7)
        line 1: not JSON: expected the end of the text, found a number (column 10)
        line 1: two members are named `x`; rename one of them
        rows are read from `.csv`, `.jsonl` and `.ndjson` files; rename the file by its format
        "#);
    }
}
