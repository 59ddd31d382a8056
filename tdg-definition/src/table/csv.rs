//! Comma-separated values according to RFC 4180.

use std::borrow::Cow;

use super::{TableCell, TableError, line};

/// The records of a text. Lines end with LF, CR LF or CR.
pub(super) struct CsvRecords<'a> {
    text: &'a str,
    delimiter: u8,
    position: usize,
}

impl<'a> CsvRecords<'a> {
    pub(super) fn new(text: &'a str, delimiter: u8) -> Self {
        Self {
            text,
            delimiter,
            position: 0,
        }
    }

    /// Reads the next record and returns its offset. Empty lines are skipped.
    pub(super) fn next(
        &mut self,
        cells: &mut Vec<TableCell<'a>>,
    ) -> Result<Option<usize>, TableError> {
        cells.clear();
        while self.take_line_end() {}
        let start = self.position;
        if self.byte().is_none() {
            return Ok(None);
        }
        loop {
            let field = self.position;
            let cell = match self.byte() {
                Some(b'"') => self.quoted()?,
                _ => self.unquoted()?,
            };
            cells.push(cell);
            if self.byte().is_none() || self.take_line_end() {
                return Ok(Some(start));
            }
            if self.byte() != Some(self.delimiter) {
                let problem = format!(
                    "text follows the closing quote of a field that begins in line {}; a quote \
                     within quotes is written twice",
                    line(&self.text[..field])
                );
                return Err(self.error(self.position, problem));
            }
            self.position += 1;
        }
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn take_line_end(&mut self) -> bool {
        let is_end = matches!(self.byte(), Some(b'\n' | b'\r'));
        self.position += usize::from(is_end);
        is_end
    }

    fn unquoted(&mut self) -> Result<TableCell<'a>, TableError> {
        let rest = &self.text[self.position..];
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r') || *byte == self.delimiter;
        let end = rest.as_bytes().iter().position(is_end);
        let text = &rest[..end.unwrap_or(rest.len())];
        if text.starts_with([' ', '\t']) && text.trim_start().starts_with('"') {
            let problem =
                "white space before a quote; remove it, so that the quotes enclose a field";
            return Err(self.error(self.position, problem));
        }
        self.position += text.len();
        Ok(match text {
            "" => TableCell::Null,
            text => TableCell::Text(text.into()),
        })
    }

    fn quoted(&mut self) -> Result<TableCell<'a>, TableError> {
        let start = self.position + 1;
        let (mut end, mut has_quotes) = (start, false);
        loop {
            let Some(length) = self.text[end..].find('"') else {
                return Err(self.error(start - 1, "a quote is opened and never closed"));
            };
            end += length;
            if self.text.as_bytes().get(end + 1) != Some(&b'"') {
                break;
            }
            has_quotes = true;
            end += 2;
        }
        self.position = end + 1;
        let text = &self.text[start..end];
        Ok(TableCell::Text(match has_quotes {
            true => Cow::Owned(text.replace("\"\"", "\"")),
            false => Cow::Borrowed(text),
        }))
    }

    fn error(&self, offset: usize, problem: impl Into<String>) -> TableError {
        TableError::in_text(self.text, offset, problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(text: &str) -> Vec<Vec<String>> {
        let mut records = CsvRecords::new(text, b',');
        let (mut cells, mut all) = (Vec::new(), Vec::new());
        let text = |cell: &TableCell<'_>| match cell {
            TableCell::Text(text) => text.to_string(),
            _ => String::new(),
        };
        while records.next(&mut cells).unwrap().is_some() {
            all.push(cells.iter().map(text).collect());
        }
        all
    }

    proptest! {
        #[test]
        fn other_writers_are_understood(
            rows in (1_usize..4).prop_flat_map(|width| {
                let field = "[a-c,\"\r\n ü]{0,6}";
                prop::collection::vec(prop::collection::vec(field, width), 1..6)
            }),
            end in 0..3_usize,
        ) {
            let terminators = [csv::Terminator::CRLF, csv::Terminator::Any(b'\n'), csv::Terminator::Any(b'\r')];
            let mut writer = csv::WriterBuilder::new().terminator(terminators[end]).from_writer(Vec::new());
            for row in &rows {
                writer.write_record(row).unwrap();
            }
            let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
            prop_assert_eq!(texts(&text), rows);
        }
    }

    #[test]
    fn a_line_ends_in_any_of_three_ways() {
        let rows = texts("a,b\n1,2\r\n3,\"4\r\n5\"\r6,\r\n\r\r\n7,8");
        assert_eq!(
            rows,
            [
                ["a", "b"],
                ["1", "2"],
                ["3", "4\r\n5"],
                ["6", ""],
                ["7", "8"]
            ]
        );
    }

    #[test]
    fn a_quote_within_a_text_is_part_of_it() {
        assert_eq!(texts("5'10\",a \"b\" c"), [["5'10\"", "a \"b\" c"]]);
    }
}
