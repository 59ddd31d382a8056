//! A table as a file has it: names and texts.

use std::collections::HashSet;
use std::io::Read;

use csv::{ErrorKind, ReaderBuilder, StringRecord};
use tdg_definition::Definition;
use tdg_definition::json::Value;
use tdg_definition::table::{Table, TableCell};
use tdg_engine::report::counted;

use crate::error::FitError;
use crate::quotes::QuoteCheck;

/// A table of texts: its columns, with names that features can have.
#[derive(Debug)]
pub struct TextTable {
    pub(crate) columns: Vec<TextColumn>,
    pub(crate) rows: usize,
    /// About names that were changed, since no feature can have them.
    pub(crate) notes: Vec<String>,
}

/// The texts of a column, one after the other.
#[derive(Debug, Default)]
pub struct TextColumn {
    /// A valid name for a feature, which no other column has.
    pub(crate) name: String,
    header: String,
    /// Whether some are strings in JSON, so that none is a number.
    pub(crate) has_strings: bool,
    bytes: String,
    ends: Vec<usize>,
}

impl TextColumn {
    /// A valid name for a feature, which no other column has.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name as the header has it.
    pub fn header(&self) -> &str {
        &self.header
    }

    fn push(&mut self, field: &str) {
        self.bytes.push_str(field);
        self.ends.push(self.bytes.len());
    }

    /// The texts in the order of rows.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let field = &self.bytes[start..end];
            start = end;
            field
        })
    }
}

impl TextTable {
    /// The columns, in order.
    pub fn columns(&self) -> &[TextColumn] {
        &self.columns
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// What to know before using the table: about names that no feature can have.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Reads CSV in UTF-8 whose first line names the columns, or JSON lines: an object in each
    /// line. The delimiter separates the fields of CSV.
    ///
    /// ```
    /// use tdg_fit::TextTable;
    ///
    /// assert!(TextTable::read("a;b\n1;2\n".as_bytes(), b';').is_ok());
    /// let error = TextTable::read("a,b\n1,\"2\n".as_bytes(), b',').unwrap_err();
    /// assert!(error.to_string().starts_with("line 2 opens a quote that is never closed"));
    /// ```
    ///
    /// # Errors
    /// The source can't be read or is not such a table.
    pub fn read(mut source: impl Read, delimiter: u8) -> Result<Self, FitError> {
        let mut start = Vec::new();
        source
            .by_ref()
            .take(4)
            .read_to_end(&mut start)
            .map_err(FitError::of)?;
        if start.starts_with(&GZIP) {
            return Err(FitError::new(
                "the file is compressed; decompress it first, for example with `gunzip`",
            ));
        }
        let start = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&start);
        if start.starts_with(b"{") {
            return Self::of_json_lines(start.chain(source));
        }
        let mut reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .from_reader(QuoteCheck::new(start.chain(source), delimiter));
        let table = Self::of_records(&mut reader, delimiter);
        // Before any other error, which would be a consequence of the quote.
        match reader.get_ref().unclosed() {
            Some(line) => Err(FitError::new(format!(
                "line {line} opens a quote that is never closed; add the closing quote"
            ))),
            None => table,
        }
    }

    /// Members that an object lacks are null.
    fn of_json_lines(mut source: impl Read) -> Result<Self, FitError> {
        let mut lines = Vec::new();
        let read = source.read_to_end(&mut lines);
        read.map_err(FitError::of)?;
        let table = Table::parse("table.jsonl", &lines, usize::MAX);
        let table = table.map_err(FitError::of)?;
        check_width(table.names().len())?;
        let (mut columns, notes) = named(&StringRecord::from(table.names().to_vec()));
        for row in table.rows() {
            for (position, column) in columns.iter_mut().enumerate() {
                match row.cell(position) {
                    TableCell::Null => column.push(""),
                    TableCell::Text(text) => column.push(text),
                    TableCell::Json(Value::String(text)) => {
                        column.has_strings = true;
                        column.push(text);
                    }
                    TableCell::Json(value) => column.push(&value.to_string()),
                }
            }
        }
        Ok(Self {
            columns,
            rows: table.rows().len(),
            notes,
        })
    }

    fn of_records(reader: &mut csv::Reader<impl Read>, delimiter: u8) -> Result<Self, FitError> {
        let header = reader.headers().map_err(csv_error)?.clone();
        if header.is_empty() {
            return Err(FitError::new(
                "the table is empty; its first line must name the columns",
            ));
        }
        check_width(header.len())?;
        let (mut columns, mut notes) = named(&header);
        if let ([_], Some(other)) = (columns.as_slice(), other_delimiter(&header, delimiter)) {
            notes.push(format!(
                "the only column has {other:?} in its name; if that separates columns, \
                 choose it as the delimiter"
            ));
        }
        let (mut record, mut rows) = (StringRecord::new(), 0);
        while reader.read_record(&mut record).map_err(csv_error)? {
            rows += 1;
            for (column, field) in columns.iter_mut().zip(&record) {
                column.push(field);
            }
        }
        if rows == 0 {
            return Err(FitError::new("the table has a header but no rows"));
        }
        Ok(Self {
            columns,
            rows,
            notes,
        })
    }
}

/// How a gzip file begins (RFC 1952).
const GZIP: [u8; 2] = [0x1f, 0x8b];
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

fn check_width(columns: usize) -> Result<(), FitError> {
    if columns <= Definition::FEATURES {
        return Ok(());
    }
    Err(FitError::new(format!(
        "the table has {columns} columns, and a definition can have at most {} features; \
         leave some columns out",
        Definition::FEATURES
    )))
}

fn other_delimiter(header: &StringRecord, delimiter: u8) -> Option<char> {
    let name = header.get(0)?;
    [',', ';', '\t', '|']
        .into_iter()
        .find(|&other| other != char::from(delimiter) && name.contains(other))
}

/// The columns without rows, their names made valid and unique, and notes about changed names.
fn named(header: &StringRecord) -> (Vec<TextColumn>, Vec<String>) {
    let mut taken: HashSet<String> = HashSet::new();
    let mut notes = Vec::new();
    let mut columns = Vec::new();
    for (index, written) in header.iter().enumerate() {
        let usable = usable(written, index);
        let mut name = usable.clone();
        let mut repetition = 1;
        while !taken.insert(name.clone()) {
            repetition += 1;
            name = format!("{usable}_{repetition}");
        }
        if name != written {
            let number = index + 1;
            notes.push(match written.trim() {
                "" => format!("column {number} has no name in the header; its feature is `{name}`"),
                _ => format!("column {number} is named {written:?}; its feature is `{name}`"),
            });
        }
        columns.push(TextColumn {
            name,
            header: written.to_owned(),
            ..TextColumn::default()
        });
    }
    (columns, notes)
}

/// The closest valid name for a feature.
fn usable(written: &str, index: usize) -> String {
    /// The most bytes a name can have, with room for `_1000`.
    const LONGEST: usize = 250;
    let mut name: String = written.chars().filter(|c| !c.is_control()).collect();
    while name.len() > LONGEST {
        name.pop();
    }
    match name.trim() {
        "" => format!("feature_{}", index + 1),
        trimmed => trimmed.to_owned(),
    }
}

/// An error of the csv crate with its line and the fix.
fn csv_error(error: csv::Error) -> FitError {
    let line = |position: Option<&csv::Position>| match position {
        Some(position) => format!("line {}", position.line()),
        None => "a line".to_owned(),
    };
    let message = match error.kind() {
        ErrorKind::UnequalLengths {
            pos,
            expected_len,
            len,
        } => format!(
            "{} has {}, and the header has {expected_len}; quote fields that contain the \
             delimiter or quotes, or choose another delimiter",
            line(pos.as_ref()),
            counted(*len as usize, "field"),
        ),
        ErrorKind::Utf8 { pos, .. } => format!(
            "{} is not UTF-8; convert the file, for example with `iconv -f LATIN1 -t UTF-8`",
            line(pos.as_ref())
        ),
        _ => error.to_string(),
    };
    FitError::new(message).caused_by(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Result<TextTable, String> {
        TextTable::read(text, b',').map_err(|error| error.to_string())
    }

    fn texts(table: &TextTable, column: usize) -> Vec<&str> {
        table.columns[column].iter().collect()
    }

    fn names(table: &TextTable) -> Vec<&str> {
        table.columns.iter().map(|it| it.name.as_str()).collect()
    }

    #[test]
    fn quoted_fields_hold_delimiters_quotes_and_lines() {
        let table = read(b"a,b\r\n\"x, \"\"y\"\"\",\"1\n2\"\r\nz,\r\n").unwrap();
        assert_eq!(texts(&table, 0), ["x, \"y\"", "z"]);
        assert_eq!(texts(&table, 1), ["1\n2", ""]);
        assert_eq!(table.rows, 2);
    }

    #[test]
    fn a_byte_order_mark_is_not_part_of_a_name() {
        assert_eq!(names(&read(b"\xef\xbb\xbfa,b\n1,2\n").unwrap()), ["a", "b"]);
        let quoted = read(b"\xef\xbb\xbf\"a,\",b\n1,2\n").unwrap();
        assert_eq!(names(&quoted), ["a,", "b"]);
    }

    #[test]
    fn a_quote_that_is_never_closed_is_an_error() {
        insta::assert_snapshot!(read(b"a,b\n1,\"2\n3,4\n5,6\n").unwrap_err(), @"line 2 opens a quote that is never closed; add the closing quote");
        // Not for too few fields, which is a consequence.
        insta::assert_snapshot!(read(b"a,b\n1,2\n\"3,4\n5,6\n").unwrap_err(), @"line 3 opens a quote that is never closed; add the closing quote");
        insta::assert_snapshot!(read(b"\"a,b\n1,2\n").unwrap_err(), @"line 1 opens a quote that is never closed; add the closing quote");
        for sound in [
            "a,b\n1,\"2\"",
            "a,b\n1,\"2 \"\"\"\n",
            "a,b\n1,2\"\n",
            "a,b\n1,\"2\"3\"\n",
        ] {
            assert!(read(sound.as_bytes()).is_ok(), "{sound}");
        }
    }

    #[test]
    fn a_compressed_file_has_to_be_decompressed() {
        insta::assert_snapshot!(read(b"\x1f\x8b\x08\0\0").unwrap_err(), @"the file is compressed; decompress it first, for example with `gunzip`");
    }

    #[test]
    fn the_cause_of_an_error_is_kept() {
        let error = TextTable::read(&b"a,b\n1\n"[..], b',').unwrap_err();
        assert!(
            std::error::Error::source(&error)
                .unwrap()
                .is::<csv::Error>()
        );
    }

    #[test]
    fn names_that_no_feature_can_have_are_changed_with_a_note() {
        let table = read(b"a,,a,a_2, b \n1,2,3,4,5\n").unwrap();
        assert_eq!(names(&table), ["a", "feature_2", "a_2", "a_2_2", "b"]);
        insta::assert_snapshot!(table.notes.join("\n"), @r#"
        column 2 has no name in the header; its feature is `feature_2`
        column 3 is named "a"; its feature is `a_2`
        column 4 is named "a_2"; its feature is `a_2_2`
        column 5 is named " b "; its feature is `b`
        "#);
    }

    #[test]
    fn an_error_says_where_and_how_to_fix_it() {
        insta::assert_snapshot!(read(b"").unwrap_err(), @"the table is empty; its first line must name the columns");
        insta::assert_snapshot!(read(b"a,b\n").unwrap_err(), @"the table has a header but no rows");
        insta::assert_snapshot!(read(b"a,b\n1,2\n3\n").unwrap_err(), @"line 3 has 1 field, and the header has 2; quote fields that contain the delimiter or quotes, or choose another delimiter");
        insta::assert_snapshot!(read(b"a,b\n1,2\n\"3\n4\",5,6\n").unwrap_err(), @"line 3 has 3 fields, and the header has 2; quote fields that contain the delimiter or quotes, or choose another delimiter");
        insta::assert_snapshot!(read(b"a\nf\xfcr\n").unwrap_err(), @"line 2 is not UTF-8; convert the file, for example with `iconv -f LATIN1 -t UTF-8`");
        let wide = vec!["x"; 1001].join(",");
        insta::assert_snapshot!(read(wide.as_bytes()).unwrap_err(), @"the table has 1001 columns, and a definition can have at most 1000 features; leave some columns out");
    }

    #[test]
    fn another_delimiter_is_suggested() {
        insta::assert_snapshot!(read(b"a;b\n1;2\n").unwrap().notes.join("\n"), @"the only column has ';' in its name; if that separates columns, choose it as the delimiter");
        assert!(read(b"a\n1;2\n").unwrap().notes.is_empty());
    }
}
