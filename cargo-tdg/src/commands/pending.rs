//! `cargo tdg pending`: what waits for a decision.

use clap::Args;
use tdg_definition::json::Value;

use crate::error::Result;
use crate::exit::Exit;
use crate::record::{Compared, Record, Records};
use crate::terminal::style::{FAINT, OPEN, STRONG};
use crate::terminal::{Cell, Table, print};
use crate::workspace::Workspace;

/// List the changes that wait for a decision
///
/// Ends with 1 if there are any.
#[derive(Args, Debug)]
pub(crate) struct Pending {
    /// Print one line of JSON for each change
    #[arg(long)]
    json: bool,
}

impl Pending {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let records = Records::of(&workspace)?;
        let pending = records.pending()?;
        let mut exit = if pending.is_empty() {
            Exit::Fine
        } else {
            Exit::Found
        };
        let mut table = Table::new(["", "", ""]);
        let mut lines = String::new();
        for record in &pending {
            match record.change().and_then(|change| change.compare()) {
                Ok(compared) if self.json => lines.push_str(&json_line(record, &compared)),
                Ok(compared) => table.row([
                    Cell::styled(&record.test.name, STRONG),
                    Cell::styled(compared.headline(), OPEN),
                    Cell::styled(record.shown(), FAINT),
                ]),
                // The others are worth listing all the same.
                Err(error) => exit = error.complain()?,
            }
        }
        match self.json {
            true => print(&lines)?,
            false if pending.is_empty() => print("Nothing waits for a decision.\n")?,
            // All that there are can't be read.
            false if table.is_empty() => {}
            false => {
                let next = format!(
                    "\n{FAINT}decide: cargo tdg review, or accept NAME, reject NAME{FAINT:#}\n"
                );
                print(&(table.text("") + &next))?;
            }
        }
        Ok(exit)
    }
}

fn json_line(record: &Record, compared: &Compared) -> String {
    let change = [
        ("what", Value::from(compared.headline())),
        ("cases", Value::from(compared.vectors.size() as u64)),
        ("compared", Value::from(compared.common as u64)),
        ("changed", Value::from(compared.differing.len() as u64)),
    ];
    format!("{}\n", Value::object(record.members().chain(change)))
}
