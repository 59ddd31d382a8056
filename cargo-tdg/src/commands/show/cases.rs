//! Cases with their inputs and outputs.

use tdg_definition::control::escape;
use tdg_definition::json::{self, Value};
use tdg_engine::Vectors;
use tdg_engine::text::shorten;
use tdg_report::Extent;

use super::super::differences::{BenchmarkDifferences, ContentDifference};
use super::parts;
use crate::error::{Error, Result};
use crate::record::{ComparedChange, RecordedTest, RecordedTests, outputs, vectors};
use crate::terminal::style::{FAINT, STRONG};
use crate::terminal::{StyledCell, TerminalTable, extent, print};

/// Returns every row of the benchmark with its output.
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

/// Prints the report of the pending change with all changed cases and its parts.
pub(super) fn print_changed(record: &RecordedTest, format: CaseFormat) -> Result<()> {
    let change = record.change()?;
    let compared = change.compare()?;
    if matches!(format, CaseFormat::Json) && change.benchmark.is_some() {
        return print(&changed_lines(&compared, &change.kept_lines()?)?);
    }
    let extent = format.extent();
    let report = compared.report(record, extent);
    print(&match compared.kept_alone() {
        Some(_) => report,
        None => report + &parts::text(&record.test.to_string(), &compared, extent),
    })?;
    record.mark_shown(&change);
    Ok(())
}

/// Prints how a benchmark differs from a revision, with all cases.
pub(super) fn print_since(
    mut differences: BenchmarkDifferences<'_>,
    records: &RecordedTests,
    name: &str,
    format: CaseFormat,
) -> Result<()> {
    let found = match records.named(name) {
        Ok(record) => differences.difference(record)?.ok_or(record),
        // A removed or renamed test had this name.
        Err(unknown) => Ok(differences.of_former(name)?.ok_or(unknown)?),
    };
    match (found, format) {
        (Ok(difference), CaseFormat::Json) => match &difference.content {
            ContentDifference::Changed { compared, kept, .. } => {
                print(&changed_lines(compared, kept)?)
            }
            _ => Ok(()),
        },
        (Ok(difference), CaseFormat::Text(_)) => {
            let (headline, legend) = (difference.headline(), differences.legend());
            let decisions = difference.decisions_text().map(|it| format!("  {it}\n"));
            let decisions: String = decisions.collect();
            let (sections, _) = difference.sections(format.extent());
            let legend = match difference.compared() {
                Some(_) => format!("\n  {FAINT}{legend}{FAINT:#}\n"),
                None => String::new(),
            };
            print(&format!(
                "{STRONG}{headline}{STRONG:#}\n{decisions}{sections}{legend}"
            ))
        }
        (Err(_), CaseFormat::Json) => Ok(()),
        (Err(record), CaseFormat::Text(_)) => {
            let (test, base) = (&record.test, &differences.base.label);
            print(&format!("{test} has the same benchmark as {base}.\n"))
        }
    }
}

/// Returns a line of JSON for each changed case and kept row.
fn changed_lines(compared: &ComparedChange, kept: &[String]) -> Result<String> {
    let lines = compared.rows.differing.iter().map(|differing| {
        let members = [
            ("case", Value::from(differing.case as u64)),
            ("expected", differing.expected.clone()),
            ("actual", differing.actual.clone()),
        ];
        json_line(&compared.rows.vectors, differing.case, members)
    });
    lines.chain(kept.iter().cloned().map(Ok)).collect()
}

/// The output format of cases.
#[derive(Clone, Copy, Debug)]
pub(super) enum CaseFormat {
    Json,
    Text(ValueLength),
}

impl CaseFormat {
    /// Returns the extent of a report with all cases.
    fn extent(self) -> Extent {
        match self {
            Self::Text(values) if values.are_whole => Extent::whole(),
            _ => extent().with_all_cases(),
        }
    }
}

/// Determines if long values are shortened.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueLength {
    are_whole: bool,
    /// Set once a value has been shortened.
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
        /// The maximum width of a value. A datetime takes 22 columns.
        const WIDTH: usize = 32;
        if self.are_whole {
            return text;
        }
        let text = escape(&text);
        let short = shorten(&text, WIDTH);
        self.is_shortened |= short != text;
        short
    }

    /// Returns a hint about `--full` if any value was shortened.
    fn note(self, indentation: &str) -> String {
        match self.is_shortened {
            true => format!("\n{indentation}{FAINT}long values in full: --full{FAINT:#}\n"),
            false => String::new(),
        }
    }
}

/// Formats a case as JSON, with its row keyed by feature names.
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
