//! `cargo tdg accept`: pending outputs become the benchmark.

use clap::Args;

use crate::error::Result;
use crate::exit::Exit;
use crate::record::Records;
use crate::terminal::style::{GOOD, STRONG};
use crate::terminal::{counted, note, print};
use crate::workspace::Workspace;

/// Accept pending changes: their outputs become the benchmark
#[derive(Args, Debug)]
pub(crate) struct Accept {
    /// Tests, by name or snapshot file
    #[arg(required = true, value_name = "NAME")]
    names: Vec<String>,
    /// The reason, shown by `cargo tdg history`
    #[arg(long)]
    reason: Option<String>,
    /// Only these cases of a single test, such as `3,40..60` (60 excluded); the others stay pending
    #[arg(long)]
    cases: Option<String>,
}

impl Accept {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let records = Records::of(&workspace)?;
        let reason = self.reason.as_deref();
        // All are read before anything is written, so that a typo accepts nothing.
        let mut changes = Vec::new();
        for name in &self.names {
            let record = records.named(name)?;
            changes.push((record, record.change()?));
        }
        for (record, change) in changes {
            let size = change.pending.snapshot.len();
            let (notice, cases) = match &self.cases {
                Some(cases) => {
                    let cases = tdg_engine::config::parse_cases("--cases", cases, size)?;
                    (record.accept_cases(&change, &cases, reason)?, cases.len())
                }
                None => (record.accept(&change.pending, reason)?, size),
            };
            let (name, location) = (&record.test.name, record.location());
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
        Ok(Exit::Fine)
    }
}
