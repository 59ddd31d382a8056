//! A table from a file or from standard input, with the options for reading it.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use clap::Args;
use tdg_definition::table::{self, NullMarks, Table};

use crate::error::{Context as _, Error, Result};

#[derive(Args, Debug)]
pub(crate) struct TableFile {
    /// CSV whose first line names the columns, or JSON: an object per row, one after the other or
    /// in an array; `-` for standard input
    table: PathBuf,
    /// The character that separates the fields of CSV, or `tab`; by default a tab for a .tsv file,
    /// else a comma
    #[arg(long, value_name = "CHARACTER")]
    delimiter: Option<String>,
    /// Another CSV field that means null; repeatable
    #[arg(long = "null", value_name = "TEXT", allow_hyphen_values = true)]
    nulls: Vec<String>,
    /// Treat only the texts of --null as null, not the usual marks (an empty field, NA, NaN, …)
    #[arg(long)]
    no_default_nulls: bool,
}

impl TableFile {
    /// Returns the path for messages.
    pub(crate) fn name(&self) -> String {
        match self.is_standard_input() {
            true => "standard input".to_owned(),
            false => self.table.display().to_string(),
        }
    }

    /// Reads the file.
    pub(crate) fn text(&self) -> Result<String> {
        let mut bytes = Vec::new();
        match self.is_standard_input() {
            true => io::stdin().lock().read_to_end(&mut bytes).map(drop),
            false => fs::read(&self.table).map(|read| bytes = read),
        }
        .context(format_args!("can't read {}", self.name()))?;
        let text = table::text(&self.name(), &bytes).context(self.name())?;
        Ok(text.into_owned())
    }

    /// Parses the text as a table.
    pub(crate) fn parse<'t>(&self, text: &'t str) -> Result<Table<'t>> {
        let delimiter = match &self.delimiter {
            Some(text) => delimiter(text)?,
            None => table::delimiter(&self.name()),
        };
        Table::parse(text, delimiter, usize::MAX).context(self.name())
    }

    /// Returns the marks that count as null.
    pub(crate) fn nulls(&self) -> NullMarks {
        let usual = match self.no_default_nulls {
            true => NullMarks::default(),
            false => NullMarks::usual(),
        };
        usual.with(&self.nulls)
    }

    fn is_standard_input(&self) -> bool {
        self.table == Path::new("-")
    }
}

/// Parses the value of `--delimiter`.
fn delimiter(text: &str) -> Result<u8> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        &[byte] if byte != b'"' && byte != b'\n' && byte != b'\r' && byte.is_ascii() => Ok(byte),
        _ => Err(Error::new(format!(
            "--delimiter must be one ASCII character or `tab`, not {text:?}"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delimiter_is_one_character() {
        assert_eq!(delimiter(";").ok(), Some(b';'));
        assert_eq!(delimiter("tab").ok(), Some(b'\t'));
        for text in ["", ";;", "ü", "\""] {
            assert!(delimiter(text).is_err(), "{text}");
        }
    }
}
