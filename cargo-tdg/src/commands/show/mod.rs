//! `cargo tdg show`: ensembles with their benchmarks and pending changes.

mod cases;
mod ensemble;
mod list;
mod parts;

use clap::Args;

use super::differences::BenchmarkDifferences;
use crate::error::Result;
use crate::exit::Exit;
use crate::record::RecordedTests;
use crate::terminal::print;
use crate::workspace::{Packages, Workspace};

use cases::{CaseFormat, ValueLength};

/// Show the features, outputs, rows and pending changes of an ensemble
///
/// Without a name, lists all benchmarks.
#[derive(Args, Debug)]
pub(crate) struct Show {
    #[command(flatten)]
    packages: Packages,
    /// A test, by name or snapshot file
    name: Option<String>,
    /// Show every case that the pending change would change
    #[arg(long, requires = "name")]
    changed: bool,
    /// Show how the benchmark differs from the one of a git revision, or of the merge base with a
    /// branch; `REVISION..` is the revision itself
    #[arg(
        long,
        value_name = "REVISION",
        requires = "name",
        conflicts_with = "changed"
    )]
    since: Option<String>,
    /// Show every row with its output
    #[arg(long, requires = "name", conflicts_with_all = ["changed", "since"])]
    rows: bool,
    /// Show long values in full
    #[arg(long, requires = "name")]
    full: bool,
    /// Print one line of JSON for each benchmark or case
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let records = RecordedTests::read(&workspace)?;
        let Some(name) = &self.name else {
            let records = records.in_packages(&self.packages.select(&workspace)?);
            return list::show(&records, self.json);
        };
        let records = records.in_packages(&self.packages.chosen(&workspace)?);
        let format = match (self.json, self.full) {
            (true, _) => CaseFormat::Json,
            (_, true) => CaseFormat::Text(ValueLength::whole()),
            _ => CaseFormat::Text(ValueLength::shortened()),
        };
        if let Some(revision) = &self.since {
            let differences = BenchmarkDifferences::since(revision, &workspace, &records)?;
            cases::print_since(differences, &records, name, format)?;
            return Ok(Exit::Fine);
        }
        let record = records.named(name)?;
        if self.changed {
            cases::print_changed(record, format)?;
        } else if self.rows {
            print(&cases::all(record, format)?)?;
        } else {
            print(&ensemble::text(&workspace, record, self.json)?)?;
        }
        Ok(Exit::Fine)
    }
}
