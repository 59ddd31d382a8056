//! `cargo tdg rename`: moves a benchmark to the renamed test.

use clap::Args;

use crate::error::Result;
use crate::exit::Exit;
use crate::record::RecordedTests;
use crate::terminal::style::{GOOD, STRONG};
use crate::terminal::{confirm, note};
use crate::workspace::{Packages, Workspace};

/// Give a renamed test the benchmark and history of its former name
#[derive(Args, Debug)]
pub(crate) struct Rename {
    #[command(flatten)]
    packages: Packages,
    /// The test that has the benchmark, by its former name or snapshot file
    #[arg(value_name = "OLD")]
    old: String,
    /// The test as it is now, by the name in its report or its snapshot file
    #[arg(value_name = "NEW")]
    new: String,
    /// The reason, shown by `cargo tdg history`
    #[arg(long)]
    reason: Option<String>,
}

impl Rename {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let records = RecordedTests::read_chosen(&workspace, &self.packages)?;
        let old = records.named(&self.old)?;
        let new = records.renamed(old, &self.new)?;
        let notice = old.rename(&new, self.reason.as_deref())?;
        confirm(&format!(
            "{GOOD}renamed{GOOD:#} {} to {STRONG}{}{STRONG:#}, {}\n",
            old.test,
            new.test,
            new.location()
        ))?;
        if old.may_exist() {
            note(&format!(
                "the test `{}` may still be in {}; its next run will have no benchmark",
                old.test, old.test.source
            ));
        }
        if let Some(notice) = notice {
            note(&notice);
        }
        Ok(Exit::Fine)
    }
}
