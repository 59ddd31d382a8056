//! All benchmarks of the workspace.

use super::ensemble;
use crate::error::Result;
use crate::exit::Exit;
use crate::record::RecordedTests;
use crate::terminal::style::{FAINT, PENDING, STRONG};
use crate::terminal::{StyledCell, TerminalTable, print, print_error};

pub(super) fn show(records: &RecordedTests, json: bool) -> Result<Exit> {
    let mut exit = Exit::Fine;
    let mut table = TerminalTable::new(["test", "cases", "", "benchmark"]);
    let mut lines = String::new();
    for record in records.iter() {
        match record.benchmark() {
            Ok(benchmark) if json => {
                let pending = record.is_pending()?;
                lines.push_str(&ensemble::json_line(record, benchmark.as_ref(), pending));
            }
            Ok(benchmark) => table.row([
                StyledCell::styled(record.test.to_string(), STRONG),
                benchmark
                    .map_or("–".to_owned(), |it| it.ensemble().size.to_string())
                    .into(),
                StyledCell::styled(if record.is_pending()? { "pending" } else { "" }, PENDING),
                StyledCell::styled(record.location(), FAINT),
            ]),
            Err(error) => exit = print_error(error)?,
        }
    }
    if json {
        print(&lines)?;
    } else if records.iter().next().is_none() {
        print("There are no benchmarks yet; run `cargo test` to record them.\n")?;
    } else {
        print(&table.text(""))?;
    }
    Ok(exit)
}
