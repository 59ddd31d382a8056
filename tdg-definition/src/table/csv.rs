//! Comma-separated values, as RFC 4180 has them.

use super::TableError;

/// A field; without quotes and text it is null.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) text: String,
    pub(super) is_quoted: bool,
}

/// The records of a text.
pub(super) struct CsvRecords<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> CsvRecords<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self {
            rest: text,
            line: 1,
        }
    }

    /// The next record and the line where it begins. Empty lines are skipped.
    pub(super) fn next(&mut self) -> Result<Option<(usize, Vec<Field>)>, TableError> {
        while self.take_line_end() {}
        if self.rest.is_empty() {
            return Ok(None);
        }
        let (line, mut fields) = (self.line, Vec::new());
        loop {
            fields.push(self.field()?);
            if let Some(rest) = self.rest.strip_prefix(',') {
                self.rest = rest;
            } else if self.rest.is_empty() || self.take_line_end() {
                return Ok(Some((line, fields)));
            } else {
                let problem =
                    "text follows a closing quote; a quote within quotes is written twice";
                return Err(TableError::at(self.line, problem));
            }
        }
    }

    fn take_line_end(&mut self) -> bool {
        let rest = self.rest.strip_prefix("\r\n");
        let Some(rest) = rest.or_else(|| self.rest.strip_prefix('\n')) else {
            return false;
        };
        self.rest = rest;
        self.line += 1;
        true
    }

    fn field(&mut self) -> Result<Field, TableError> {
        if let Some(quoted) = self.rest.strip_prefix('"') {
            return self.quoted(quoted);
        }
        let end = self.rest.find([',', '\n']).unwrap_or(self.rest.len());
        let (mut text, rest) = self.rest.split_at(end);
        if rest.starts_with('\n') && text.ends_with('\r') {
            text = &text[..text.len() - 1];
        }
        self.rest = &self.rest[text.len()..];
        Ok(Field {
            text: text.to_owned(),
            is_quoted: false,
        })
    }

    fn quoted(&mut self, mut rest: &'a str) -> Result<Field, TableError> {
        let mut text = String::new();
        let opened = self.line;
        loop {
            let Some((part, after)) = rest.split_once('"') else {
                return Err(TableError::at(opened, "a quote is opened and never closed"));
            };
            self.line += part.matches('\n').count();
            text.push_str(part);
            match after.strip_prefix('"') {
                Some(after) => {
                    text.push('"');
                    rest = after;
                }
                None => {
                    self.rest = after;
                    return Ok(Field {
                        text,
                        is_quoted: true,
                    });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(text: &str) -> Vec<Vec<String>> {
        let mut records = CsvRecords::of(text);
        let mut all = Vec::new();
        while let Some((_, fields)) = records.next().unwrap() {
            all.push(fields.into_iter().map(|field| field.text).collect());
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
            crlf in any::<bool>(),
        ) {
            let terminator = if crlf { csv::Terminator::CRLF } else { csv::Terminator::Any(b'\n') };
            let mut writer = csv::WriterBuilder::new().terminator(terminator).from_writer(Vec::new());
            for row in &rows {
                writer.write_record(row).unwrap();
            }
            let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
            prop_assert_eq!(texts(&text), rows);
        }
    }

    #[test]
    fn lines_are_counted_through_quotes() {
        let mut records = CsvRecords::of("a\r\n\"1\n2\"\n\n3\n");
        let mut lines = Vec::new();
        while let Some((line, _)) = records.next().unwrap() {
            lines.push(line);
        }
        assert_eq!(lines, [1, 2, 5]);
    }
}
