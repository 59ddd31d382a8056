//! `cargo tdg pending`: lists the pending changes.

use clap::Args;
use tdg_definition::json::Value;
use tdg_explain::KnownFindings;

use crate::error::Result;
use crate::exit::Exit;
use crate::record::{ComparedChange, RecordedTest, RecordedTests};
use crate::terminal::style::{FAINT, PENDING, STRONG};
use crate::terminal::{StyledCell, TerminalTable, print, print_error};
use crate::test_group::TestGroup;
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
        let known = KnownFindings::new();
        let (mut lines, mut listed) = (String::new(), Vec::new());
        for record in pending {
            match record.change().and_then(|change| change.compare()) {
                Ok(compared) => {
                    let cause = compared.cause(&known);
                    match self.json {
                        true => lines.push_str(&json_line(record, &compared, cause)),
                        false => listed.push((cause, (record, compared.headline()))),
                    }
                }
                // The other changes are still listed.
                Err(error) => exit = print_error(error)?,
            }
        }
        if self.json {
            print(&lines)?;
        } else if exit == Exit::Fine {
            print("No changes are pending.\n")?;
        } else if !listed.is_empty() {
            let next = format!(
                "\n{FAINT}decide: cargo tdg review, or accept NAME, reject NAME{FAINT:#}\n"
            );
            print(&(list(listed) + &next))?;
        }
        Ok(exit)
    }
}

/// Lists the tests with their changes: one line for tests that changed by the same cause.
fn list(changes: Vec<(Option<String>, (&RecordedTest, String))>) -> String {
    let groups = TestGroup::all_of(changes);
    let mut table = TerminalTable::new(["", "", ""]);
    for TestGroup {
        first: (record, headline),
        ..
    } in &groups
    {
        table.row([
            StyledCell::styled(record.test.to_string(), STRONG),
            StyledCell::styled(headline, PENDING),
            StyledCell::styled(record.location(), FAINT),
        ]);
    }
    let name = |(record, _): &(&RecordedTest, String)| record.test.to_string();
    let of_groups = groups.iter().map(|group| group.lines(name));
    table.text("") + &of_groups.collect::<String>()
}

fn json_line(record: &RecordedTest, compared: &ComparedChange, cause: Option<String>) -> String {
    let change = [
        ("cause", Value::from(cause)),
        ("what", Value::from(compared.headline())),
        ("cases", Value::from(compared.size() as u64)),
        ("compared", Value::from(compared.rows.compared() as u64)),
        ("changed", Value::from(compared.rows.differing.len() as u64)),
    ];
    format!("{}\n", Value::object(record.json_members().chain(change)))
}
