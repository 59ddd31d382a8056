//! `cargo tdg accept`: pending outputs become the benchmark.

use clap::Args;
use tdg_engine::config::parse_cases;

use super::chosen::Choice;
use crate::error::Result;
use crate::exit::Exit;
use crate::record::reason;
use crate::terminal::style::{GOOD, STRONG};
use crate::terminal::{counted, note, print};
use crate::workspace::Workspace;

/// Accept pending changes: their outputs become the benchmark
///
/// A pattern or a package accepts only changes that `cargo tdg show NAME --changed`, `review` or
/// `report` has shown since the run that left them. Lists the others, and exits with 1 if there are
/// any.
#[derive(Args, Debug)]
pub(crate) struct Accept {
    #[command(flatten)]
    choice: Choice,
    /// The reason, shown by `cargo tdg history`
    #[arg(long)]
    reason: Option<String>,
    /// Only these cases of a single test, such as `3,40..60` (60 excluded); the others stay pending
    #[arg(long)]
    cases: Option<String>,
}

impl Accept {
    pub(crate) fn run(self) -> Result<Exit> {
        let reason = reason(self.reason.as_deref())?;
        let workspace = Workspace::find()?;
        let records = self.choice.records(&workspace)?;
        let chosen = self.choice.among(&records)?;
        for (record, change) in &chosen.changes {
            let size = change.pending.snapshot.len();
            let (notice, cases) = match &self.cases {
                Some(cases) => {
                    let cases = parse_cases("--cases", cases, size)?;
                    (record.accept_cases(change, &cases, reason)?, cases.len())
                }
                None => (record.accept(&change.pending, reason)?, size),
            };
            let (name, location) = (&record.test, record.location());
            let cases = if cases == size {
                counted(size, "case")
            } else {
                format!("{cases} of {}", counted(size, "case"))
            };
            print(&format!(
                "{GOOD}accepted{GOOD:#} {STRONG}{name}{STRONG:#}, {cases}, {location}\n"
            ))?;
            if let Some(notice) = notice {
                note(&notice);
            }
        }
        chosen.finish()
    }
}
