//! `cargo tdg reject`: pending outputs are discarded.

use clap::Args;

use crate::error::Result;
use crate::exit::Exit;
use crate::record::Records;
use crate::terminal::style::{BAD, STRONG};
use crate::terminal::{confirm, note};
use crate::workspace::Workspace;

/// Reject pending changes: their outputs are discarded, the benchmark stays
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
            let notice = record.reject(&change.pending, None)?;
            let (name, location) = (&record.test.name, record.location());
            confirm(&format!(
                "{BAD}rejected{BAD:#} {STRONG}{name}{STRONG:#}, benchmark unchanged, {location}\n"
            ))?;
            if let Some(notice) = notice {
                note(&notice);
            }
        }
        Ok(Exit::Fine)
    }
}
