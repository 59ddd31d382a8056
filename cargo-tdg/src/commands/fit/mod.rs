//! `cargo tdg fit`: derives a definition from real data.

mod report;

use clap::Args;
use tdg_fit::{FitOptions, fit};

use crate::error::{Context as _, Error, Result};
use crate::exit::Exit;
use crate::output::Output;
use crate::table_file::TableFile;
use crate::terminal::{note, print, print_aside};

/// Infer a definition from real data, and report how well rows drawn from it match
///
/// The definition goes to standard output and the report to standard error. With --output, the
/// definition goes to that file and the report to standard output.
#[derive(Args, Debug)]
pub(crate) struct Fit {
    #[command(flatten)]
    file: TableFile,
    #[command(flatten)]
    output: Output,
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
        options.nulls = self.file.nulls();
        let text = self.file.text()?;
        let table = self.file.parse(&text)?;
        let fit = fit(&table, &options).context(self.file.name())?;
        let report = if self.json {
            report::json(&fit)
        } else {
            report::text(&fit)
        };
        self.output.write(&fit.definition)?;
        if self.output.file().is_some() {
            print(&report)?;
        } else {
            // The report goes to standard error, since the definition is the result.
            print_aside(&report);
        }
        if !self.json {
            fit.notes.iter().for_each(|text| note(text));
        }
        Ok(Exit::Fine)
    }
}
