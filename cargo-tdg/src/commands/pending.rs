//! `cargo tdg pending`: lists the pending changes.

use clap::Args;
use tdg_definition::json::Value;

use crate::error::Result;
use crate::exit::Exit;
use crate::record::{ComparedChange, RecordedTest, RecordedTests};
use crate::terminal::style::{FAINT, PENDING, STRONG};
use crate::terminal::{StyledCell, TerminalTable, print, print_error};
use crate::workspace::{Packages, Workspace};

/// List pending changes
///
/// Exits with 1 if there are any.
#[derive(Args, Debug)]
pub(crate) struct Pending {
    #[command(flatten)]
    packages: Packages,
    /// Print one line of JSON for each change
    #[arg(long)]
    json: bool,
}

impl Pending {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let records =
            RecordedTests::read(&workspace)?.in_packages(&self.packages.select(&workspace)?);
        let pending = records.pending()?;
        let mut exit = if pending.is_empty() {
            Exit::Fine
        } else {
            Exit::Found
        };
        let mut table = TerminalTable::new(["", "", ""]);
        let mut lines = String::new();
        for record in &pending {
            match record.change().and_then(|change| change.compare()) {
                Ok(compared) if self.json => lines.push_str(&json_line(record, &compared)),
                Ok(compared) => table.row([
                    StyledCell::styled(record.test.to_string(), STRONG),
                    StyledCell::styled(compared.headline(), PENDING),
                    StyledCell::styled(record.location(), FAINT),
                ]),
                // The other changes are still listed.
                Err(error) => exit = print_error(error)?,
            }
        }
        if self.json {
            print(&lines)?;
        } else if pending.is_empty() {
            print("No changes are pending.\n")?;
        } else if !table.is_empty() {
            let next = format!(
                "\n{FAINT}decide: cargo tdg review, or accept NAME, reject NAME{FAINT:#}\n"
            );
            print(&(table.text("") + &next))?;
        }
        Ok(exit)
    }
}

fn json_line(record: &RecordedTest, compared: &ComparedChange) -> String {
    let change = [
        ("what", Value::from(compared.headline())),
        ("cases", Value::from(compared.size() as u64)),
        ("compared", Value::from(compared.rows.compared() as u64)),
        ("changed", Value::from(compared.rows.differing.len() as u64)),
    ];
    format!("{}\n", Value::object(record.json_members().chain(change)))
}
