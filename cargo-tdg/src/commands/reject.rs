//! `cargo tdg reject`: pending outputs are forgotten.

use clap::Args;

use crate::error::Result;
use crate::exit::Exit;
use crate::record::Records;
use crate::terminal::style::{BAD, STRONG};
use crate::terminal::{note, print};
use crate::workspace::Workspace;

/// Reject pending changes: their outputs are forgotten, the benchmarks stay
#[derive(Args, Debug)]
pub(crate) struct Reject {
    /// Tests, by name or snapshot file
    #[arg(required = true, value_name = "NAME")]
    names: Vec<String>,
}

impl Reject {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let records = Records::of(&workspace)?;
        let mut changes = Vec::new();
        for name in &self.names {
            let record = records.named(name)?;
            changes.push((record, record.change()?));
        }
        for (record, change) in changes {
            let notice = record.reject(&change.pending)?;
            let (name, place) = (&record.test.name, record.shown());
            print(&format!(
                "{BAD}rejected{BAD:#} {STRONG}{name}{STRONG:#}, {place} stays as it is\n"
            ))?;
            if let Some(notice) = notice {
                note(&notice);
            }
        }
        Ok(Exit::Fine)
    }
}
