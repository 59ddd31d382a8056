//! `cargo tdg explain`: finds common features of the failing rows of any table.
//!
//! `table → features → rows → found → judged → report`, where each uses the earlier results.

mod causes;
mod features;
mod report;
mod rows;
mod rule_quality;
mod table;

use std::path::PathBuf;

use clap::Args;
use tdg_definition::table::{NullMarks, Table};
use tdg_engine::Vectors;

use crate::definition;
use crate::error::{Context as _, Result};
use crate::exit::Exit;
use crate::table_file::TableFile;
use crate::terminal::print;
use causes::FoundCauses;
use rows::RowsToExplain;
use rule_quality::RuleQuality;
use table::InputTable;

/// Explain what the failing rows of a table have in common
///
/// Every other column is a feature. Types are inferred, unless a definition states them.
#[derive(Args, Debug)]
pub(crate) struct Explain {
    #[command(flatten)]
    file: TableFile,
    /// The column that says whether a row fails: true or 1, false or 0
    #[arg(long, value_name = "COLUMN")]
    failing: String,
    /// The column of the expected outputs
    #[arg(long, value_name = "COLUMN")]
    expected: Option<String>,
    /// The column of the actual outputs
    #[arg(long, value_name = "COLUMN")]
    actual: Option<String>,
    /// A definition file: only its features count, with their types
    #[arg(long, value_name = "FILE")]
    definition: Option<PathBuf>,
    /// Explain only the first N rows, and judge the rules on the others
    #[arg(long, value_name = "N")]
    train: Option<usize>,
    /// Print the explanation as JSON
    #[arg(long)]
    json: bool,
}

impl Explain {
    pub(crate) fn run(self) -> Result<Exit> {
        rows::check_names(&self)?;
        let definition = self.definition.as_deref();
        let definition = definition.map(definition::read_valid).transpose()?;
        let text = self.file.text()?;
        let table = self.file.parse(&text)?;
        let rows = RowsToExplain::new(&self, &table, definition.as_ref());
        let rows = rows.context(self.file.name())?;
        let found = FoundCauses::new(&rows);
        let judged = RuleQuality::measure(&rows, &found);
        print(&if self.json {
            report::json(&rows, &found, &judged)
        } else {
            report::text(&self.file.name(), &rows, &found, &judged)
        })?;
        Ok(Exit::Fine)
    }
}

/// Infers the features of rows: an array of JSON objects.
pub(crate) fn inferred_features(rows: &str) -> Result<Vectors> {
    let table = Table::parse(rows, b',', usize::MAX)?;
    features::inferred(&InputTable::new(&table), &NullMarks::usual())
}
