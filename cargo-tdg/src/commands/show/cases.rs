//! Cases with their inputs and outputs.

use tdg_definition::control::escape;
use tdg_definition::json::{self, Value};
use tdg_engine::Vectors;
use tdg_engine::report::{Extent, shorten};

use super::parts;
use crate::error::{Error, Result};
use crate::record::{RecordedTest, outputs, vectors};
use crate::terminal::style::FAINT;
use crate::terminal::{StyledCell, TerminalTable, extent, print};

/// Every row of the benchmark with its output.
pub(super) fn all(record: &RecordedTest, format: CaseFormat) -> Result<String> {
    let Some(benchmark) = record.benchmark()? else {
        return Err(Error::new(format!(
            "{} has no benchmark yet, only pending outputs",
            record.test
        )));
    };
    let (vectors, outputs) = (vectors(&benchmark)?, outputs(&benchmark)?);
    let mut values = match format {
        CaseFormat::Json => ValueLength::whole(),
        CaseFormat::Text(values) => values,
    };
    if matches!(format, CaseFormat::Json) {
        let lines = outputs.iter().enumerate().map(|(case, output)| {
            let members = [
                ("case", Value::from(case as u64)),
                ("output", output.clone()),
            ];
            json_line(&vectors, case, members)
        });
        return lines.collect();
    }
    let mut table = TerminalTable::new(
        ["case"]
            .into_iter()
            .chain(vectors.names())
            .chain(["output"]),
    );
    for (case, output) in outputs.iter().enumerate() {
        let mut cells = vec![case.to_string()];
        cells.extend(vectors.cells(case).into_iter().map(|it| values.text(it)));
        cells.push(values.text(output.to_string()));
        table.row(cells.into_iter().map(StyledCell::from));
    }
    Ok(table.text("") + &values.note(""))
}

/// Prints the report of the pending change with every case that it would change, and its parts.
pub(super) fn print_changed(record: &RecordedTest, format: CaseFormat) -> Result<()> {
    let change = record.change()?;
    let compared = change.compare()?;
    let extent = match format {
        CaseFormat::Text(values) if values.are_whole => Extent::whole(),
        CaseFormat::Json if change.benchmark.is_some() => {
            let lines = compared.rows.differing.iter().map(|differing| {
                let members = [
                    ("case", Value::from(differing.case as u64)),
                    ("expected", differing.expected.clone()),
                    ("actual", differing.actual.clone()),
                ];
                json_line(&compared.rows.vectors, differing.case, members)
            });
            let lines = lines.chain(change.kept_lines()?.into_iter().map(Ok));
            return print(&lines.collect::<Result<String>>()?);
        }
        _ => extent().with_all_cases(),
    };
    let report = compared.report(record, extent);
    print(&match compared.kept_alone() {
        Some(_) => report,
        None => report + &parts::text(&record.test.to_string(), &compared, extent),
    })?;
    record.mark_shown(&change);
    Ok(())
}

/// How cases are printed.
#[derive(Clone, Copy, Debug)]
pub(super) enum CaseFormat {
    Json,
    Text(ValueLength),
}

/// Whether long values are shortened.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueLength {
    are_whole: bool,
    /// Whether one was.
    is_shortened: bool,
}

impl ValueLength {
    pub(super) fn whole() -> Self {
        Self {
            are_whole: true,
            is_shortened: false,
        }
    }

    pub(super) fn shortened() -> Self {
        Self {
            are_whole: false,
            is_shortened: false,
        }
    }

    fn text(&mut self, text: String) -> String {
        /// The most columns of a value; a datetime has 22.
        const WIDTH: usize = 32;
        if self.are_whole {
            return text;
        }
        let text = escape(&text);
        let short = shorten(&text, WIDTH);
        self.is_shortened |= short != text;
        short
    }

    /// A line that says how to see all of it, if something was shortened.
    fn note(self, indentation: &str) -> String {
        match self.is_shortened {
            true => format!("\n{indentation}{FAINT}long values whole: --full{FAINT:#}\n"),
            false => String::new(),
        }
    }
}

/// A case as JSON: the other members, and its row by the features' names.
fn json_line(
    vectors: &Vectors,
    case: usize,
    members: impl IntoIterator<Item = (&'static str, Value)>,
) -> Result<String> {
    let cells = vectors.cells(case).into_iter();
    let row = vectors.names().map(str::to_owned).zip(cells);
    let row = row.map(|(name, cell)| Ok((name, json::parse(&cell)?)));
    let row = Value::Object(row.collect::<Result<_>>()?);
    let members = members.into_iter().chain([("row", row)]);
    Ok(format!("{}\n", Value::object(members)))
}
