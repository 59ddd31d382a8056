//! `cargo tdg reject`: discards pending outputs.

use clap::Args;

use super::selected_changes::ChangeArguments;
use crate::error::Result;
use crate::exit::Exit;
use crate::terminal::style::{BAD, STRONG};
use crate::terminal::{confirm, note};

/// Reject pending changes: their outputs are discarded, the benchmark stays
///
/// A pattern or a package rejects only changes that `cargo tdg show NAME --changed`, `review` or
/// `report` has shown since the run that left them. Lists the others, and exits with 1 if there are
/// any.
#[derive(Args, Debug)]
pub(crate) struct Reject {
    #[command(flatten)]
    choice: ChangeArguments,
    /// The reason, shown by `cargo tdg history`
    #[arg(long)]
    reason: Option<String>,
}

impl Reject {
    pub(crate) fn run(self) -> Result<Exit> {
        let reason = self.reason.as_deref();
        let records = self.choice.records()?;
        let chosen = self.choice.among(&records)?;
        for (record, change) in &chosen.changes {
            let notice = record.reject(&change.pending, reason)?;
            let (name, location) = (&record.test, record.location());
            confirm(&format!(
                "{BAD}rejected{BAD:#} {STRONG}{name}{STRONG:#}, benchmark unchanged, {location}\n"
            ))?;
            if let Some(notice) = notice {
                note(&notice);
            }
        }
        chosen.finish()
    }
}
