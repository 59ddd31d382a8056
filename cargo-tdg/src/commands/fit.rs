//! `cargo tdg fit`: a definition from real data.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::error::{Context as _, Error, Result};
use crate::exit::Exit;
use crate::fit::{Options, Table, delimiter, fit};
use crate::terminal::{note, print, print_raw};

/// Make a definition from real data, and say how well rows drawn from it match
///
/// The definition goes to standard output and the report to standard error; with --output, the definition goes to that
/// file and the report to standard output.
#[derive(Args, Debug)]
pub(crate) struct Fit {
    /// A CSV file whose first line names the columns; `-` is standard input
    data: PathBuf,
    /// Write the definition to a file, which must not exist
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What separates fields: a character, or `tab`
    #[arg(long, value_name = "CHARACTER", default_value = ",")]
    delimiter: String,
    /// Another text that means null, besides nothing, NA, N/A, null and NaN; can be repeated
    #[arg(long = "null", value_name = "TEXT")]
    nulls: Vec<String>,
    /// State correlations of at least this strength, from 0 to 1; 1 for none, and the best distribution for each column
    /// by itself
    #[arg(long, value_name = "STRENGTH", default_value_t = 0.3)]
    correlations: f64,
    /// Report in JSON
    #[arg(long)]
    json: bool,
}

impl Fit {
    pub(crate) fn run(self) -> Result<Exit> {
        if !(0.0..=1.0).contains(&self.correlations) {
            return Err(Error::new(format!(
                "--correlations must be from 0 to 1, but is {}",
                self.correlations
            )));
        }
        let options = Options {
            nulls: self
                .nulls
                .iter()
                .map(|text| text.trim().to_owned())
                .collect(),
            correlations: self.correlations,
        };
        let table = read(&self.data, delimiter(&self.delimiter)?)?;
        let fit = fit(table, &options).context(self.data.display())?;
        let report = if self.json { fit.json() } else { fit.report() };
        match &self.output {
            Some(path) => {
                write_new(path, &fit.definition)?;
                print(&report)?;
            }
            None => {
                print_raw(fit.definition.as_bytes())?;
                // Nobody listens if it fails.
                let _ = anstream::stderr().write_all(report.as_bytes());
            }
        }
        if !self.json {
            fit.notes.iter().for_each(|text| note(text));
        }
        Ok(Exit::Fine)
    }
}

fn read(path: &Path, delimiter: u8) -> Result<Table> {
    if path == Path::new("-") {
        return Table::read(io::stdin().lock(), delimiter).context("standard input");
    }
    let file = File::open(path).context(format_args!("{} can't be read", path.display()))?;
    Table::read(file, delimiter).context(path.display())
}

fn write_new(path: &Path, text: &str) -> Result<()> {
    let mut file = File::create_new(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Error::new(format!(
            "{} exists; remove it, or write to another file",
            path.display()
        )),
        _ => Error::new(format!("{} can't be written: {error}", path.display())),
    })?;
    file.write_all(text.as_bytes()).context(path.display())
}
