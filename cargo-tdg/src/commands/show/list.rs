//! All benchmarks of the workspace.

use crate::commands::show::ensemble;
use crate::error::Result;
use crate::exit::Exit;
use crate::record::Records;
use crate::terminal::style::{FAINT, OPEN, STRONG};
use crate::terminal::{Cell, Table, print};

pub(super) fn show(records: &Records, json: bool) -> Result<Exit> {
    let mut exit = Exit::Fine;
    let mut table = Table::new(["test", "cases", "", "benchmark"]);
    let mut lines = String::new();
    for record in records.iter() {
        match record.benchmark() {
            Ok(benchmark) if json => {
                let pending = record.is_pending()?;
                lines.push_str(&ensemble::json_line(record, benchmark.as_ref(), pending));
            }
            Ok(benchmark) => table.row([
                Cell::styled(&record.test.name, STRONG),
                benchmark
                    .map_or("–".to_owned(), |it| it.ensemble().size.to_string())
                    .into(),
                Cell::styled(if record.is_pending()? { "pending" } else { "" }, OPEN),
                Cell::styled(record.shown(), FAINT),
            ]),
            Err(error) => exit = error.print()?,
        }
    }
    match json {
        true => print(&lines)?,
        false if records.iter().next().is_none() => {
            print("There are no benchmarks yet: `cargo test` records them.\n")?;
        }
        false => print(&table.text(""))?,
    }
    Ok(exit)
}
