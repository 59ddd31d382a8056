//! Tables in files: CSV with column names in the first line, or JSON objects.

mod csv;
mod nulls;
mod objects;
mod text;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use crate::json::Value;

pub use nulls::NullMarks;
pub use text::text;

/// A table as read from its file: columns of equal length.
#[derive(Clone, Debug)]
pub struct Table<'a> {
    text: &'a str,
    delimiter: u8,
    columns: Vec<FileColumn<'a>>,
    /// The offset of each row in the text.
    starts: Vec<usize>,
}

/// A column: a name and a cell for each row.
#[derive(Clone, Debug)]
pub struct FileColumn<'a> {
    name: String,
    cells: Vec<TableCell<'a>>,
}

/// A cell as read from the file.
#[derive(Clone, Debug, PartialEq)]
pub enum TableCell<'a> {
    /// An empty unquoted field, `null`, or a member missing from the object.
    Null,
    /// A CSV field.
    Text(Cow<'a, str>),
    /// A member of an object.
    Json(Value),
}

impl TableCell<'_> {
    /// Returns the CSV field, empty if it's null.
    #[must_use]
    pub fn field(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Null | Self::Json(_) => "",
        }
    }
}

/// A fault in a file, with its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    place: String,
    message: String,
}

impl TableError {
    /// Creates a fault at an offset of the text.
    pub(crate) fn in_text(text: &str, offset: usize, message: impl Into<String>) -> Self {
        let before = &text[..offset];
        let start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let (line, column) = (line(before), 1 + before[start..].chars().count());
        Self {
            place: format!("line {line}, column {column}: "),
            message: message.into(),
        }
    }

    /// Creates a fault for the line that begins at an offset of the text.
    fn in_line(text: &str, start: usize, message: impl Into<String>) -> Self {
        Self {
            place: format!("line {}: ", line(&text[..start])),
            message: message.into(),
        }
    }

    /// Creates a fault for the file as a whole.
    pub fn of_file(message: impl Into<String>) -> Self {
        Self {
            place: String::new(),
            message: message.into(),
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.place)?;
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for TableError {}

/// The number of the line that follows a text, from 1.
fn line(before: &str) -> usize {
    1 + before.matches(['\n', '\r']).count() - before.matches("\r\n").count()
}

/// Returns the delimiter for a file with this name: a tab for `.tsv`, otherwise a comma.
#[must_use]
pub fn delimiter(path: &str) -> u8 {
    match path.ends_with(".tsv") {
        true => b'\t',
        false => b',',
    }
}

/// Checks that a test can read rows from a file with this name.
///
/// # Errors
/// If the name has none of the supported extensions.
pub fn check_extension(path: &str) -> Result<(), TableError> {
    const EXTENSIONS: [&str; 5] = [".csv", ".tsv", ".json", ".jsonl", ".ndjson"];
    match EXTENSIONS.iter().any(|it| path.ends_with(it)) {
        true => Ok(()),
        false => Err(TableError::of_file(
            "rows are read from `.csv`, `.tsv`, `.json`, `.jsonl` and `.ndjson` files",
        )),
    }
}

impl<'a> Table<'a> {
    /// Reads the first `most` rows. A text that begins with `{` or `[` is JSON: consecutive
    /// objects, or an array of them. Any other text is CSV with this delimiter.
    ///
    /// ```
    /// use tdg_definition::table::Table;
    ///
    /// let table = Table::parse("amount,coupon\n9.5,\n3,HALF\n", b',', 10)?;
    /// assert_eq!(table.names().collect::<Vec<_>>(), ["amount", "coupon"]);
    /// assert_eq!(table.rows(), 2);
    /// # Ok::<(), tdg_definition::table::TableError>(())
    /// ```
    ///
    /// # Errors
    /// The first fault, with its line.
    pub fn parse(text: &'a str, delimiter: u8, most: usize) -> Result<Self, TableError> {
        let table = Self {
            text,
            delimiter,
            columns: Vec::new(),
            starts: Vec::new(),
        };
        match table.is_json() {
            true => table.read_objects(most),
            false => table.read_csv(most),
        }
    }

    /// Reads only the names of the columns.
    ///
    /// # Errors
    /// As for [`parse`](Self::parse).
    pub fn names_in(text: &str, delimiter: u8) -> Result<Vec<String>, TableError> {
        let most = match is_json(text) {
            true => usize::MAX,
            false => 0,
        };
        let table = Table::parse(text, delimiter, most)?;
        Ok(table.names().map(str::to_owned).collect())
    }

    /// Returns true if the file is JSON, which distinguishes strings from other cells.
    #[must_use]
    pub fn is_json(&self) -> bool {
        is_json(self.text)
    }

    /// Returns the delimiter of CSV fields.
    #[must_use]
    pub fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// Returns the columns, in the order of the file.
    #[must_use]
    pub fn columns(&self) -> &[FileColumn<'a>] {
        &self.columns
    }

    /// Returns the names of the columns, in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.columns.iter().map(FileColumn::name)
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.starts.len()
    }

    /// Creates a fault in a row.
    #[must_use]
    pub fn error_in_row(&self, row: usize, message: impl Into<String>) -> TableError {
        TableError::in_line(self.text, self.starts[row], message)
    }

    fn read_csv(mut self, most: usize) -> Result<Self, TableError> {
        let mut records = csv::CsvRecords::new(self.text, self.delimiter);
        let mut cells = Vec::new();
        let Some(start) = records.next(&mut cells)? else {
            let problem = "the file is empty; its first line names the columns";
            return Err(TableError::of_file(problem));
        };
        let name = |(position, cell): (usize, &TableCell<'a>)| match cell.field().trim() {
            // The default name in a definition.
            "" => format!("feature_{}", position + 1),
            name => name.to_owned(),
        };
        if cells.iter().all(|cell| *cell == TableCell::Null) {
            let problem = "the first line names no column; give each a name";
            return Err(TableError::in_line(self.text, start, problem));
        }
        let names: Vec<String> = cells.iter().enumerate().map(name).collect();
        check_names(self.text, start, &names)?;
        let column = |name| FileColumn {
            name,
            cells: Vec::new(),
        };
        self.columns = names.into_iter().map(column).collect();
        while self.rows() < most
            && let Some(start) = records.next(&mut cells)?
        {
            self.starts.push(start);
            if cells.len() != self.columns.len() {
                return Err(self.error_in_row(self.rows() - 1, self.ragged(cells.len())));
            }
            for (column, cell) in self.columns.iter_mut().zip(cells.drain(..)) {
                column.cells.push(cell);
            }
        }
        Ok(self)
    }

    fn ragged(&self, fields: usize) -> String {
        let columns = self.columns.len();
        let noun = if fields == 1 { "field" } else { "fields" };
        format!(
            "this row has {fields} {noun}, but the header has {columns}; put quotes around a field \
             that has the delimiter in it"
        )
    }
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

fn check_names(text: &str, start: usize, names: &[String]) -> Result<(), TableError> {
    let mut known = HashMap::new();
    for (column, name) in (1..).zip(names) {
        if let Some(first) = known.insert(name, column) {
            let problem =
                format!("columns {first} and {column} are both named `{name}`; rename one of them");
            return Err(TableError::in_line(text, start, problem));
        }
    }
    Ok(())
}

impl<'a> FileColumn<'a> {
    /// Returns the name: from the header without surrounding white space, or of the members. The
    /// third column, if unnamed, is `feature_3`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the cells, one for each row.
    #[must_use]
    pub fn cells(&self) -> &[TableCell<'a>] {
        &self.cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Table<'_> {
        Table::parse(text, b',', 10).unwrap()
    }

    fn wrong(text: &str) -> String {
        Table::parse(text, b',', 10).unwrap_err().to_string()
    }

    #[test]
    fn an_empty_field_is_null_and_an_empty_text_is_quoted() {
        let table = parsed("x,y\r\n,\"\"\r\n");
        assert_eq!(table.names().collect::<Vec<_>>(), ["x", "y"]);
        assert_eq!(table.columns()[0].cells(), [TableCell::Null]);
        assert_eq!(table.columns()[1].cells(), [TableCell::Text("".into())]);
    }

    #[test]
    fn objects_may_lack_members_and_may_be_in_an_array() {
        let lines = "{\"x\": 1}\n\n{\"y\": null, \"x\": 2, \"a\": \"NA\"}\n";
        let array = "[{\"x\": 1},\n{\"y\": null, \"x\": 2,\n\"a\": \"NA\"}]\n";
        for text in [lines, array] {
            let table = parsed(text);
            assert_eq!(table.names().collect::<Vec<_>>(), ["x", "y", "a"]);
            let cells: Vec<_> = table.columns().iter().map(FileColumn::cells).collect();
            let number = |number: i64| TableCell::Json(Value::from(number));
            assert_eq!(cells[0], [number(1), number(2)]);
            assert_eq!(cells[1], [TableCell::Null, TableCell::Null]);
            assert_eq!(cells[2], [TableCell::Null, TableCell::Json("NA".into())]);
        }
        assert_eq!(parsed("[]").rows(), 0);
        assert_eq!(parsed(lines).error_in_row(1, "x").to_string(), "line 3: x");
    }

    #[test]
    fn an_unnamed_column_is_named_like_an_unnamed_feature() {
        let table = parsed(",  x ,\"\"\n1,2,3\n");
        assert_eq!(
            table.names().collect::<Vec<_>>(),
            ["feature_1", "x", "feature_3"]
        );
    }

    #[test]
    fn rows_are_counted_through_quotes_and_other_line_ends() {
        let table = parsed("a\r\n\"1\n2\"\r\r3\r\n4\n");
        let lines = (0..3).map(|row| table.error_in_row(row, "").to_string());
        assert_eq!(
            lines.collect::<Vec<_>>(),
            ["line 2: ", "line 5: ", "line 6: "]
        );
    }

    #[test]
    fn a_mistake_has_its_line_and_column() {
        let messages = [
            "",
            "\n",
            ",\n1,2\n",
            "x,y,x \n",
            "x,,feature_2\n",
            "x,y\n1,2\n3\n",
            "x,y\n1,2,3\n",
            "x,y\né,\"2\n3\n",
            "x,y\n1,\"2\"3\n",
            "x,y\n1, \"2\"\n",
            "{\"x\": 1}\n[1]\n",
            "{\"x\": 1}\n{\"x\": }\n",
            "{\"x\": 1} 2\n",
            "{\"x\": 1}\n{\"x\": 1, \"x\": 2}\n",
            "[{\"x\": 1}, 2]",
            "[{\"x\": 1}",
            "[{\"x\": 1}] 2",
        ]
        .map(wrong);
        insta::assert_snapshot!(messages.join("\n"), @r#"
        the file is empty; its first line names the columns
        the file is empty; its first line names the columns
        line 1: the first line names no column; give each a name
        line 1: columns 1 and 3 are both named `x`; rename one of them
        line 1: columns 2 and 3 are both named `feature_2`; rename one of them
        line 3: this row has 1 field, but the header has 2; put quotes around a field that has the delimiter in it
        line 2: this row has 3 fields, but the header has 2; put quotes around a field that has the delimiter in it
        line 2, column 3: a quote is opened and never closed
        line 2, column 6: text follows the closing quote of a field that begins in line 2; a quote within quotes is written twice
        line 2, column 3: white space before a quote; remove it, so that the quotes enclose a field
        line 2, column 1: each row is an object: {"amount": 9.5, "coupon": null}
        line 2, column 7: not JSON: expected a value, found `}`
        line 1, column 10: each row is an object: {"amount": 9.5, "coupon": null}
        line 2, column 10: two members are named `x`; rename one of them
        line 1, column 12: each row is an object: {"amount": 9.5, "coupon": null}
        line 1, column 10: not JSON: expected `,` or `]`, found the end of the text
        line 1, column 12: not JSON: expected the end of the text, found a number
        "#);
    }
}
