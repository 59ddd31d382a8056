//! One ensemble: the distributions of its features and outputs.

use tdg_definition::control;
use tdg_definition::json::{self, Value};
use tdg_engine::snapshot::Snapshot;

use crate::error::Result;
use crate::record::{RecordedTest, outputs, vectors};
use crate::terminal::style::{FAINT, PENDING, STRONG};
use crate::terminal::{StyledCell, TerminalTable, counted};
use crate::workspace::Workspace;
use tdg_html::summary;

/// The maximum number of output fields shown.
const FIELDS: usize = 24;

pub(super) fn text(workspace: &Workspace, record: &RecordedTest, json: bool) -> Result<String> {
    let benchmark = record.benchmark()?;
    let is_pending = record.is_pending()?;
    if json {
        return Ok(json_line(record, benchmark.as_ref(), is_pending));
    }
    // Without a benchmark, uses the pending outputs that would be the first.
    let snapshot = match benchmark {
        Some(benchmark) => benchmark,
        None => record.change()?.pending.snapshot,
    };
    let ensemble = snapshot.ensemble();
    let (name, size) = (&record.test, counted(ensemble.size, "case"));
    let origin = match &ensemble.rows {
        Some(file) => format!("rows of {}", control::escape(file)),
        None => format!("seed {}", ensemble.seed),
    };
    let mut text = format!(
        "{STRONG}{name}{STRONG:#}\n  {size}, {origin}, {}\n  {FAINT}{}, digest {}{FAINT:#}\n",
        record.location(),
        workspace.display_path(&record.package.directory.join(&record.test.source)),
        ensemble.digest,
    );
    if is_pending {
        let change = match record.change().and_then(|change| change.compare()) {
            Ok(compared) => compared.headline(),
            Err(error) => error.to_string(),
        };
        text.push_str(&format!("  {PENDING}pending: {change}{PENDING:#}\n"));
    }
    text.push('\n');
    text.push_str(&table(&snapshot)?.text("  "));
    Ok(text)
}

/// Returns a table with a line for each feature and each field of the outputs.
fn table(snapshot: &Snapshot) -> Result<TerminalTable> {
    let vectors = vectors(snapshot)?;
    let mut table = TerminalTable::new(["feature", "type", "values"]);
    for (position, name) in vectors.names().enumerate() {
        let summary = summary::feature(vectors.column(position));
        let feature_type = vectors.feature_type(position).to_string();
        table.row([
            name.into(),
            StyledCell::styled(feature_type, FAINT),
            summary.line().into(),
        ]);
    }
    table.row(["".into(), "".into(), "".into()]);
    if snapshot.is_empty() {
        table.row([
            StyledCell::styled("output", FAINT),
            "".into(),
            "on a server".into(),
        ]);
        return Ok(table);
    }
    let fields = summary::fields(&outputs(snapshot)?);
    table.row([StyledCell::styled("output", FAINT)]);
    for (pointer, summary) in fields.iter().take(FIELDS) {
        let name = if pointer.is_empty() { "(all)" } else { pointer };
        table.row([name.into(), "".into(), summary.line().into()]);
    }
    if fields.len() > FIELDS {
        let more = counted(fields.len() - FIELDS, "more field");
        table.row([StyledCell::styled(format!("… and {more}"), FAINT)]);
    }
    Ok(table)
}

pub(super) fn json_line(
    record: &RecordedTest,
    benchmark: Option<&Snapshot>,
    is_pending: bool,
) -> String {
    let ensemble = benchmark.map(|benchmark| {
        let ensemble = benchmark.ensemble();
        Value::object([
            ("size", Value::from(ensemble.size as u64)),
            // A string, as in the file: many JSON parsers round integers above 2⁵³.
            ("seed", Value::from(ensemble.seed.to_string())),
            (
                "sampler_version",
                Value::from(u64::from(ensemble.sampler_version)),
            ),
            ("digest", Value::from(ensemble.digest.as_str())),
            (
                "definition",
                json::parse(&ensemble.definition).unwrap_or_default(),
            ),
        ])
    });
    let benchmark = [
        ("ensemble", Value::from(ensemble)),
        ("pending", Value::from(is_pending)),
    ];
    format!(
        "{}\n",
        Value::object(record.json_members().chain(benchmark))
    )
}
