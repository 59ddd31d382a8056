//! A table as the file has it: names and texts.

use std::collections::HashSet;
use std::io::Read;

use csv::{ErrorKind, ReaderBuilder, StringRecord};
use tdg_definition::Definition;

use crate::error::{Error, Result};

/// The columns of a file.
#[derive(Debug)]
pub(crate) struct Table {
    pub(super) columns: Vec<Fields>,
    pub(super) rows: usize,
    /// What the reader made of names that no feature can have.
    pub(super) notes: Vec<String>,
}

/// The texts of a column, one after the other.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// A name that a feature can have, and no other column has.
    pub(super) name: String,
    bytes: String,
    ends: Vec<usize>,
}

impl Fields {
    fn push(&mut self, field: &str) {
        self.bytes.push_str(field);
        self.ends.push(self.bytes.len());
    }

    /// The texts in the order of rows.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let field = &self.bytes[start..end];
            start = end;
            field
        })
    }
}

impl Table {
    /// Reads a table with a header.
    ///
    /// # Errors
    /// What is wrong, in which line, and what to do.
    pub(crate) fn read(source: impl Read, delimiter: u8) -> Result<Self> {
        let mut reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .from_reader(source);
        let header = reader.headers().map_err(wrong)?.clone();
        if header.is_empty() {
            return Err(Error::new(
                "is empty; the first line has to name the columns",
            ));
        }
        if header.len() > Definition::FEATURES {
            return Err(Error::new(format!(
                "has {} columns, and a definition at most {} features; leave some columns out",
                header.len(),
                Definition::FEATURES
            )));
        }
        let (mut columns, mut notes) = named(&header);
        if let ([_], Some(other)) = (columns.as_slice(), other_delimiter(&header, delimiter)) {
            notes.push(format!(
                "there is one column, and its name has {other:?} in it; if that parts columns, say \
                 --delimiter {}",
                if other == '\t' {
                    "tab".to_owned()
                } else {
                    format!("'{other}'")
                }
            ));
        }
        let (mut record, mut rows) = (StringRecord::new(), 0);
        while reader.read_record(&mut record).map_err(wrong)? {
            rows += 1;
            for (column, field) in columns.iter_mut().zip(&record) {
                column.push(field);
            }
        }
        if rows == 0 {
            return Err(Error::new(
                "has a header and no rows; there is nothing to fit",
            ));
        }
        Ok(Self {
            columns,
            rows,
            notes,
        })
    }
}

/// What `--delimiter` was given.
pub(crate) fn delimiter(text: &str) -> Result<u8> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        &[byte] if byte != b'"' && byte != b'\n' && byte != b'\r' && byte.is_ascii() => Ok(byte),
        _ => Err(Error::new(format!(
            "--delimiter is one ASCII character or `tab`, but is {text:?}"
        ))),
    }
}

fn other_delimiter(header: &StringRecord, delimiter: u8) -> Option<char> {
    let name = header.get(0)?;
    [',', ';', '\t', '|']
        .into_iter()
        .find(|&other| other != char::from(delimiter) && name.contains(other))
}

/// Columns without rows, each with a name of its own, and notes about those that were changed.
fn named(header: &StringRecord) -> (Vec<Fields>, Vec<String>) {
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
        columns.push(Fields {
            name,
            ..Fields::default()
        });
    }
    (columns, notes)
}

/// A name that a feature can have.
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

/// Why the file is no table.
fn wrong(error: csv::Error) -> Error {
    let line = |position: Option<&csv::Position>| match position {
        Some(position) => format!("line {}", position.line()),
        None => "a line".to_owned(),
    };
    match error.kind() {
        ErrorKind::UnequalLengths {
            pos,
            expected_len,
            len,
        } => Error::new(format!(
            "{} has {}, and the header has {expected_len}; put fields that contain the delimiter or quotes \
             in quotes, or say another --delimiter",
            line(pos.as_ref()),
            crate::terminal::counted(*len as usize, "field"),
        )),
        ErrorKind::Utf8 { pos, .. } => Error::new(format!(
            "{} is not UTF-8; convert the file, for example by `iconv -f LATIN1 -t UTF-8`",
            line(pos.as_ref())
        )),
        _ => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Result<Table, String> {
        Table::read(text, b',').map_err(|error| match error {
            Error::Message(message) => message,
            Error::OutputClosed => unreachable!(),
        })
    }

    fn texts(table: &Table, column: usize) -> Vec<&str> {
        table.columns[column].iter().collect()
    }

    fn names(table: &Table) -> Vec<&str> {
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
    fn a_byte_order_mark_is_no_part_of_a_name() {
        assert_eq!(names(&read(b"\xef\xbb\xbfa,b\n1,2\n").unwrap()), ["a", "b"]);
    }

    #[test]
    fn names_that_no_feature_can_have_are_changed_and_told() {
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
    fn a_file_that_is_no_table_says_where_and_what_to_do() {
        insta::assert_snapshot!(read(b"").unwrap_err(), @"is empty; the first line has to name the columns");
        insta::assert_snapshot!(read(b"a,b\n").unwrap_err(), @"has a header and no rows; there is nothing to fit");
        insta::assert_snapshot!(read(b"a,b\n1,2\n3\n").unwrap_err(), @"line 3 has 1 field, and the header has 2; put fields that contain the delimiter or quotes in quotes, or say another --delimiter");
        insta::assert_snapshot!(read(b"a,b\n1,2\n\"3\n4\",5,6\n").unwrap_err(), @"line 3 has 3 fields, and the header has 2; put fields that contain the delimiter or quotes in quotes, or say another --delimiter");
        insta::assert_snapshot!(read(b"a\nf\xfcr\n").unwrap_err(), @"line 2 is not UTF-8; convert the file, for example by `iconv -f LATIN1 -t UTF-8`");
        let wide = vec!["x"; 1001].join(",");
        insta::assert_snapshot!(read(wide.as_bytes()).unwrap_err(), @"has 1001 columns, and a definition at most 1000 features; leave some columns out");
    }

    #[test]
    fn a_table_parted_otherwise_is_suspected() {
        insta::assert_snapshot!(read(b"a;b\n1;2\n").unwrap().notes.join("\n"), @"there is one column, and its name has ';' in it; if that parts columns, say --delimiter ';'");
        assert!(read(b"a\n1;2\n").unwrap().notes.is_empty());
    }

    #[test]
    fn a_delimiter_is_one_character() {
        assert_eq!(delimiter(";").ok(), Some(b';'));
        assert_eq!(delimiter("tab").ok(), Some(b'\t'));
        for text in ["", ";;", "ü", "\""] {
            assert!(delimiter(text).is_err(), "{text}");
        }
    }
}
