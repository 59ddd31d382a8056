//! `cargo tdg fit`: a definition from real data.

mod report;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use tdg_fit::{FitOptions, TextTable, fit};

use crate::error::{Context as _, Error, Result};
use crate::exit::Exit;
use crate::output::Output;
use crate::terminal::{note, print, print_aside};

/// Make a definition from real data, and report how well rows drawn from it match
///
/// The definition goes to standard output and the report to standard error. With --output, the
/// definition goes to that file and the report to standard output.
#[derive(Args, Debug)]
pub(crate) struct Fit {
    /// A CSV file whose first line names the columns, or JSON lines; `-` for standard input
    data: PathBuf,
    #[command(flatten)]
    output: Output,
    /// The character that separates fields, or `tab`
    #[arg(long, value_name = "CHARACTER", default_value = ",")]
    delimiter: String,
    /// A text that means null, in addition to the empty field, NA, N/A, null and NaN; repeatable
    #[arg(long = "null", value_name = "TEXT")]
    nulls: Vec<String>,
    /// The weakest correlation to include, from 0 to 1; with 1, none is included and each column
    /// gets its best distribution
    #[arg(long, value_name = "STRENGTH", default_value_t = 0.3)]
    correlations: f64,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

impl Fit {
    pub(crate) fn run(self) -> Result<Exit> {
        if !(0.0..=1.0).contains(&self.correlations) {
            return Err(Error::new(format!(
                "--correlations must be from 0 to 1, not {}",
                self.correlations
            )));
        }
        let mut options = FitOptions::default();
        options.correlations = self.correlations;
        options.nulls = self
            .nulls
            .iter()
            .map(|text| text.trim().to_owned())
            .collect();
        let table = read(&self.data, delimiter(&self.delimiter)?)?;
        let fit = fit(table, &options).context(self.data.display())?;
        let report = if self.json {
            report::json(&fit)
        } else {
            report::text(&fit)
        };
        self.output.write(&fit.definition)?;
        if self.output.file().is_some() {
            print(&report)?;
        } else {
            // The definition is what counts.
            print_aside(&report);
        }
        if !self.json {
            fit.notes.iter().for_each(|text| note(text));
        }
        Ok(Exit::Fine)
    }
}

/// The value of `--delimiter`.
fn delimiter(text: &str) -> Result<u8> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        &[byte] if byte != b'"' && byte != b'\n' && byte != b'\r' && byte.is_ascii() => Ok(byte),
        _ => Err(Error::new(format!(
            "--delimiter must be one ASCII character or `tab`, not {text:?}"
        ))),
    }
}

fn read(path: &Path, delimiter: u8) -> Result<TextTable> {
    if path == Path::new("-") {
        return TextTable::read(io::stdin().lock(), delimiter).context("standard input");
    }
    let file = File::open(path).context(format_args!("can't read {}", path.display()))?;
    TextTable::read(file, delimiter).context(path.display())
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
